import { type Block, indent, joinBlocks, joinTable, quote } from './markdown-blocks.ts';

/** The deepest nesting of lists, items and quotations; deeper content stays as text. No reader follows 12 levels. */
const nestingMax = 12;

/** A list, an item, a quotation, a table or a folded block with the finished blocks in it. */
interface Container {
  readonly tag: string;
  readonly start: number;
  readonly blocks: Block[];
}

/** The open containers, the outermost of which is the whole text. */
export class MarkdownContainers {
  readonly #root: Container = { tag: '', start: 1, blocks: [] };
  readonly #open: Container[] = [this.#root];
  /** For each open container tag, whether it created a container or is too deep. */
  readonly #entered: boolean[] = [];

  /** The container that text is in. */
  get innermost(): Pick<Container, 'tag' | 'blocks'> {
    return this.#open.at(-1) ?? this.#root;
  }

  /** Closes what is open; returns the whole text. */
  finish(): string {
    while (this.#open.length > 1) this.close();
    return joinBlocks(this.#root.blocks);
  }

  /** Text between the rows of a table moves in front of it, as in a browser. */
  push(block: Block): void {
    const home = this.#open.findLast(({ tag }) => tag !== 'table' && tag !== 'tr') ?? this.#root;
    home.blocks.push(block);
  }

  /** Opens a container; one that is too deep stays text of the one around it. */
  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    const isEntered = this.#open.length <= nestingMax;
    this.#entered.push(isEntered);
    const start = /^[0-9]{1,9}$/.test(attributes.start ?? '') ? Number(attributes.start) : 1;
    if (isEntered) this.#open.push({ tag, start, blocks: [] });
  }

  /** Closes the innermost container, whose blocks become one of the one around it. */
  close(): void {
    if (this.#entered.pop() === false) return;
    const container = this.#open.pop();
    const parent = this.#open.at(-1);
    if (container === undefined || parent === undefined || container.blocks.length === 0) return;
    const { tag, blocks, start } = container;
    if (tag === 'summary') parent.blocks.push(summaryBlock(blocks));
    else if (tag === 'details') this.push({ text: this.#detailsText(blocks), kind: 'other' });
    else if (tag === 'blockquote') this.push({ text: quote(joinBlocks(blocks)), kind: 'other' });
    else if (tag === 'table') this.push({ text: joinTable(blocks), kind: 'other' });
    else if (tag === 'tr')
      parent.blocks.push({ text: '', kind: 'row', cells: blocks.map(({ text }) => text) });
    else if (tag === 'ul' || tag === 'ol') this.#pushList(blocks, tag === 'ol' ? start : undefined);
    else if (tag === 'li' && parent.tag !== 'ul' && parent.tag !== 'ol')
      this.#pushList([{ text: joinBlocks(blocks), kind: 'other' }], undefined);
    else parent.blocks.push({ text: joinBlocks(blocks, { isTight: tag === 'li' }), kind: 'other' });
  }

  /** Folded blocks. A cell of a table has no room for their lines. */
  #detailsText(blocks: readonly Block[]): string {
    if (this.#open.some(({ tag }) => tag === 'table')) return joinBlocks(blocks);
    const [first, ...rest] = blocks;
    const isTitled = first?.kind === 'summary';
    const title = isTitled ? `\n<summary>${first.text}</summary>` : '';
    return `<details>${title}\n\n${joinBlocks(isTitled ? rest : blocks)}\n\n</details>`;
  }

  /**
   * A list without `start` has bullets. A list directly after another uses another marker, so that they stay separate.
   */
  #pushList(items: readonly Block[], start: number | undefined): void {
    const home = this.#open.at(-1) ?? this.#root;
    const before = home.blocks.at(-1)?.marker;
    const marker = start === undefined ? (before === '-' ? '+' : '-') : before === '.' ? ')' : '.';
    const lines = items.map((item, index) =>
      indent(item.text, start === undefined ? `${marker} ` : `${start + index}${marker} `),
    );
    this.push({
      text: lines.join('\n'),
      kind: start === undefined || start === 1 ? 'list' : 'other',
      marker,
    });
  }
}

/** The title of folded blocks, in one line. */
function summaryBlock(blocks: readonly Block[]): Block {
  return { text: blocks.map(({ text }) => text.replace(/\s+/g, ' ')).join(' '), kind: 'summary' };
}
