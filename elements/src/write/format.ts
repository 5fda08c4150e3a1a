/** Markdown, as the buttons of the toolbar write it. */

/** What a button does to a text. */
export type Format = 'bold' | 'italic' | 'code' | 'link' | 'quote' | 'list' | 'numbers';

/** A text with what is selected in it. */
export type Selected = { readonly text: string; readonly start: number; readonly end: number };

/** What takes the place of the text from `start` to `end`, and what is selected then. */
export type Replacement = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly select: readonly [start: number, end: number];
};

// Underscores are no emphasis beside letters, and some scripts write no spaces.
const around = { bold: '**', italic: '*' } as const;
const before = { quote: () => '> ', list: () => '- ', numbers: (at: number) => `${at + 1}. ` } as const;
const prefixes = { quote: /^> ?/, list: /^- /, numbers: /^\d+\. / } as const;

/** Formats what is selected, or takes the format away where it has it. */
export function formatted(format: Format, { text, start, end }: Selected): Replacement {
  if (format === 'bold' || format === 'italic') return wrapped(around[format], { text, start, end });
  if (format === 'code') {
    const isBlock = text.slice(start, end).includes('\n');
    if (!isBlock) return wrapped('`', { text, start, end });
    const block = `\`\`\`\n${text.slice(start, end)}\n\`\`\``;
    return { start, end, text: block, select: [start + 4, end + 4] };
  }
  if (format === 'link') return linked({ text, start, end });
  return lines(format, { text, start, end });
}

function wrapped(mark: string, { text, start, end }: Selected): Replacement {
  const { length } = mark;
  const inner = text.slice(start, end);
  // Two asterisks are bold, three are both.
  const marks = Math.min(
    /\**$/.exec(text.slice(0, start))?.[0].length ?? 0,
    /^\**/.exec(text.slice(end))?.[0].length ?? 0,
  );
  const isAround =
    mark === '`' ? text[start - 1] === mark && text[end] === mark : marks === length || marks === 3;
  if (isAround)
    return { start: start - length, end: end + length, text: inner, select: [start - length, end - length] };
  return { start, end, text: mark + inner + mark, select: [start + length, end + length] };
}

function linked({ text, start, end }: Selected): Replacement {
  const inner = text.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/.test(inner);
  const label = isAddress ? '' : inner;
  const address = isAddress ? inner : 'https://';
  const from = start + label.length + 3;
  const select: [number, number] = isAddress ? [start + 1, start + 1] : [from, from + address.length];
  return { start, end, text: `[${label}](${address})`, select };
}

function lines(format: 'quote' | 'list' | 'numbers', { text, start, end }: Selected): Replacement {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next === -1 ? text.length : next;
  const all = text.slice(from, to).split('\n');
  const prefix = prefixes[format];
  const has = all.every((line) => prefix.test(line));
  const changed = all.map((line, at) => (has ? line.replace(prefix, '') : before[format](at) + line));
  const result = changed.join('\n');
  const select: [number, number] =
    start === end ? [from + result.length, from + result.length] : [from, from + result.length];
  return { start: from, end: to, text: result, select };
}
