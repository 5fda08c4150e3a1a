/**
 * Converts the html of a comment to Markdown. The html is read as a browser reads it (htmlparser2: misnested, unclosed
 * and unknown tags are not errors). Paragraphs, line breaks, headings, bold, italics, strike-through, links, lists, boxes
 * of tasks, quotations, code, rules, tables, folded blocks and some other tags are kept; any other tag is dropped and its text kept. A picture becomes a link to
 * it, so that reading a comment never loads anything from a third-party server. The renderer of entries shows every
 * line break, so each one is written as a line break.
 */
import { Parser } from 'htmlparser2';
import { type Block, indent, joinBlocks, joinTable, quote } from './markdown-blocks.ts';
import { codeBlock, linkAddress } from './markdown-escape.ts';
import { type InlineStyle, InlineText, type Link, type Tag } from './markdown-inline.ts';

/**
 * What a line feed in the text means: white space as in html, or the end of a line, with an empty line between
 * paragraphs, as WordPress stores comments (its function `wpautop` adds the tags when a page is shown).
 */
export type LineFeeds = 'space' | 'break';

/** The deepest nesting of lists, items and quotations; deeper content stays as text. No reader follows 12 levels. */
const nestingMax = 12;

const strongTags = new Set(['b', 'strong']);
const emphasisTags = new Set(['em', 'i', 'cite', 'dfn', 'var']);
const strikeTags = new Set(['del', 's', 'strike']);
const codeTags = new Set(['code', 'samp', 'tt']);
/** What is written as a tag, because Markdown has no marks for it. */
const keptTags = new Set(['ins', 'kbd', 'mark', 'sub', 'sup']);
const silentTags = new Set([
  'script',
  'style',
  'template',
  'iframe',
  'object',
  'noscript',
  'textarea',
  'select',
  'title',
]);
const containerTags = new Set([
  'blockquote',
  'details',
  'summary',
  'ul',
  'ol',
  'li',
  'table',
  'tr',
  'td',
  'th',
]);
const blockTags = new Set(
  'address article aside center caption dd div dl dt fieldset figcaption figure footer form header main nav p section tbody tfoot thead'.split(
    ' ',
  ),
);
const headingTag = /^h([1-6])$/;
/** What has the text of one line. */
const oneLineTags = new Set(['summary', 'td', 'th']);

interface Container {
  readonly tag: string;
  readonly start: number;
  readonly blocks: Block[];
}

/** The Markdown of `html`, without leading and trailing white space; empty if nothing in it can be read. */
export function htmlToMarkdown(html: string, options: { readonly lineFeeds: LineFeeds }): string {
  const writer = new MarkdownWriter(options.lineFeeds);
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    ontext: (text) => writer.addText(text),
    onclosetag: (name) => writer.close(name),
  });
  parser.end(html);
  return writer.finish();
}

/** The Markdown of the html of a comment. Html without tags was typed as plain text, in which line feeds count. */
export function commentToMarkdown(html: string): string {
  const hasLayout = /<(?:p|br|div|blockquote|ul|ol|pre)\b/i.test(html);
  return htmlToMarkdown(html, { lineFeeds: hasLayout ? 'space' : 'break' });
}

/** The text of `html` in one line, without tags and with entities decoded, for names and titles. */
export function htmlToLine(html: string): string {
  const pieces: string[] = [];
  new Parser({ ontext: (text) => pieces.push(text) }).end(html);
  return pieces.join('').replace(/\s+/g, ' ').trim();
}

/** Takes the parser's events, which are properly nested. */
class MarkdownWriter {
  readonly #lineFeeds: LineFeeds;
  readonly #root: Container = { tag: '', start: 1, blocks: [] };
  readonly #containers: Container[] = [this.#root];
  /** For each open container tag, whether it created a container or is too deep. */
  readonly #entered: boolean[] = [];
  readonly #inline = new InlineText();
  readonly #links: (Link | undefined)[] = [];
  readonly #tags: Tag[] = [];
  readonly #depths = { strong: 0, emphasis: 0, strike: 0, code: 0, silent: 0 };
  #heading = 0;
  #pendingText = '';
  /** Text and language of the open `pre` or `code`. */
  #code: { text: string; language: string; isBlock: boolean } | undefined;
  #followsBreakTag = false;

  constructor(lineFeeds: LineFeeds) {
    this.#lineFeeds = lineFeeds;
  }

