import { beginningOf } from 'confab-contract/values/excerpt.ts';
import type { ImportedPage } from './import-file.ts';

/** The pages of an export, whose comments name them by an address or a path. */

/** A page as a comment or a record of its own describes it. */
export type FoundPage = {
  readonly id: string;
  /** An address, or the path of one on its `site`, or else on the site that was given with the file. */
  readonly address: string | undefined;
  readonly site?: string | undefined;
  /** An address on the site of the page, for which the site that was given with the file is used instead. */
  readonly siteOtherwise?: string | undefined;
  readonly title?: string | undefined;
  readonly isRestricted?: boolean;
};

/** Collects the pages of a file. */
export type Pages = {
  /** Adds a page unless it is known. */
  add(page: FoundPage): void;
  /** The host of a page, which tells apart sites whose comments have the same numbers; empty when it has none. */
  hostOf(id: string | undefined): string;
  all(): readonly ImportedPage[];
  /** A sentence about pages without a host; none where all have one. */
  notes(): readonly string[];
};

/** The pages of an export. `site` is the address that paths belong to. */
export function createPages(site: string | undefined): Pages {
  const pages = new Map<string, ImportedPage>();
  /** The pages without a host, with what they have in place of an address. */
  const paths = new Map<string, string>();
  return {
    add({ id, address, site: ownSite, siteOtherwise, title = '', isRestricted = false }) {
      const before = pages.get(id);
      if (before !== undefined) {
        // One comment of a page may know more of it than another.
        if (before.title === '' && title !== '') pages.set(id, { ...before, title });
        return;
      }
      const link = linkOf(address, ownSite) ?? linkOf(address, site) ?? linkOf(address, siteOtherwise);
      if (address !== undefined && link === undefined) paths.set(id, address);
      pages.set(id, {
        sourceId: id,
        ...(link === undefined ? {} : { link }),
        title: oneLine(title),
        isRestricted,
      });
    },
    hostOf(id) {
      const link = pages.get(id ?? '')?.link;
      return link === undefined ? '' : new URL(link).host.replace(/^www\./, '');
    },
    all: () => [...pages.values()],
    notes: () =>
      paths.size === 0
        ? []
        : [
            `${paths.size === 1 ? '1 page has' : `${paths.size} pages have`} no web address, such as ` +
              `${JSON.stringify(beginningOf([...paths.values()][0] ?? '', 100))}. If these are paths of a site, give its address:` +
              ' --site of the command, site of the request.',
          ],
  };
}

/** The address of a page; undefined for a path without a site, and for anything else. */
function linkOf(address: string | undefined, site: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  if (/^https?:\/\//i.test(address)) return URL.canParse(address) ? address : undefined;
  // `//host/path` would leave the site.
  const path = `/${address.replace(/^[/\\]+/, '')}`;
  return site !== undefined && URL.canParse(path, site) ? new URL(path, site).href : undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
