/** Combines finished blocks of Markdown: one below the other, in a quotation, a list item or a table. */

/** One finished block. */
export interface Block {
  readonly text: string;
  readonly kind: 'paragraph' | 'list' | 'row' | 'summary' | 'other';
  /** The list marker's letter, for a list. */
  readonly marker?: string;
  /** For a row of a table, whose `text` is empty. */
  readonly cells?: readonly string[];
}

/** The blocks with an empty line between them; in a tight item a list follows its paragraph directly. */
export function joinBlocks(blocks: readonly Block[], options: { readonly isTight?: boolean } = {}): string {
  let text = '';
  let before: Block | undefined;
  for (const block of blocks) {
    const isTight = options.isTight === true && before?.kind === 'paragraph' && block.kind === 'list';
    text += before === undefined ? block.text : (isTight ? '\n' : '\n\n') + block.text;
    before = block;
  }
  return text;
}

/** The text as a quotation. */
export function quote(text: string): string {
  return text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

/** The text as a list item: `marker` with its space in front, every other line indented below the first. */
export function indent(text: string, marker: string): string {
  return marker + text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(marker.length)}`);
}

/** Rows as a table. The first row is its head, because Markdown requires one; shorter rows are filled. */
export function joinTable(blocks: readonly Block[]): string {
  const rows = blocks.map(({ cells, text }) => (cells ?? [text]).map(cellText));
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, index) => cells[index] ?? '').join(' | ')} |`;
  const rule = `|${' --- |'.repeat(columns)}`;
  const [head = [], ...body] = rows;
  return [line(head), rule, ...body.map(line)].join('\n');
}

/** A cell is one line, and a bar in it is escaped even within code (GFM, section 4.10). */
function cellText(text: string): string {
  return text.replace(/(?<!\s)\s*\n\s*/g, ' ').replace(/(?<!\\)\|/g, '\\|');
}
