import { pageUid } from './page-uid.ts';

/** The end of a uid that was too long: the address cannot be told from it. */
const shortened = /^.{223}-[0-9a-f]{32}$/s;

/**
 * The address of the web page whose comments an app has, from its uid (`kernel/page-uid.ts`); undefined for a uid of another
 * form, and for one without a path, which a host product may have chosen as well. The uid keeps no scheme, and pages have
 * https.
 */
export function pageAddress(uid: string): string | undefined {
  const [host = ''] = uid.split('~', 1);
  if (!uid.includes('~') || shortened.test(uid)) return undefined;
  return /^[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?$/.test(host) ? addressOf(uid) : undefined;
}

/**
 * Whether a uid is that of a page of one of these hosts, each in the form that it has in uids. The end of a uid that was too
 * long may be any.
 */
export function isPageOf(hosts: readonly string[], uid: string): boolean {
  const [host = ''] = uid.split('~', 1);
  if (!hosts.includes(host)) return false;
  return shortened.test(uid) ? /^[\w.~=:-]+$/.test(uid) : addressOf(uid) !== undefined;
}

/**
 * The address of the page of an origin that a uid was made from, with the scheme of the origin; undefined for the uid of no
 * page there, and for one that was too long.
 */
export function addressOn(origin: string, uid: string): string | undefined {
  const host = pageUid(origin);
  if (host === undefined || !isPageOf([host], uid) || shortened.test(uid)) return undefined;
  return addressOf(uid)?.replace(/^https:\/\/[^/]*/, () => origin);
}

function addressOf(uid: string): string | undefined {
  const [path = '', query] = uid.split('~~', 2);
  const [host = '', ...segments] = path.split('~');
  const address = `https://${host}/${segments.map((segment) => encodeURIComponent(decoded(segment))).join('/')}`;
  const search = query === undefined ? '' : `?${query.split('~').map(parameter).join('&')}`;
  // A uid that a host product chose looks like another page, or like none.
  return URL.canParse(address + search) && pageUid(address + search) === uid ? address + search : undefined;
}

/** A part of a uid as text: colons and two digits are bytes. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll(/:([0-9A-F]{2})/g, '%$1'));
  } catch {
    return '';
  }
}

function parameter(part: string): string {
  const [name = '', ...value] = part.split('=').map(decoded);
  return [name, ...(value.length === 0 ? [] : [value.join('=')])].map(encodeURIComponent).join('=');
}
