import type { SiteUpdate } from 'confab-contract/site.ts';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { putSetting, settingOf } from '../../db/settings.ts';

/**
 * The site: which pages may show comments, and who may write there. The settings of a node give it, and an API key sets
 * what they leave open, so that an owner need not restart a server for it (decision 0167). What is set is one setting of the
 * store, which each node remembers until it hears of a change. A node that hears nothing finds a change by looking
 * (`SiteBook.look`).
 */

/** What the site says: the fields of `PATCH /api/site`. */
export type Site = Required<SiteUpdate>;

/** What the settings of a node give: each field with its value and with the setting as it is spelled where it stands. */
export type GivenSite = {
  readonly [K in keyof Site]?: { readonly value: Site[K]; readonly by: string };
};

/** Who may create pages (`CONFAB_PAGES`): any user, or only API keys. */
export type PagesSetting = 'open' | 'keys';

/**
 * The hosts whose pages visitors open, as uids have them: those of the listed origins, where visitors sign in and may write
 * on new pages.
 */
export function pageHostsOf(
  { origins, visitors, sign_in: ways }: Site,
  pages: PagesSetting,
): readonly string[] {
  if (pages !== 'open' || visitors !== 'write' || ways.length === 0) return [];
  return origins.map(pageUid).filter((host) => host !== undefined);
}

/** What is stored. */
export type SiteDocument = {
  readonly version: number;
  readonly modifiedAt: UnixMs | null;
} & SiteUpdate;

const settingName = 'site';

const nothingSet: SiteDocument = { version: 0, modifiedAt: null };

/** What is stored of the site. */
export async function readSite(read: Pick<Read, 'get'> | Tx): Promise<SiteDocument> {
  const row = await (read as Pick<Read, 'get'>).get(settingOf, { name: settingName });
  return row === undefined ? nothingSet : (JSON.parse(row.value) as SiteDocument);
}

/** Stores the site, and wakes the nodes that remember another. */
export async function writeSite(tx: Tx, document: SiteDocument): Promise<void> {
  await putSetting(tx, { name: settingName, value: JSON.stringify(document) });
  tx.wake('site');
}

/** The site in effect: what the settings of a node give, else what is set, else the defaults. */
export function siteInEffect(given: GivenSite, set: SiteDocument): Site {
  return {
    origins: given.origins?.value ?? set.origins ?? [],
    sign_in: given.sign_in?.value ?? set.sign_in ?? [],
    visitors: given.visitors?.value ?? set.visitors ?? 'none',
    approval: given.approval?.value ?? set.approval ?? 'newcomers',
  };
}

/** The site of this node. */
export type SiteBook = {
  readonly given: GivenSite;
  /** The site in effect. */
  current(): Site;
  /** The origins of the site in effect. */
  origins(): readonly string[];
  /** Looks for another site than it remembers. */
  look(): Promise<void>;
};

/** Opens the book of a node, with the site that is stored. `onError` hears of a reading that failed. */
export async function openSiteBook(
  db: Db,
  { given, onError }: { readonly given: GivenSite; readonly onError: (error: unknown) => void },
): Promise<SiteBook> {
  let version: number | undefined;
  let site = siteInEffect(given, nothingSet);

  async function look(): Promise<void> {
    const document = await readSite(db.read);
    // A look that began earlier may end later.
    if (version !== undefined && document.version <= version) return;
    version = document.version;
    site = siteInEffect(given, document);
  }

  db.onCommit('site', () => void look().catch(onError));
  await look();
  return { given, current: () => site, origins: () => site.origins, look };
}
