/**
 * Which servers the elements may use. What a server says becomes HTML of the page, so an attribute of an element does not
 * make one trusted: people may be able to put elements into a page who can put no script there. Trusted are the server that
 * this script comes from, those that `data-servers` of its tag lists, and those that code names.
 */

/** The server that this script comes from. Bundlers take `new URL('.', import.meta.url)` for a file, which is not there. */
const own = import.meta.url.replace(/[^/]*$/, '');

const ofPage = Symbol.for('confab-trusted');
type Page = { [ofPage]?: Map<string, boolean> };

function trustedOf(page: Page): Map<string, boolean> {
  page[ofPage] ??= new Map();
  return page[ofPage];
}

/**
 * The trusted servers, by their addresses, each with whether it may have the tokens of the site. The page has it once, because
 * parts and pages can import this script by an address with a query, which is another module.
 */
export const trusted = trustedOf(globalThis as unknown as Page);

for (const { src, dataset } of document.querySelectorAll<HTMLScriptElement>('script[data-servers]'))
  if (src.split('?')[0] === import.meta.url)
    for (const each of dataset['servers']?.match(/\S+/g) ?? [])
      if (!trusted.has(addressOf(each))) trusted.set(addressOf(each), false);
trusted.set(own, true);

/** The address of a server as it is kept, by default of the one that the script comes from. Throws a `TypeError` for no address. */
export function addressOf(address: string | null | undefined): string {
  return new URL(address ? address.replace(/\/*$/, '/') : own, document.baseURI).href;
}

/**
 * Trusts a server from now on, as if the script came from it: what it returns is shown, and it gets the tokens of the site
 * for those who are signed in there. Throws a `TypeError` for no address.
 */
export function trustServer(address: string): void {
  trusted.set(addressOf(address), true);
}
