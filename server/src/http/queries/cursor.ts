import type { Operation } from 'confab-contract/operation.ts';
import { type Cursor, invalidCursor, type ListQuery, type OrderKey, type Place } from '../../kernel/page.ts';
import { nameOf } from './query-parts.ts';

/**
 * Cursors as text, and the links to pages with them. The text is base64url of a JSON array: the operation, the order
 * and its direction, the position, the id and the order values. It is opaque to clients but not secret: it only gives a
 * caller a place to start in a list of items that they may see anyway.
 */

/** The most characters of a cursor and of a link: proxies refuse responses with much longer headers. */
const charactersMax = 4096;

/** The request for a list. */
type CursorContext = { readonly operation: Operation; readonly list: Pick<ListQuery, 'order'> };

function cursorText({ operation, list }: CursorContext, { keys, id, position }: Cursor): string {
  const { field, descending } = list.order;
  return Buffer.from(JSON.stringify([operation.id, field, descending, position, id, ...keys])).toString(
    'base64url',
  );
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isKey(value: unknown): value is OrderKey {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return value === null || isNumber(value);
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch (error) {
    throw invalidCursor(error);
  }
}

/** Reads a cursor. Throws `invalid_query` unless it belongs to this list in this order. */
export function readCursor(request: CursorContext, text: string): Cursor {
  if (text.length > charactersMax) throw invalidCursor();
  const [, , , position, id, ...keys] = parsed(text);
  if (!isNumber(position) || position < 1 || !isNumber(id) || !keys.every(isKey)) throw invalidCursor();
  const cursor = { keys, id, position };
  // Writing it again must give the same text. So it belongs to this list and order, and each place in a list has only
  // one text.
  if (cursorText(request, cursor) !== text) throw invalidCursor();
  return cursor;
}

/** The `Link` header to the next page: the address of the request with `next`; undefined where it would be too long. */
export function linkToNext(
  { operation, list, url }: { operation: Operation; list: ListQuery | undefined; url: string },
  next: Place,
): string | undefined {
  const [name, value] = placeOf({ operation, list }, next);
  const [path = '', ...rest] = url.split('?');
  const others = rest
    .join('?')
    .split('&')
    .filter((part) => part !== '' && ![name, 'skip'].includes(nameOf(part) ?? ''));
  // It comes first: of several parameters with one name the first counts, and the number of parameters is limited.
  const link = `<${encoded(`${path}?${[`${name}=${value}`, ...others].join('&')}`)}>; rel="next"`;
  return link.length > charactersMax ? undefined : link;
}

/** The parameter that says where a list goes on, and its value. */
function placeOf(
  { operation, list }: { operation: Operation; list: ListQuery | undefined },
  next: Place,
): [name: 'after' | 'before', value: string | number] {
  if (typeof next === 'number') return ['after', next];
  if ('before' in next) return ['before', next.before];
  if (list === undefined) throw new Error('a cursor is of a list');
  return ['after', cursorText({ operation, list }, next)];
}

/** An address without the characters that RFC 3986 forbids, which Node accepts in a request but not in a header. */
function encoded(address: string): string {
  return address.replaceAll(
    /[^!#-;=?-[\]_a-z~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
