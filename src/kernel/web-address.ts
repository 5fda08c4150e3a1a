// Quotes of either kind, backticks, angle brackets, backslashes, white space and control characters.
const active = /[\p{Cc}\s"'`<>\\]/gu;

/**
 * An address in which nothing can end an attribute of html or begin a tag, so that a client may put it into a page
 * unescaped. What could is percent-encoded, which is what browsers make of most of it anyway; the parser of addresses
 * leaves an apostrophe in a path and a backtick in a query. Doing it twice changes nothing more.
 */
export function safeAddress(address: string): string {
  // `encodeURIComponent` takes the apostrophe for a character that needs no encoding.
  return address.replace(active, (character) => (character === "'" ? '%27' : encodeURIComponent(character)));
}
