import { Problem } from 'confab-contract/problem.ts';
import { addressOn, isPageOf } from 'confab-contract/values/page-address.ts';
import { findApp, type ReadableApp, sees } from '../../access/access.ts';
import type { Read } from '../../db/db.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { countCaller, type RateLimits } from '../../kernel/rate-limits.ts';
import { visibleText } from '../../kernel/unseen.ts';
import { type PagesSetting, pageHostsOf, type Site } from '../site/site-book.ts';
import type { AppFields } from './app-body.ts';
import { type AppChange, makeApp } from './app-changes.ts';

/**
 * Pages that visitors open: the first who writes on a page makes its app, so that a page needs nothing but its script. A
 * stranger could take the uid of something else that way, so the page has to be one of an origin that the operator lists.
 */

/** How pages are made. */
export type PageSettings = {
  readonly pages: PagesSetting;
  /** Which pages visitors open, and what they may do there. */
  readonly site: () => Site;
};

/**
 * What a new page has from the settings, if its creator says nothing else. Pages on which visitors only read are for the
 * users of a product, who wait for nobody.
 */
export function fieldsOfNewPage({
  visitors,
  approval,
}: Pick<Site, 'visitors' | 'approval'>): Pick<AppFields, 'visitors' | 'approval'> {
  if (visitors === 'none') return {};
  if (visitors === 'read' || approval === 'none') return { visitors };
  return { visitors, approval };
}

/**
 * The name of a new page, from the title that whoever opens it sends. A page that exists keeps its name (decision 0166), so
 * no visitor renames what others read.
 */
export function nameOfPage(title: string | undefined): Pick<AppFields, 'name'> {
  const name = title?.replaceAll(/\s+/g, ' ').trim() ?? '';
  return visibleText(name) === null ? {} : { name };
}

/**
 * The address of a new page of a listed origin, in the field in which imports have it, so that whoever looks after its
 * comments can go there. It is made from the uid: nobody sends one.
 */
export function addressOfPage({ origins }: Pick<Site, 'origins'>, uid: string): Pick<AppFields, 'metadata'> {
  const url = origins.map((origin) => addressOn(origin, uid)).find((address) => address !== undefined);
  return url === undefined ? {} : { metadata: JSON.stringify({ url }) };
}

/**
 * Counts a visitor who wants to open a page, unless they see its app already. A page that they may not open counts too, so
 * trying uids one after the other soon ends. Throws `rate_limited`.
 */
export async function countOpening(
  {
    read,
    rateLimits,
    by,
  }: {
    readonly read: Read;
    readonly rateLimits: RateLimits;
    readonly by: { readonly principal: Principal; readonly clientAddress: string | undefined };
  },
  uid: string,
): Promise<void> {
  const app = await findApp(read, by.principal, { uid });
  if (app === undefined || !sees(app)) await countCaller(rateLimits, 'page', by);
}

/**
 * Returns the app with a uid to a visitor who sees it, or opens the page. Throws `page_forbidden`, in the same words for an
 * app that is closed or in the trash and for a uid that visitors may not take.
 */
export async function openAsVisitor(
  change: AppChange,
  settings: PageSettings,
  { uid, pageTitle }: { readonly uid: string; readonly pageTitle: string | undefined },
): Promise<{ readonly status: 200 | 201; readonly body: Json }> {
  const present = await findApp(change.tx, change.caller, { uid });
  if (present !== undefined && sees(present)) return { status: 200, body: renderForVisitor(present) };
  if (present !== undefined || !isPageOf(pageHostsOf(settings.site(), settings.pages), uid))
    throw new Problem('page_forbidden', 'Visitors cannot open this page.');
  const site = settings.site();
  const fields = { ...fieldsOfNewPage(site), ...addressOfPage(site, uid), ...nameOfPage(pageTitle) };
  const app = await makeApp(change, { uid, type: 'comments', fields, isPage: true });
  return { status: 201, body: renderForVisitor(app) };
}

function renderForVisitor({ id, type, uid }: Pick<ReadableApp, 'id' | 'type' | 'uid'>): Json {
  return json(JSON.stringify({ id, type, uid }));
}
