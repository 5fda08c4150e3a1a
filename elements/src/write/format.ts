/** Markdown, as the buttons of the toolbar write it. */

/** What a button does to a text. */
export type Format = 'bold' | 'italic' | 'strike' | 'code' | 'block' | 'link' | 'quote' | 'list' | 'numbers';

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
const around = { bold: '**', italic: '*', strike: '~~' } as const;
const before = { quote: () => '> ', list: () => '- ', numbers: (at: number) => `${at + 1}. ` } as const;
const prefixes = { quote: /^> ?/, list: /^- /, numbers: /^\d+\. / } as const;

/** Formats what is selected, or takes the format away where it has it. */
export function formatted(format: Format, { text, start, end }: Selected): Replacement {
  if (format === 'bold' || format === 'italic' || format === 'strike')
    return wrapped(around[format], { text, start, end });
  if (format === 'block' || (format === 'code' && text.slice(start, end).includes('\n')))
    return fenced({ text, start, end });
  if (format === 'code') return wrapped('`', { text, start, end });
  if (format === 'link') return linked({ text, start, end });
  return lines(format, { text, start, end });
}

/** The fences of a block stand in lines of their own. */
function fenced({ text, start, end }: Selected): Replacement {
  const inner = text.slice(start, end);
  const head = `${/[^\n]$/.test(text.slice(0, start)) ? '\n' : ''}\`\`\`\n`;
  const tail = `\n\`\`\`${/^[^\n]/.test(text.slice(end)) ? '\n' : ''}`;
  const from = start + head.length;
  return { start, end, text: head + inner + tail, select: [from, from + inner.length] };
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
    mark[0] === '*'
      ? marks === length || marks === 3
      : text.slice(0, start).endsWith(mark) && text.startsWith(mark, end);
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
