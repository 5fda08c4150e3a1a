/**
 * One paragraph of styled text, written as Markdown that CommonMark reads back as the same text with the same styles.
 *
 * A paragraph is a sequence of atoms (a word, a piece of code, white space, a line break), each with its styles. Styles
 * are written around the atoms that have them, not where the source opened them, which moves white space out of `**…**`
 * and joins neighbours. A style that CommonMark's flanking rules (0.31, section 6.2) would not recognise at its place
 * is dropped and its text kept. Beside Chinese, Japanese and Korean the rules are those of the renderer, which needs no
 * space there.
 */
import { codeSpan, escapeWord, linkAddress, protectLineStarts } from './markdown-escape.ts';

/** A link; neighbouring atoms that share the object are in the same link. */
export interface Link {
  /** As `linkAddress` returns it. */
  readonly address: string;
}

/** An element that Markdown has no marks for; neighbouring atoms that share the object are in the same element. */
export interface Tag {
  readonly name: string;
}

/** The styles of one atom. */
export interface InlineStyle {
  readonly tag: Tag | undefined;
  readonly isStrong: boolean;
  readonly isEmphasised: boolean;
  readonly isStruck: boolean;
  readonly link: Link | undefined;
}

interface Atom {
  readonly kind: 'word' | 'code' | 'address' | 'box' | 'space' | 'break';
  readonly raw: string;
  readonly style: InlineStyle;
}

/** One style around the atoms `from` to `to`, inclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly link: Link | undefined;
  readonly tag: Tag | undefined;
  /** Of a style; `<` of a tag, beside which it counts as other punctuation. */
  readonly marker: string;
}

const plain: InlineStyle = {
  isStrong: false,
  isEmphasised: false,
  isStruck: false,
  link: undefined,
  tag: undefined,
};

/** A longer address in running text stays text, as in the renderer. */
const addressCharactersMax = 2048;

