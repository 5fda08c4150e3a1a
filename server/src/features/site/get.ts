import { siteOperations } from 'confab-contract/site.ts';
import { handler } from '../../binding/handler.ts';
import { readSite, type SiteBook } from './site-book.ts';
import { siteDetail } from './site-json.ts';

/**
 * The site of an owner without users of their own: which pages may show comments, and who may write there (decision 0167).
 */

/** The parts of the server that the site needs. */
export type SiteParts = {
  readonly siteBook: SiteBook;
  /** The ways of signing in that the settings of the node make possible. */
  readonly possibleWays: readonly string[];
};

/** Gets the site in effect. */
export const getSite = handler(
  siteOperations.getSite,
  async ({ read }, { siteBook: { given }, possibleWays }: SiteParts) =>
    siteDetail(await readSite(read), { given, possibleWays }),
);
