import type { ReadableApp } from '../../access/access.ts';
import { upsertableApp } from '../../access/app-access.ts';
import { handler } from '../../binding/handler.ts';
import { type AppPut, appOperations } from '../../contract/apps.ts';
import type { Clearable } from '../../contract/operation.ts';
import { ownUidFault } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { isReferenceClient } from '../../kernel/reference-client.ts';
import { appReaders, type RequestedApp, requestedApp, requestsPage } from './app-body.ts';
import { type AppChange, changeApp, makeApp } from './app-changes.ts';
import { appDetail } from './app-detail.ts';
import { renderForClient } from './app-json.ts';

/** How pages are made. */
export type PageSettings = {
  /** Who may create them (`CONFAB_PAGES`): any user, or only API keys. */
  readonly pages: 'open' | 'keys';
  /** What visitors may do on a new one (`CONFAB_PAGES_VISITORS`). */
  readonly pagesVisitors: 'none' | 'read' | 'write';
};

/** Changes the app with the uid of the path, or creates it: as a page where the request opens one. */
export const upsertApp = handler(
  appOperations.upsertApp,
  prepare,
  async (call, { pages, pagesVisitors }: PageSettings) => {
    const { tx, caller, params, query, raw } = call;
    const isClient = caller.kind === 'token' && isReferenceClient(raw.headers['x-weavy-source']);
    const opensPage = query.page ?? isClient;
    const wanted = call.body.map((body) => ({ ...body, isPage: opensPage && body.isPage === true }));
    const { isNew, app } = await ensureApp({ ...call, pages, pagesVisitors }, params.app, wanted);
    const body = renderForClient(raw, await appDetail({ read: tx, caller }, app));
    return { status: isNew ? 201 : 200, body };
  },
);

function prepare(
  input: Input<Clearable<AppPut>>,
  { params: { app: uid } }: { readonly params: { readonly app: string } },
): Input<RequestedApp> {
  const fault = ownUidFault('app', uid);
  return input
    .and(fault === undefined ? undefined : invalidField('/uid', 'uid', fault))
    .read(appReaders)
    .map((body) => ({ ...requestedApp(body), isPage: requestsPage(uid, body) }));
}

/**
 * Changes the app with this uid, or creates it. Rights are checked before the faults of the body: throws
 * `manage_forbidden` for an app that the caller may not see or change, `page_forbidden`, or `validation_failed`.
 */
export async function ensureApp(
  change: AppChange & PageSettings,
  uid: string,
  input: Input<RequestedApp>,
): Promise<{ readonly isNew: boolean; readonly app: ReadableApp }> {
  const { tx, caller, pages, pagesVisitors } = change;
  const present = await upsertableApp(tx, caller, uid);
  const { type, fields, isPage = false } = input.valid();
  if (present !== undefined) {
    if (type !== present.type)
      throw invalidField('/type', 'immutable', `is ${present.type} for this app and cannot be changed`);
    return { isNew: false, app: await changeApp(change, present, fields) };
  }
  if (fields.uid !== undefined && fields.uid !== uid)
    throw invalidField('/uid', 'not_found', 'must be the uid in the path while no app has that one');
  if (isPage && pages === 'keys' && caller.kind !== 'key')
    throw new Problem(
      'page_forbidden',
      'Pages are made by API keys alone on this server (CONFAB_PAGES is keys).',
    );
  const isForVisitors =
    isPage && type === 'comments' && caller.user.directoryId === null && pagesVisitors !== 'none';
  const whole = isForVisitors ? { ...fields, visitors: pagesVisitors } : fields;
  return { isNew: true, app: await makeApp(change, { uid, type, fields: whole, isPage }) };
}
