/**
 * The closed set of HTML that an entry may contain: links with `http`, `https` or `mailto` addresses, mentions, lists, also
 * of tasks, tables, code, folded blocks and plain emphasis; no images, styles, identifiers, event handlers, embedded
 * content or controls that do something. It is safe to
 * insert with innerHTML. The renderer writes nothing else, and `isCanonical` checks each text that it has written.
 */

/** The deepest nesting of elements. Browsers rearrange elements below 512, and no reader follows more than a dozen. */
export const nestingMax = 20;

/** Relations of every link: no endorsement, user content, no access to the opening page, no referrer. */
const linkRelations = 'nofollow ugc noopener noreferrer';

const addressCharacter = String.raw`(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#]|%[0-9A-Fa-f]{2})`;
const host = String.raw`(?:[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]{2,45}\])`;
// A host without `@` and `%` leaves no room for credentials (`http://bank.example@evil.example`), escaped host names and
// backslashes, which browsers read as slashes.
const webAddress = new RegExp(`^https?://${host}(?::[0-9]{1,5})?(?:[/?#]${addressCharacter}*)?$`);
const mailAddress = new RegExp(
  String.raw`^mailto:[A-Za-z0-9.!#$&'*+/=?^_~-]+@[A-Za-z0-9][A-Za-z0-9.-]*(?:\?${addressCharacter}*)?$`,
);
const languageClass = /^language-[a-z0-9][a-z0-9+#._-]{0,31}$/;
const userIdDigits = /^[1-9][0-9]{0,15}$/;
const listStart = /^[0-9]{1,9}$/;
const ownDirection = /^(?:p|h[1-6]|li|summary)$/;
const cellAlignment = /^(?:left|center|right)$/;

/**
 * Whether a link may lead to this address: an absolute `http`, `https` or `mailto` address in ASCII, percent-encoded,
 * with a lower-case scheme, a plain host and no user information.
 */
export function isLinkAddress(address: string): boolean {
  return webAddress.test(address) || mailAddress.test(address);
}

/** The user id written in decimal, 1 to 2^53 - 1; undefined for anything else. */
export function parseUserId(digits: string): number | undefined {
  const id = userIdDigits.test(digits) ? Number(digits) : 0;
  return id > 0 && Number.isSafeInteger(id) ? id : undefined;
}

/** Whether this is the class of a code block in a language: `language-` and 1 to 32 lower-case characters. */
export function isLanguageClass(value: string): boolean {
  return languageClass.test(value);
}

/** Escapes text for the content of an element or a quoted attribute value without a quotation mark. */
export function escapeText(text: string): string {
  return needsEscape.test(text) ? text.replace(escapable, (character) => escapes[character] ?? '') : text;
}
const needsEscape = /[&<>]/;
const escapable = /[&<>]/g;
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The start tag of a link. Only for addresses that `isLinkAddress` accepts. */
export function linkTag(address: string): string {
  // A web page opens in its own tab, because it must not replace the page of the host application that shows the entry.
  // A mail program needs no tab.
  const target = address.startsWith('mailto:') ? '' : ' target="_blank"';
  return `<a href="${escapeText(address)}" rel="${linkRelations}"${target}>`;
}

/** The most users that one text mentions; further mentions are links that notify no user. */
export const mentionsMax = 50;

/** Ids of the users mentioned in the renderer's html, each once, in the order of the text, at most `mentionsMax`. */
export function mentionsIn(html: string): number[] {
  // Most texts have no mention, and searching for one word costs less than a pattern.
  if (!html.includes('<span')) return [];
  const ids = new Set<number>();
  for (const [, id] of html.matchAll(/<span class="mention" data-user-id="([0-9]+)">/g)) {
    ids.add(Number(id));
    if (ids.size === mentionsMax) break;
  }
  return [...ids];
}

/** The start tag of a mention. */
export function mentionTag(userId: number): string {
  return `<span class="mention" data-user-id="${userId}">`;
}

/** The start tag of an item of a list that is a task, with the class that style sheets for GitHub know. */
export const taskTag = '<li class="task-list-item">';

/** The box in front of a task, which cannot be pressed (GFM, section 5.3). */
export function taskBox(isDone: boolean): string {
  return `<input type="checkbox"${isDone ? ' checked=""' : ''} disabled="" />`;
}

/** The html with a character in place of each box of a task, for readers that show no controls. */
export function withoutBoxes(html: string): string {
  return html.replaceAll(taskBox(false), '☐').replaceAll(taskBox(true), '☑');
}

/**
 * What an element may contain: `details` is a folded block, which contains blocks and its summary; `item` is a list item, which contains blocks and text; `table` and the next two are the
 * parts of a table.
 */
type Content =
  | 'blocks'
  | 'details'
  | 'inline'
  | 'item'
  | 'items'
  | 'table'
  | 'rows'
  | 'cells'
  | 'pre'
  | 'text';
interface Element {
  readonly name: string;
  readonly in: readonly Content[];
  /** Absent for an element without content and end tag. */
  readonly holds?: Content;
  /** A link or mention; they must not be nested. */
  readonly linking?: true;
}

const inBlocks: readonly Content[] = ['blocks', 'item', 'details'];
const inInline: readonly Content[] = ['inline', 'item'];
const elements: readonly Element[] = [
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => ({
    name,
    in: inBlocks,
    holds: 'inline' as const,
  })),
  { name: 'blockquote', in: inBlocks, holds: 'blocks' },
  { name: 'ul', in: inBlocks, holds: 'items' },
  { name: 'ol', in: inBlocks, holds: 'items' },
  { name: 'li', in: ['items'], holds: 'item' },
  { name: 'pre', in: inBlocks, holds: 'pre' },
  { name: 'hr', in: inBlocks },
  { name: 'table', in: inBlocks, holds: 'table' },
  { name: 'thead', in: ['table'], holds: 'rows' },
  { name: 'tbody', in: ['table'], holds: 'rows' },
  { name: 'tr', in: ['rows'], holds: 'cells' },
  { name: 'th', in: ['cells'], holds: 'inline' },
  { name: 'td', in: ['cells'], holds: 'inline' },
  { name: 'details', in: inBlocks, holds: 'details' },
  { name: 'summary', in: ['details'], holds: 'inline' },
  { name: 'label', in: inInline, holds: 'inline' },
  { name: 'input', in: ['inline'] },
  { name: 'em', in: inInline, holds: 'inline' },
  { name: 'strong', in: inInline, holds: 'inline' },
  ...['s', 'ins', 'kbd', 'mark', 'sub', 'sup'].map((name) => ({
    name,
    in: inInline,
    holds: 'inline' as const,
  })),
  { name: 'code', in: ['inline', 'item', 'pre'], holds: 'text' },
  { name: 'br', in: inInline },
  { name: 'a', in: inInline, holds: 'inline', linking: true },
  { name: 'span', in: inInline, holds: 'inline', linking: true },
];

