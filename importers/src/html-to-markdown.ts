/**
 * Converts the html of a comment to Markdown. The html is read as a browser reads it (htmlparser2: misnested, unclosed
 * and unknown tags are not errors). Paragraphs, line breaks, headings, bold, italics, strike-through, links, lists, boxes
 * of tasks, quotations, code, rules, tables, folded blocks and some other tags are kept; any other tag is dropped and its text kept. A picture becomes a link to
 * it, so that reading a comment never loads anything from a third-party server. The renderer of entries shows every
 * line break, so each one is written as a line break.
 */
import { Parser } from 'htmlparser2';
import type { Block } from './markdown-blocks.ts';
import { MarkdownContainers } from './markdown-containers.ts';
import { codeBlock, linkAddress } from './markdown-escape.ts';
import { InlineText } from './markdown-inline.ts';
import { linkOf, OpenStyles } from './markdown-styles.ts';

/**
 * What a line feed in the text means: white space as in html, or the end of a line, with an empty line between
 * paragraphs, as WordPress stores comments (its function `wpautop` adds the tags when a page is shown).
 */
export type LineFeeds = 'space' | 'break';

const codeTags = new Set(['code', 'samp', 'tt']);
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
  readonly #containers = new MarkdownContainers();
  readonly #inline = new InlineText();
  readonly #styles = new OpenStyles();
  readonly #depths = { code: 0, silent: 0 };
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
    else if (name === 'img') this.#addPicture(attributes);
    else if (name === 'br') this.#inline.addBreak(this.#styles.current);
    else if (name === 'q') this.#inline.addText('“', this.#styles.current);
    else if (name === 'input') this.#addBox(attributes);
    else if (name === 'hr') this.#addBlock({ text: '***', kind: 'other' });
    else if (containerTags.has(name)) {
      this.#flush();
      this.#containers.open(name, attributes);
    } else if (blockTags.has(name)) this.#flush();
    else if (headingTag.test(name)) {
      this.#flush();
      this.#heading = Number(name[1]);
    } else this.#styles.open(name, attributes);
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
    if (name === 'q') this.#inline.addText('”', this.#styles.current);
    else if (containerTags.has(name)) {
      this.#flush();
      this.#containers.close();
    } else if (blockTags.has(name)) this.#flush();
    else if (headingTag.test(name)) {
      this.#flush();
      this.#heading = 0;
    } else this.#styles.close(name);
  }

  finish(): string {
    this.#drainText();
    if (this.#code !== undefined) this.#closeCode();
    this.#flush();
    return this.#containers.finish().trim();
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
      this.#inline.addText(text, this.#styles.current);
      return;
    }
    text.split(/(?<![ \t])[ \t]*\n\s*\n/).forEach((paragraph, index) => {
      if (index > 0) this.#flush();
      paragraph.split('\n').forEach((line, lineIndex) => {
        if (lineIndex > 0) this.#inline.addBreak(this.#styles.current);
        this.#inline.addText(line, this.#styles.current);
      });
    });
  }

  #addPicture(attributes: Readonly<Record<string, string>>): void {
    const address = linkAddress(attributes.src ?? '');
    const label = pictureLabel(attributes.alt, address);
    if (label === undefined || label === '') return;
    const style = this.#styles.current;
    const link = style.link ?? linkOf(attributes.src);
    this.#inline.addText(label, { ...style, link });
  }

  /** The box of a task, where an item of a list begins with it. */
  #addBox({ type, checked }: Readonly<Record<string, string>>): void {
    const { tag, blocks } = this.#containers.innermost;
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
    if (!isBlock) this.#inline.addCode(code.text, this.#styles.current);
    else if (text !== '') this.#addBlock({ text: codeBlock(text, code.language), kind: 'other' });
  }

  /** Ends the paragraph or heading. */
  #flush(): void {
    const container = this.#containers.innermost;
    const isOneLine = this.#heading > 0 || oneLineTags.has(container.tag);
    for (const paragraph of this.#inline.takeParagraphs(isOneLine ? ' ' : '\n')) {
      if (this.#heading > 0)
        this.#containers.push({ text: headingOf(this.#heading, paragraph), kind: 'other' });
      else this.#containers.push({ text: paragraph, kind: 'paragraph' });
    }
  }

  #addBlock(block: Block): void {
    this.#flush();
    this.#containers.push(block);
  }
}

function codeLanguage(className: string | undefined): string {
  return (
    /(?:^|\s)lang(?:uage)?-([A-Za-z0-9][\w+#.-]{0,31})(?:\s|$)/.exec(className ?? '')?.[1]?.toLowerCase() ??
    ''
  );
}

function headingOf(level: number, text: string): string {
  // Number signs at the end of a heading would be read as its closing sequence.
  return `${'#'.repeat(level)} ${text.replace(/(?<!#)#+$/, '\\$&')}`;
}

/** The text that stands for a picture: what describes it, else the name of its file. */
function pictureLabel(alt: string | undefined, address: string | undefined): string | undefined {
  return alt?.trim() || address?.replace(/^.*\/(?=.)/, '').replace(/[?#].*$/, '');
}
