/**
 * The text of an entry as people see it, as Markdown: made from its HTML, because the Markdown that its author wrote can
 * have words that nobody is shown, such as the title of a link or a reference that nothing uses. The HTML is of the closed
 * set of elements that the server writes.
 */
import { visibleText } from '../../kernel/unseen.ts';

const tokens = /<(\/?)([a-z]+[1-6]?)([^>]*)>|[^<]+/g;
const marks: { readonly [name: string]: string } = { strong: '**', em: '*', s: '~~', code: '`' };
/** Elements that Markdown has no marks for; their tags are read again. */
const visibleTags = new Set(['ins', 'kbd', 'mark', 'sub', 'sup']);
const entities: { readonly [entity: string]: string } = { '&lt;': '<', '&gt;': '>', '&amp;': '&' };

/** The Markdown of the HTML of an entry. Takes time linear in its length. */
export function shownText(html: string): string {
  const writer = new Writer();
  tokens.lastIndex = 0;
  for (let token = tokens.exec(html); token !== null; token = tokens.exec(html)) {
    const [whole, slash, name, attributes = ''] = token;
    if (name === undefined) writer.put(unescaped(whole));
    else if (name === 'pre') tokens.lastIndex = writer.code(html, tokens.lastIndex);
    else if (name === 'a' && slash === '') tokens.lastIndex = writer.link(html, tokens.lastIndex, attributes);
    else if (slash === '/') writer.close(name);
    else writer.open(name, attributes);
  }
  return writer.text;
}

function unescaped(text: string): string {
  return text.replace(/&(?:lt|gt|amp);/g, (entity) => entities[entity] ?? entity);
}

/** Whether people see anything of the HTML of a label. */
function isSeen(html: string): boolean {
  return visibleText(unescaped(html.replace(/<[^>]*>/g, ''))) !== null;
}

/** A quotation or an item of a list: what stands in front of its first line, and of the lines below. */
type Container = { first: string; readonly below: string };

class Writer {
  text = '';
  readonly #containers: Container[] = [];
  /** The numbers of the next items of the lists that are open; undefined for those without. */
  readonly #lists: (number | undefined)[] = [];
  readonly #links: string[] = [];
  /** Line ends before the next text. */
  #gap = 0;
  #isLineStart = true;
  /** Whether nothing was written in the innermost container. */
  #isFresh = true;

  put(text: string): void {
    this.#endLines();
    if (this.#isLineStart)
      for (const container of this.#containers) {
        this.text += container.first;
        container.first = container.below;
      }
    this.#isLineStart = false;
    this.#isFresh = false;
    this.text += text.replaceAll('\n', `\n${this.#below()}`);
  }

  open(name: string, attributes: string): void {
    if (name === 'ul' || name === 'ol') {
      this.#separate(this.#lists.length > 0 ? 1 : 2);
      this.#lists.push(name === 'ol' ? Number(/"([0-9]+)"/.exec(attributes)?.[1] ?? 1) : undefined);
    } else if (name === 'li') this.#openItem();
    else if (name === 'blockquote') {
      this.#separate(2);
      this.#enter({ first: '> ', below: '> ' });
    } else if (name === 'tr') this.#separate(1);
    else if (name === 'th' || name === 'td') this.put('| ');
    else if (name === 'br') this.put('\n');
    else if (name === 'hr') {
      this.#separate(2);
      this.put('---');
      this.#separate(2);
    } else if (name === 'span') this.#openLink(`@u${/data-user-id="([0-9]+)"/.exec(attributes)?.[1]}`);
    else if (name === 'input') this.put(attributes.includes('checked') ? '[x]' : '[ ]');
    else if (Object.hasOwn(marks, name)) this.put(marks[name] ?? '');
    else if (visibleTags.has(name)) this.put(`<${name}>`);
    else if (name === 'p' || name === 'table') this.#separate(2);
    else if (name === 'details' || name === 'summary') {
      this.#separate(name === 'details' ? 2 : 1);
      this.put(`<${name}>`);
      if (name === 'details') this.#separate(1);
    } else if (/^h[1-6]$/.test(name)) {
      this.#separate(2);
      // Those of texts that were written before headings began with `h3` begin with `h1`.
      this.put(`${'#'.repeat(Math.max(1, Number(name[1]) - 2))} `);
    }
  }

  close(name: string): void {
    if (name === 'ul' || name === 'ol') {
      this.#lists.pop();
      this.#separate(this.#lists.length > 0 ? 1 : 2);
    } else if (name === 'li' || name === 'blockquote') {
      // An empty one is seen as well.
      if (this.#isFresh) this.put('');
      this.#containers.pop();
      this.#separate(name === 'li' ? 1 : 2);
    } else if (name === 'tr') this.put('|');
    else if (name === 'th' || name === 'td') this.put(' ');
    else if (name === 'a' || name === 'span') this.put(`](${this.#links.pop()})`);
    else if (Object.hasOwn(marks, name)) this.put(marks[name] ?? '');
    else if (visibleTags.has(name)) this.put(`</${name}>`);
    else if (name === 'details' || name === 'summary') {
      if (name === 'details') this.#separate(1);
      this.put(`</${name}>`);
      this.#separate(name === 'details' ? 2 : 1);
    } else if (name === 'p' || name === 'table' || /^h[1-6]$/.test(name)) this.#separate(2);
  }

  /** A block of code whose content begins at a position, with its own start tag; returns where it ends. */
  code(html: string, start: number): number {
    const end = html.indexOf('</pre>', start);
    // The language is left out, because nobody is shown its name.
    const [, content = ''] = /^<code(?: class="[^"]*")?>(.*)<\/code>$/s.exec(html.slice(start, end)) ?? [];
    const code = unescaped(content).replace(/\n$/, '');
    const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
    const fence = '`'.repeat(longest + 1);
    this.#separate(2);
    this.put(`${fence}\n${code}\n${fence}`);
    this.#separate(2);
    return end + '</pre>'.length;
  }

  /**
   * A link whose label begins at a position; returns where to go on. One that shows its address alone is that address, and
   * so is one that shows nothing: HTML is kept that was made before such links showed their address.
   */
  link(html: string, start: number, attributes: string): number {
    const address = /href="([^"]*)"/.exec(attributes)?.[1] ?? '';
    const end = html.indexOf('</a>', start);
    const label = html.slice(start, end);
    if (isSeen(label.startsWith(address) ? label.slice(address.length) : label)) {
      this.#openLink(unescaped(address));
      return start;
    }
    this.put(unescaped(address));
    return end + '</a>'.length;
  }

  #openItem(): void {
    this.#separate(1);
    const number = this.#lists.at(-1);
    const marker = number === undefined ? '- ' : `${number}. `;
    if (number !== undefined) this.#lists[this.#lists.length - 1] = number + 1;
    this.#enter({ first: marker, below: ' '.repeat(marker.length) });
  }

  #openLink(address: string): void {
    this.#links.push(address);
    this.put('[');
  }

  #enter(container: Container): void {
    this.#endLines();
    this.#containers.push(container);
    this.#isFresh = true;
  }

  #endLines(): void {
    if (this.#gap > 0) this.#isLineStart = true;
    for (; this.#gap > 0; this.#gap -= 1) this.text += this.#gap > 1 ? `\n${this.#below().trimEnd()}` : '\n';
  }

  #separate(lineEnds: number): void {
    if (!this.#isFresh) this.#gap = Math.max(this.#gap, lineEnds);
  }

  #below(): string {
    return this.#containers.map(({ below }) => below).join('');
  }
}
