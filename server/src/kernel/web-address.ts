// Quotes of either kind, backticks, angle brackets, backslashes, white space and control characters.
const active = /[\p{Cc}\s"'`<>\\]/gu;

/**
 * Percent-encodes the characters of an address that could end an HTML attribute or begin a tag, so that a client may put
 * it into a page unescaped. Browsers encode most of them anyway, but the URL parser keeps an apostrophe in a path and a
 * backtick in a query. Applying it twice has no further effect.
 */
export function safeAddress(address: string): string {
  // `encodeURIComponent` does not encode the apostrophe.
  return address.replace(active, (character) => (character === "'" ? '%27' : encodeURIComponent(character)));
}

/**
 * The address of a page of an origin, without its fragment; undefined for any other text, also for one with credentials
 * and for an address such as `blob:`, which has the origin of the page that made it.
 */
export function addressWithin(text: string, origin: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || `${url.protocol}//${url.host}` !== origin) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href;
}

/**
 * The origin that a text spells, as browsers send it; undefined for any other text. Address bars show an origin with a slash
 * at its end, so that one may be there.
 */
export function originOf(text: string): string | undefined {
  const origin = text.replace(/\/$/, '');
  return /^https?:/.test(origin) && URL.parse(origin)?.origin === origin ? origin : undefined;
}

/** The site of an origin as people read it: its host, without the protocol. */
export function siteOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '');
}