  addText(text: string): void {
    if (this.#depths.silent === 0) this.#pendingText += text;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#drainText();
    if (silentTags.has(name)) this.#depths.silent++;
    if (this.#depths.silent > 0) return;
    if (this.#code !== undefined) {
      if (name === 'br') this.#code.text += '\n';
      if (name === 'code') this.#code.language = codeLanguage(attributes.class);
      if (codeTags.has(name)) this.#depths.code++;
      return;
    }
    if (name === 'pre' || codeTags.has(name)) this.#openCode(name);
    else if (name === 'a') {
      const address = linkAddress(attributes.href ?? '');
      this.#links.push(address === undefined ? undefined : { address });
    } else if (name === 'img') this.#addPicture(attributes);
    else if (name === 'br') this.#inline.addBreak(this.#style());
    else if (name === 'q') this.#inline.addText('“', this.#style());
    else if (name === 'input') this.#addBox(attributes);
    else if (keptTags.has(name)) this.#tags.push({ name });
    else if (name === 'hr') this.#addBlock({ text: '***', kind: 'other' });
    else if (containerTags.has(name)) this.#openContainer(name, attributes);
    else if (blockTags.has(name)) this.#flush();
    else if (headingTag.test(name)) {
      this.#flush();
      this.#heading = Number(name[1]);
    } else this.#countStyle(name, 1);
    this.#followsBreakTag = name === 'br';
  }

  close(name: string): void {
    this.#drainText();
    if (silentTags.has(name)) this.#depths.silent--;
    if (this.#depths.silent > 0 || silentTags.has(name)) return;
    if (this.#code !== undefined) {
      if (codeTags.has(name)) this.#depths.code--;
      if (name === 'pre' ? this.#code.isBlock : this.#depths.code === 0 && !this.#code.isBlock)
        this.#closeCode();
      return;
    }
    if (name === 'a') this.#links.pop();
    else if (name === 'q') this.#inline.addText('”', this.#style());
    else if (keptTags.has(name)) this.#tags.pop();
    else if (containerTags.has(name)) this.#closeContainer();
    else if (blockTags.has(name)) this.#flush();
    else if (headingTag.test(name)) {
      this.#flush();
      this.#heading = 0;
    } else this.#countStyle(name, -1);
  }

  finish(): string {
    this.#drainText();
    if (this.#code !== undefined) this.#closeCode();
    while (this.#containers.length > 1) this.#closeContainer();
    this.#flush();
    return joinBlocks(this.#root.blocks).trim();
  }

  #style(): InlineStyle {
    return {
      isStrong: this.#depths.strong > 0,
      isEmphasised: this.#depths.emphasis > 0,
      isStruck: this.#depths.strike > 0,
      link: this.#links.at(-1),
      tag: this.#tags.at(-1),
    };
  }

  #countStyle(name: string, step: 1 | -1): void {
    if (strongTags.has(name)) this.#depths.strong += step;
    else if (emphasisTags.has(name)) this.#depths.emphasis += step;
    else if (strikeTags.has(name)) this.#depths.strike += step;
  }

  #drainText(): void {
    let text = this.#pendingText.replace(/\r\n?/g, '\n');
    this.#pendingText = '';
    if (text === '') return;
    if (this.#code !== undefined) {
      this.#code.text += text;
      return;
    }
    // wpautop reads `<br />` and the line feed after it as one line end.
    if (this.#followsBreakTag) text = text.replace(/^[ \t]*\n/, '');
    this.#followsBreakTag = false;
    if (this.#lineFeeds === 'space') {
      this.#inline.addText(text, this.#style());
      return;
    }
    text.split(/(?<![ \t])[ \t]*\n\s*\n/).forEach((paragraph, index) => {
      if (index > 0) this.#flush();
      paragraph.split('\n').forEach((line, lineIndex) => {
        if (lineIndex > 0) this.#inline.addBreak(this.#style());
        this.#inline.addText(line, this.#style());
      });
    });
  }

  #addPicture(attributes: Readonly<Record<string, string>>): void {
    const address = linkAddress(attributes.src ?? '');
    const label = attributes.alt?.trim() || address?.replace(/^.*\/(?=.)/, '').replace(/[?#].*$/, '');
    if (label === undefined || label === '') return;
    const style = this.#style();
    const link = style.link ?? (address === undefined ? undefined : { address });
    this.#inline.addText(label, { ...style, link });
  }

  /** The box of a task, where an item of a list begins with it. */
  #addBox({ type, checked }: Readonly<Record<string, string>>): void {
    const { tag, blocks } = this.#containers.at(-1) ?? this.#root;
    if (type?.toLowerCase() === 'checkbox' && tag === 'li' && blocks.length === 0 && this.#inline.isBlank())
      this.#inline.addBox(checked !== undefined);
  }

  #openCode(name: string): void {
    if (name === 'pre') this.#flush();
    else this.#depths.code++;
    this.#code = { text: '', language: '', isBlock: name === 'pre' };
  }

  #closeCode(): void {
    const code = this.#code;
    this.#code = undefined;
    this.#depths.code = 0;
    if (code === undefined) return;
    // Where a line feed ends a line, code with several lines must be a block.
    const isBlock = code.isBlock || (this.#lineFeeds === 'break' && code.text.trim().includes('\n'));
    const text = code.text.replace(/^[ \t]*\n/, '').trimEnd();
    if (!isBlock) this.#inline.addCode(code.text, this.#style());
    else if (text !== '') this.#addBlock({ text: codeBlock(text, code.language), kind: 'other' });
  }

  /** Ends the paragraph or heading. */
  #flush(): void {
    const container = this.#containers.at(-1) ?? this.#root;
    const isOneLine = this.#heading > 0 || oneLineTags.has(container.tag);
    for (const paragraph of this.#inline.takeParagraphs(isOneLine ? ' ' : '\n')) {
      // Number signs at the end of a heading would be read as its closing sequence.
      const text =
        this.#heading > 0
          ? `${'#'.repeat(this.#heading)} ${paragraph.replace(/(?<!#)#+$/, '\\$&')}`
          : paragraph;
      this.#push({ text, kind: this.#heading > 0 ? 'other' : 'paragraph' });
    }
  }

  #addBlock(block: Block): void {
    this.#flush();
    this.#push(block);
  }

  /** Text between the rows of a table moves in front of it, as in a browser. */
  #push(block: Block): void {
    const home = this.#containers.findLast(({ tag }) => tag !== 'table' && tag !== 'tr') ?? this.#root;
    home.blocks.push(block);
  }

  #openContainer(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.#flush();
    const isEntered = this.#containers.length <= nestingMax;
    this.#entered.push(isEntered);
    const start = /^[0-9]{1,9}$/.test(attributes.start ?? '') ? Number(attributes.start) : 1;
    if (isEntered) this.#containers.push({ tag, start, blocks: [] });
  }

  #closeContainer(): void {
    this.#flush();
    if (this.#entered.pop() === false) return;
    const container = this.#containers.pop();
    const parent = this.#containers.at(-1);
    if (container === undefined || parent === undefined || container.blocks.length === 0) return;
    const { tag, blocks, start } = container;
    if (tag === 'summary') parent.blocks.push(summaryBlock(blocks));
    else if (tag === 'details') this.#push({ text: this.#detailsText(blocks), kind: 'other' });
    else if (tag === 'blockquote') this.#push({ text: quote(joinBlocks(blocks)), kind: 'other' });
    else if (tag === 'table') this.#push({ text: joinTable(blocks), kind: 'other' });
    else if (tag === 'tr')
      parent.blocks.push({ text: '', kind: 'row', cells: blocks.map(({ text }) => text) });
    else if (tag === 'ul' || tag === 'ol') this.#pushList(blocks, tag === 'ol' ? start : undefined);
    else if (tag === 'li' && parent.tag !== 'ul' && parent.tag !== 'ol')
      this.#pushList([{ text: joinBlocks(blocks), kind: 'other' }], undefined);
    else parent.blocks.push({ text: joinBlocks(blocks, { isTight: tag === 'li' }), kind: 'other' });
  }

  /** Folded blocks. A cell of a table has no room for their lines. */
  #detailsText(blocks: readonly Block[]): string {
    if (this.#containers.some(({ tag }) => tag === 'table')) return joinBlocks(blocks);
    const [first, ...rest] = blocks;
    const isTitled = first?.kind === 'summary';
    const title = isTitled ? `\n<summary>${first.text}</summary>` : '';
    return `<details>${title}\n\n${joinBlocks(isTitled ? rest : blocks)}\n\n</details>`;
  }

  /**
   * A list without `start` has bullets. A list directly after another uses another marker, so that they stay separate.
   */
  #pushList(items: readonly Block[], start: number | undefined): void {
    const home = this.#containers.at(-1) ?? this.#root;
    const before = home.blocks.at(-1)?.marker;
    const marker = start === undefined ? (before === '-' ? '+' : '-') : before === '.' ? ')' : '.';
    const lines = items.map((item, index) =>
      indent(item.text, start === undefined ? `${marker} ` : `${start + index}${marker} `),
    );
    this.#push({
      text: lines.join('\n'),
      kind: start === undefined || start === 1 ? 'list' : 'other',
      marker,
    });
  }
}

function codeLanguage(className: string | undefined): string {
  return (
    /(?:^|\s)lang(?:uage)?-([A-Za-z0-9][\w+#.-]{0,31})(?:\s|$)/.exec(className ?? '')?.[1]?.toLowerCase() ??
    ''
  );
}

/** The title of folded blocks, in one line. */
function summaryBlock(blocks: readonly Block[]): Block {
  return { text: blocks.map(({ text }) => text.replace(/\s+/g, ' ')).join(' '), kind: 'summary' };
}
