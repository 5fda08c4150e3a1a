import { pageUid } from 'confab-contract/values/page-uid.ts';

export { pageUid };

/**
 * The uid of the app that the page has: from its canonical address where it names one, as `/embed.js` and imports do.
 * Undefined for a page that is no web page, such as a local file.
 */
export function appOfPage(): string | undefined {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel~="canonical" i]')?.href;
  return pageUid(canonical || location.href);
}
