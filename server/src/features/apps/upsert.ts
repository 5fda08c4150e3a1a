import { type AppPut, appOperations } from 'confab-contract/apps.ts';
import type { Clearable } from 'confab-contract/operation.ts';
import { invalidField, Problem } from 'confab-contract/problem.ts';
import { ownUidFault } from 'confab-contract/values/ids.ts';
import type { ReadableApp } from '../../access/access.ts';
import { upsertableApp } from '../../access/app-access.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { Db } from '../../db/db.ts';
import type { Input } from '../../kernel/input.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { RateLimits } from '../../kernel/rate-limits.ts';
import { isReferenceClient } from '../../kernel/reference-client.ts';
import { appReaders, type RequestedApp, requestedApp, requestsPage } from './app-body.ts';
import { type AppChange, changeApp, makeApp } from './app-changes.ts';
import { appDetail } from './app-detail.ts';
import { renderForClient } from './app-json.ts';
import {
  addressOfPage,
  countOpening,
  fieldsOfNewPage,
  nameOfPage,
  openAsVisitor,
  type PageSettings,
} from './visitor-pages.ts';

/** The parts of the server that opening an app needs. */
export type UpsertParts = PageSettings & { readonly rateLimits: RateLimits };

/** Changes the app with the uid of the path, or creates it: as a page where the request opens one. */
export const upsertApp = handler(
  appOperations.upsertApp,
  prepareUpsert,
  async (call, settings: UpsertParts) => {
    const { tx, caller, params } = call;
    if (caller.kind === 'visitor') {
      const { pageTitle } = call.body.valid();
      return await openAsVisitor(call, settings, { uid: params.app, pageTitle });
    }
    const { isNew, app } = await upsertAsRequested(call, settings);
    const body = renderForClient(call.raw, await appDetail({ read: tx, caller }, app));
    return { status: isNew ? 201 : 200, body };
  },
);

type Upsert = Pick<
  Call<typeof appOperations.upsertApp, RequestedApp>,
  'tx' | 'caller' | 'at' | 'params' | 'query' | 'body' | 'raw'
>;

/** Changes or creates the app as a user or an API key asks. */
export async function upsertAsRequested(call: Upsert, settings: UpsertParts): ReturnType<typeof ensureApp> {
  const { caller, params, query, raw } = call;
  const isClient = caller.kind === 'token' && isReferenceClient(raw.headers['x-weavy-source']);
  const opensPage = query.page ?? isClient;
  const request = call.body.map((body) => ({ ...body, isPage: opensPage && body.isPage === true }));
  // Who opens a place of the product is no reader of what its page says about it, unless they may change it.
  const isOpening = caller.form !== undefined && opensPage;
  return await ensureApp({ ...call, ...settings, isOpening }, params.app, request);
}

type Prepared = {
  readonly principal: Principal;
  readonly params: { readonly app: string };
  readonly query: { readonly page?: boolean };
  readonly raw: { readonly clientAddress: string | undefined };
};

/** Reads the body of a request that opens an app, and counts it for a visitor. */
export function prepareUpsert(
  input: Input<Clearable<AppPut>>,
  { principal, params: { app: uid }, query, raw }: Prepared,
  { db, rateLimits }: UpsertParts & { readonly db: Db },
): Input<RequestedApp> | Promise<Input<RequestedApp>> {
  const isVisitor = principal.kind === 'visitor';
  if (isVisitor && query.page !== true) throw usersOnly();
  const fault = ownUidFault('app', uid);
  const requested = input
    .and(fault === undefined ? undefined : invalidField('/uid', 'uid', fault))
    .read(appReaders)
    .map((body) => ({
      ...requestedApp(body),
      isPage: requestsPage({ uid, isNewer: principal.form !== undefined }, body),
      pageTitle: body.page_title ?? undefined,
    }));
  if (!isVisitor) return requested;
  const by = { principal, clientAddress: raw.clientAddress };
  return requested.mapLater(async (request) => {
    if (!request.isPage || request.type !== 'comments') throw usersOnly();
    await countOpening({ read: db.read, rateLimits, by }, uid);
    return request;
  });
}

function usersOnly(): Problem {
  return new Problem(
    'users_only',
    'Visitors only open pages: with page=true, the type comments and the title of the page, and with no other field.',
  );
}

/**
 * Changes the app with this uid, or creates it. Rights are checked before the faults of the body: throws
 * `manage_forbidden` for an app that the caller may not see or change, `page_forbidden`, or `validation_failed`.
 */
export async function ensureApp(
  change: AppChange & PageSettings & { readonly isOpening?: boolean },
  uid: string,
  input: Input<RequestedApp>,
): Promise<{ readonly isNew: boolean; readonly app: ReadableApp }> {
  const { tx, caller, pages, isOpening = false } = change;
  const present = await upsertableApp(tx, caller, uid);
  const { type, fields: given, isPage = false, pageTitle } = input.valid();
  const { directory: _, ...others } = given;
  const fields = isOpening && isPage ? others : given;
  if (present !== undefined) {
    if (type !== present.type)
      throw invalidField('/type', 'immutable', `is ${present.type} for this app and cannot be changed`);
    if (isOpening && isPage && present.level !== 'manage') return { isNew: false, app: present };
    return { isNew: false, app: await changeApp(change, present, fields) };
  }
  if (fields.uid !== undefined && fields.uid !== uid)
    throw invalidField('/uid', 'not_found', 'must be the uid in the path while no app has that one');
  if (isPage && pages === 'keys' && caller.kind !== 'key')
    throw new Problem(
      'page_forbidden',
      'Pages are made by API keys alone on this server (CONFAB_PAGES is keys).',
    );
  const isForVisitors = isPage && type === 'comments' && caller.user.directoryId === null;
  const opened = isForVisitors ? { ...fields, ...fieldsOfNewPage(change.site()) } : fields;
  const whole = isPage
    ? { ...addressOfPage(change.site(), uid), ...opened, ...nameOfPage(pageTitle) }
    : opened;
  return { isNew: true, app: await makeApp(change, { uid, type, fields: whole, isPage }) };
}