// `trimAddress` cuts off the punctuation of the sentence.
const addressInText = /https?:\/\/[^\s<>"\\`|^{}[\]]+/gi;

/** Collects inline content until it is taken as paragraphs. */
export class InlineText {
  #atoms: Atom[] = [];

  /** Adds running text; all white space counts the same. */
  addText(text: string, style: InlineStyle): void {
    for (const part of text.split(/(\s+)/)) {
      if (part === '') continue;
      if (part.trim() === '') this.#atoms.push({ kind: 'space', raw: ' ', style });
      else this.#addWord(part, style);
    }
  }

  /** Adds one line of text that is written unchanged. */
  addCode(code: string, style: InlineStyle): void {
    const last = this.#atoms.at(-1);
    // Two code spans side by side would be read as one with odd backticks.
    if (last?.kind === 'code' && isSameStyle(last.style, style)) {
      this.#atoms[this.#atoms.length - 1] = { kind: 'code', raw: last.raw + code, style };
    } else if (code.trim() !== '') this.#atoms.push({ kind: 'code', raw: code, style });
  }

  /** Adds the box of a task, which begins a paragraph. */
  addBox(isDone: boolean): void {
    this.#atoms.push({ kind: 'box', raw: isDone ? '[x]' : '[ ]', style: plain });
    this.#atoms.push({ kind: 'space', raw: ' ', style: plain });
  }

  /** Ends the line; two line ends in a row end the paragraph. */
  addBreak(style: InlineStyle): void {
    this.#atoms.push({ kind: 'break', raw: '\n', style });
  }

  /** Whether only white space was added. */
  isBlank(): boolean {
    return this.#atoms.every(isBlankAtom);
  }

  /** Takes the paragraphs so far, none of them empty, with `lineBreak` between lines; the collection is then empty. */
  takeParagraphs(lineBreak: string): string[] {
    const paragraphs = splitParagraphs(this.#atoms).map((atoms) => writeParagraph(atoms, lineBreak));
    this.#atoms = [];
    return paragraphs;
  }

  #addWord(word: string, style: InlineStyle): void {
    let start = 0;
    for (const match of style.link === undefined ? word.matchAll(addressInText) : []) {
      const shown = match[0].length > addressCharactersMax ? '' : trimAddress(match[0]);
      const address = linkAddress(shown);
      if (address === undefined) continue;
      if (match.index > start) this.#atoms.push({ kind: 'word', raw: word.slice(start, match.index), style });
      this.#atoms.push({ kind: 'word', raw: shown, style: { ...style, link: { address } } });
      start = match.index + shown.length;
    }
    if (start < word.length) this.#atoms.push({ kind: 'word', raw: word.slice(start), style });
  }
}

/** The address without the punctuation of the sentence around it. */
function trimAddress(text: string): string {
  let address = text;
  for (;;) {
    const last = address.at(-1) ?? '';
    const isUnopened = last === ')' && address.split(')').length > address.split('(').length;
    if (!isUnopened && !/[.,;:!?'*_~\]}”’»…]/.test(last)) return address;
    address = address.slice(0, -1);
  }
}

function isBlankAtom(atom: Atom): boolean {
  return atom.kind === 'space' || atom.kind === 'break';
}

function isSameStyle(a: InlineStyle, b: InlineStyle): boolean {
  return (
    a.isStrong === b.isStrong &&
    a.isEmphasised === b.isEmphasised &&
    a.isStruck === b.isStruck &&
    a.link === b.link &&
    a.tag === b.tag
  );
}

/**
 * Splits at two breaks in a row and normalises white space: none at the edges and around a break, one space elsewhere.
 */
function splitParagraphs(atoms: readonly Atom[]): Atom[][] {
  const paragraphs: Atom[][] = [];
  let current: Atom[] = [];
  let blank: Atom[] = [];
  for (const atom of atoms) {
    if (isBlankAtom(atom)) {
      blank.push(atom);
      continue;
    }
    const breaks = blank.filter((each) => each.kind === 'break');
    const last = current.at(-1);
    if (last !== undefined && breaks.length >= 2) {
      paragraphs.push(current);
      current = [];
    } else if (last !== undefined) {
      const between = breaks[0] ?? blank[0];
      if (between !== undefined) current.push({ ...between, style: sharedStyle(last.style, atom.style) });
    }
    current.push(atom);
    blank = [];
  }
  if (current.length > 0) paragraphs.push(current);
  return paragraphs;
}

function sharedStyle(a: InlineStyle, b: InlineStyle): InlineStyle {
  return {
    isStrong: a.isStrong && b.isStrong,
    isEmphasised: a.isEmphasised && b.isEmphasised,
    isStruck: a.isStruck && b.isStruck,
    link: a.link === b.link ? a.link : undefined,
    tag: a.tag === b.tag ? a.tag : undefined,
  };
}

function writeParagraph(styled: readonly Atom[], lineBreak: string): string {
  const atoms = styled.map((atom, index) => bareAddress(atom, styled[index - 1], styled[index + 1]));
  const spans = writableSpans(atoms);
  const opening = new Map<number, string>();
  const closing = new Map<number, string>();
  // Outer spans come first: at a shared place they start before and end after the inner ones.
  for (const span of spans) {
    const [open, close] = marksOf(span);
    opening.set(span.from, (opening.get(span.from) ?? '') + open);
    closing.set(span.to, close + (closing.get(span.to) ?? ''));
  }
  let text = '';
  for (const [index, atom] of atoms.entries()) {
    const open = opening.get(index) ?? '';
    // An exclamation mark in front of a link would make it a picture.
    if (open.startsWith('[') && text.endsWith('!')) text = `${text.slice(0, -1)}\\!`;
    const written = atom.kind === 'break' ? lineBreak : writeAtom(atom, atoms[index - 1], atoms[index + 1]);
    text += open + written + (closing.get(index) ?? '');
  }
  return protectLineStarts(text);
}

function marksOf({ link, tag, marker }: Span): [string, string] {
  if (link !== undefined) return ['[', `](${link.address})`];
  return tag === undefined ? [marker, marker] : [`<${tag.name}>`, `</${tag.name}>`];
}

/** A link whose text is its whole address becomes that bare address, which is easier to read. */
function bareAddress(atom: Atom, before: Atom | undefined, after: Atom | undefined): Atom {
  if (atom.raw !== atom.style.link?.address || !isWholeLink(atom, before, after)) return atom;
  return { kind: 'address', raw: atom.raw, style: { ...atom.style, link: undefined } };
}

function isWholeLink({ style }: Atom, before: Atom | undefined, after: Atom | undefined): boolean {
  return before?.style.link !== style.link && after?.style.link !== style.link;
}

function writeAtom(atom: Atom, before: Atom | undefined, after: Atom | undefined): string {
  if (atom.kind === 'code') return codeSpan(atom.raw);
  if (atom.kind === 'box') return atom.raw;
  if (atom.kind === 'address') return `<${atom.raw}>`;
  if (atom.kind === 'space') return ' ';
  const word = escapeWord(atom.raw);
  // The renderer also finds bare addresses in the text of a link. One with brackets would swallow those of the link; an
  // escaped colon keeps it from being an address.
  const isSafe = atom.style.link === undefined || (isWholeLink(atom, before, after) && !/[[\]()]/.test(word));
  return isSafe ? word : word.replaceAll('://', '\\://');
}

/** The spans that will be read back correctly, outer before inner. */
function writableSpans(atoms: readonly Atom[]): Span[] {
  const spans = nestedSpans([
    ...spansOf(atoms, (style) => style.link, '['),
    ...spansOf(atoms, (style) => style.tag, '<'),
    ...spansOf(atoms, (style) => style.isStruck || undefined, '~~'),
    ...spansOf(atoms, (style) => style.isStrong || undefined, '**'),
    ...spansOf(atoms, (style) => style.isEmphasised || undefined, '*'),
  ]);
  const starting = Map.groupBy(spans, (span) => span.from);
  const ending = Map.groupBy(spans, (span) => span.to);
  return spans.filter(
    (span) =>
      span.link !== undefined ||
      span.tag !== undefined ||
      isFlanked(atoms, span, {
        starting: starting.get(span.from) ?? [],
        ending: ending.get(span.to) ?? [],
        isBare: { before: !ending.has(span.from - 1), after: !starting.has(span.to + 1) },
      }),
  );
}

/** The spans that cross no other, outer before inner. Of a link and a style that cross, the link stays. */
function nestedSpans(spans: Span[]): Span[] {
  const kept = new Set<Span>();
  const open: Span[] = [];
  // The sort is stable, so links stay before marks at the same place.
  for (const span of spans.sort((a, b) => a.from - b.from || b.to - a.to)) {
    while ((open.at(-1)?.to ?? span.from) < span.from) open.pop();
    let around = open.at(-1);
    while (span.link !== undefined && around !== undefined && around.to < span.to) {
      kept.delete(around);
      open.pop();
      around = open.at(-1);
    }
    if (around !== undefined && around.to < span.to) continue;
    kept.add(span);
    open.push(span);
  }
  return [...kept];
}

function spansOf(
  atoms: readonly Atom[],
  styleOf: (style: InlineStyle) => Link | Tag | true | undefined,
  marker: string,
): Span[] {
  const spans: Span[] = [];
  for (let from = 0; from < atoms.length; from++) {
    const value = styleOf(atoms[from]?.style ?? plain);
    if (value === undefined) continue;
    let to = from;
    while (styleOf(atoms[to + 1]?.style ?? plain) === value) to++;
    const link = value !== true && 'address' in value ? value : undefined;
    const tag = value !== true && 'name' in value ? value : undefined;
    spans.push({ from, to, link, tag, marker });
    from = to;
  }
  return spans;
}

/** The spans that share an edge with a span, the outer first, and whether nothing ends before or starts after it. */
interface Edges {
  readonly starting: readonly Span[];
  readonly ending: readonly Span[];
  readonly isBare: { readonly before: boolean; readonly after: boolean };
}

/**
 * Whether the markers of `span` open and close at their places. A marker with a word on its inside always does. With
 * punctuation on its inside, it needs white space or the bracket of a link outside, or a Chinese, Japanese or Korean
 * character on one side. Punctuation on both sides would be enough for one marker, but several could then pair in the
 * wrong order. Markers of another letter at the same place count as punctuation. A marker between two words, or beside
 * such a character, can both open and close. Inside another span of its letter it might close that span, depending on
 * the length of a run that may be shared, so there it does not open.
 */
function isFlanked(atoms: readonly Atom[], span: Span, { starting, ending, isBare }: Edges): boolean {
  const { from, to, marker } = span;
  const [before, first, last, after] = [atoms[from - 1], atoms[from], atoms[to], atoms[to + 1]];
  const isOther = (each: Span): boolean => each.link === undefined && each.marker[0] !== marker[0];
  const isOuter = (each: Span): boolean => starting.indexOf(each) < starting.indexOf(span);
  const startsInLink = starting.some((each) => each.link !== undefined && each.to >= to);
  const endsInLink = ending.some((each) => each.link !== undefined && each.from <= from);
  const startsInOther = starting.some((each) => isOuter(each) && isOther(each));
  const startsBeforeMark = starting.some(
    (each) => !isOuter(each) && (isOther(each) || each.link !== undefined),
  );
  // An end tag outside is punctuation, which lets a marker close.
  const isOutsideTag = (each: Span): boolean =>
    each.tag !== undefined && ending.indexOf(each) < ending.indexOf(span);
  const endsBesideMark = ending.some(
    (each) => (isOther(each) && !isOutsideTag(each)) || each.link !== undefined,
  );
  const mayClose = isWordEdge(before, 'end') || isCjkEdge(before, 'end') || isCjkEdge(first, 'start');
  const opens =
    startsInLink ||
    (isBlankEdge(before) && !startsInOther) ||
    ((((isWordEdge(first, 'start') || isCjkEdge(first, 'start')) && !startsBeforeMark) ||
      (isCjkEdge(before, 'end') && isBare.before && !startsInOther)) &&
      !(mayClose && sharesAsterisks(before, first)));
  const closes =
    endsInLink ||
    isBlankEdge(after) ||
    ((isWordEdge(last, 'end') || isCjkEdge(last, 'end') || (isCjkEdge(after, 'start') && isBare.after)) &&
      !endsBesideMark);
  return opens && closes;
}

/** Whether one span of asterisks contains both neighbours. */
function sharesAsterisks(a: Atom | undefined, b: Atom | undefined): boolean {
  const { isStrong, isEmphasised } = sharedStyle(a?.style ?? plain, b?.style ?? plain);
  return isStrong || isEmphasised;
}

function isBlankEdge(atom: Atom | undefined): boolean {
  return atom === undefined || isBlankAtom(atom);
}

/** Whether the atom begins or ends with a character that is neither white space nor punctuation. */
function isWordEdge(atom: Atom | undefined, edge: 'start' | 'end'): boolean {
  if (atom?.kind !== 'word') return false;
  return edge === 'start' ? /^[^\p{P}\p{S}]/u.test(atom.raw) : wordEnd.test(atom.raw);
}
// A variation selector belongs to the character in front of it.
const wordEnd = /[^\p{P}\p{S}\p{VS}]\p{VS}?$|\ufe0f$/u;

/** Whether the atom begins or ends with a letter or punctuation of Chinese, Japanese or Korean. */
function isCjkEdge(atom: Atom | undefined, edge: 'start' | 'end'): boolean {
  return atom?.kind === 'word' && (edge === 'start' ? cjkStart : cjkEnd).test(atom.raw);
}
const cjk = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\u3001-\u303e\uff01-\uff60`;
const cjkStart = new RegExp(`^[${cjk}]`, 'u');
const cjkEnd = new RegExp(String.raw`[${cjk}][\ufe00-\ufe0e\u{e0100}-\u{e01ef}]?$`, 'u');