/** The names of the elements in the set. */
export const elementNames: readonly string[] = elements.map(({ name }) => name);

const elementByName = new Map(elements.map((element) => [element.name, element]));
/** Whole tags. Links, mentions and boxes are left out, because they are meaningless without attributes. */
const elementByTag = new Map(
  elements
    .filter((element) => !element.linking && element.name !== 'input')
    .map((element) => [element.holds === undefined ? `<${element.name} />` : `<${element.name}>`, element]),
);
for (const element of elements)
  if (element.name === 'input')
    for (const isDone of [false, true]) elementByTag.set(taskBox(isDone), element);
const tagWithAttributes = /^<([a-z]+[1-6]?)((?: [a-z-]+="[^"<>]*")+)>$/;
const attributeOfTag = / ([a-z-]+)="([^"]*)"/g;
const badText = /[>\0]|&(?!(?:amp|lt|gt);)/;

/**
 * Whether html belongs to the closed set exactly as the renderer writes it. Takes time linear in its length.
 */
export function isCanonical(html: string): boolean {
  const open: Element[] = [];
  let holds: Content = 'blocks';
  let inLink = false;
  for (let position = 0; position < html.length; ) {
    const tagStart = html.indexOf('<', position);
    const textEnd = tagStart === -1 ? html.length : tagStart;
    if (textEnd > position && !isTextAllowed(html.slice(position, textEnd), holds)) return false;
    if (tagStart === -1) break;
    const tagEnd = html.indexOf('>', tagStart);
    if (tagEnd === -1) return false;
    const tag = html.slice(tagStart, tagEnd + 1);
    position = tagEnd + 1;
    if (tag.startsWith('</')) {
      const closed = open.pop();
      if (closed === undefined || tag.length !== closed.name.length + 3 || !tag.startsWith(closed.name, 2))
        return false;
      if (closed.linking) inLink = false;
      holds = open.at(-1)?.holds ?? 'blocks';
      continue;
    }
    const element = elementByTag.get(tag) ?? elementWithAttributes(tag);
    if (!element?.in.includes(holds) || (element.linking && inLink)) return false;
    if (element.holds === undefined) continue;
    if (open.push(element) > nestingMax) return false;
    holds = element.holds;
    if (element.linking) inLink = true;
  }
  return open.length === 0;
}

function isTextAllowed(text: string, holds: Content): boolean {
  return (holds === 'inline' || holds === 'item' || holds === 'text') && !badText.test(text);
}

/** The element of a start tag that has exactly the attributes that the renderer writes for it. */
function elementWithAttributes(tag: string): Element | undefined {
  const match = tagWithAttributes.exec(tag);
  const [, name, list] = match ?? [];
  if (name === undefined || list === undefined) return undefined;
  const attributes: Record<string, string> = {};
  for (const [, key, value] of list.matchAll(attributeOfTag)) {
    if (key !== undefined && value !== undefined) attributes[key] = value.replaceAll('&amp;', '&');
  }
  const allowed = allowedAttributes(name, attributes);
  return writeTag(name, allowed) === tag ? elementByName.get(name) : undefined;
}

function writeTag(name: string, attributes: Record<string, string>): string {
  return `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeText(value)}"`)
    .join('')}>`;
}

/** The permitted attributes of an element, in the order of the renderer. Drops each value outside the set. */
export function allowedAttributes(
  name: string,
  attributes: Readonly<Record<string, string>>,
): Record<string, string> {
  const { href = '', start = '', align = '' } = attributes;
  const className = attributes.class ?? '';
  if (name === 'a' && isLinkAddress(href)) {
    return { href, rel: linkRelations, ...(href.startsWith('mailto:') ? {} : { target: '_blank' }) };
  }
  if (name === 'span' && className === 'mention') {
    const userId = parseUserId(attributes['data-user-id'] ?? '');
    return userId === undefined ? {} : { class: className, 'data-user-id': String(userId) };
  }
  if (name === 'code' && isLanguageClass(className)) return { class: className };
  if (name === 'ol' && listStart.test(start)) return { start };
  if (name === 'input' && attributes.type === 'checkbox') {
    return { type: 'checkbox', ...(attributes.checked === undefined ? {} : { checked: '' }), disabled: '' };
  }
  if (ownDirection.test(name)) {
    const isTask = name === 'li' && className === 'task-list-item';
    return { ...(isTask ? { class: className } : {}), ...(attributes.dir === 'auto' ? { dir: 'auto' } : {}) };
  }
  if ((name === 'th' || name === 'td') && cellAlignment.test(align)) return { align };
  return {};
}
