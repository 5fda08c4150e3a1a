import { invalidField, type Problem } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { type AppView, asManageable, type ReadableApp } from '../../access/access.ts';
import { appAccess } from '../../access/app-access.ts';
import type { Tx } from '../../db/db.ts';
import { isUniqueViolation } from '../../db/dialect.ts';
import { appIndex } from '../../db/search-index.ts';
import { type ActionOn, append } from '../../events/events.ts';
import { isSameJson } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { joinAsCreator } from '../members/member-changes.ts';
import { refreshNotifications } from '../notifications/refresh.ts';
import { releasePicture, usePicture } from '../users/picture-use.ts';
import { actorOf } from '../users/user-json.ts';
import type { AppFields } from './app-body.ts';
import { closed, findDirectory, type NamedDirectory, usableDirectory } from './app-directory.ts';
import { appKeys, appWords } from './app-index.ts';
import { renderApp } from './app-json.ts';
import { deleteAppTags, insertApp, insertAppTags, setAppTrashed, updateApp } from './apps.store.ts';

/**
 * An app is a container of content, with members and an access level for everyone else (specification section 4.2).
 * Each change writes its row, tags, search words and event in the transaction of the caller.
 */

/** The dependencies of changing an app. */
export type AppChange = { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs };

/** An app to create. */
export type NewApp = {
  readonly uid: string;
  readonly type: string;
  readonly fields: AppFields;
  /** A page has no manager: its access is write by default, and its creator is an ordinary member. */
  readonly isPage?: boolean;
  /** Whether no webhook is notified. */
  readonly isSilent?: boolean;
};

/** The problem of a uid that another app has. */
export function uidTaken(): Problem {
  return invalidField('/uid', 'taken', 'is taken by another app');
}

/** Appends the event of a change of an app. */
export async function recordApp(
  { tx, caller, at }: AppChange,
  action: ActionOn<'app'>,
  { app, isSilent = false }: { readonly app: AppView; readonly isSilent?: boolean },
): Promise<void> {
  await append(tx, {
    action,
    actor: actorOf(caller),
    appId: app.id,
    entity: { id: app.id, json: renderApp(app) },
    at,
    isSilent,
  });
}

/** The app as written by the transaction. The caller can still read it, because no change removes the caller's access. */
export async function reloadApp({ tx, caller }: AppChange, id: number): Promise<ReadableApp> {
  return await appAccess.read({ read: tx, caller, ref: { id }, isTrashedIncluded: true });
}

/** Throws `validation_failed` for visitors of an app that has no comments of its own. */
function assertVisitable(type: string, { visitors = null }: AppFields): void {
  if (visitors !== null && type !== 'comments')
    throw invalidField('/visitors', 'app_type', `cannot be set for an app of type ${type}`);
}

/** Creates an app; throws `validation_failed` when its uid is taken or its directory is absent. */
export async function makeApp(change: AppChange, newApp: NewApp): Promise<ReadableApp> {
  const app = await addApp(change, newApp);
  if (app === undefined) throw uidTaken();
  return app;
}

/** The same, but returns undefined when the uid is taken. */
export async function addApp(change: AppChange, newApp: NewApp): Promise<ReadableApp | undefined> {
  const { tx, caller, at } = change;
  const { uid, type, fields, isPage = false, isSilent = false } = newApp;
  const access = fields.access ?? (isPage ? 'write' : 'none');
  assertVisitable(type, fields);
  const named = await findDirectory(tx, fields.directory ?? null);
  const values = {
    type,
    uid,
    access,
    directoryId: isPage
      ? pageDirectory(caller)
      : await usableDirectory(change, { access, directoryId: named }, closed),
    name: fields.name ?? null,
    description: fields.description ?? null,
    metadata: fields.metadata ?? null,
    tags: JSON.stringify(fields.tags ?? []),
    approval: fields.approval ?? null,
    approvalCount: fields.approvalCount ?? null,
    visitors: fields.visitors ?? null,
    resolving: fields.resolving ?? null,
    reopening: fields.reopening ?? null,
  };
  const byKey = caller.kind === 'key' ? 1 : 0;
  const row = await tx.get(insertApp, { ...values, ...appKeys(values), at, userId: caller.user.id, byKey });
  if (row === undefined) return undefined;
  await writeTags(tx, row.id, fields.tags ?? []);
  tx.defer(appIndex, { id: row.id, words: appWords(values), isNew: true });
  // A visitor is a member of no app.
  if (caller.kind !== 'visitor')
    await joinAsCreator(tx, { appId: row.id, user: caller.user, role: isPage ? 'member' : 'manager', at });
  const app = await reloadApp(change, row.id);
  await recordApp(change, 'app_created', { app, isSilent });
  return app;
}

/** The directory to which a page is limited: visitors have one of their own, and open pages to all. */
function pageDirectory({ kind, user }: Principal): number | null {
  return kind === 'visitor' ? null : user.directoryId;
}

/**
 * Sets the fields of a request on the app. A caller who can only read the app may send its present values, as the
 * reference client does on each load: that is no edit and has no event. Throws `manage_forbidden` for a real change by
 * a caller who does not manage the app, and `validation_failed` when the uid is taken or the directory is absent.
 */
export async function changeApp(
  change: AppChange,
  app: ReadableApp,
  fields: AppFields,
): Promise<ReadableApp> {
  const { tx, caller, at } = change;
  assertVisitable(app.type, fields);
  const named = fields.directory === undefined ? app.directoryId : await findDirectory(tx, fields.directory);
  const next = withFields(app, fields, named);
  if (isSameApp(app, next)) return app;
  asManageable(app);
  const values = { ...next, directoryId: await usableDirectory(change, next, app) };
  if (isSameApp(app, values)) return app;
  await usePicture(change, { before: app, after: values, appId: app.id });
  try {
    await tx.changed(updateApp, {
      ...values,
      ...appKeys(values),
      id: app.id,
      modifiedAt: at,
      modifiedById: caller.user.id,
    });
  } catch (error) {
    if (isUniqueViolation(error, 'apps.uid')) throw uidTaken();
    throw error;
  }
  await releasePicture(change, { before: app, after: values });
  if (fields.tags !== undefined) {
    await tx.run(deleteAppTags, { id: app.id });
    await writeTags(tx, app.id, fields.tags);
  }
  tx.defer(appIndex, { id: app.id, words: appWords(values) });
  const changed = await reloadApp(change, app.id);
  await recordApp(change, 'app_updated', { app: changed });
  return changed;
}

/** Puts an app in the trash, or takes it out; repeating it changes nothing. Returns the app. */
export async function trashOrRestoreApp(
  change: AppChange,
  app: ReadableApp,
  { isTrashed, isSilent = false }: { readonly isTrashed: boolean; readonly isSilent?: boolean },
): Promise<ReadableApp> {
  const { tx, at } = change;
  if ((app.trashedAt !== null) === isTrashed) return app;
  await tx.run(setAppTrashed, { id: app.id, trashedAt: isTrashed ? at : null });
  await refreshNotifications(change, { type: 'app', ids: [app.id] });
  const changed = await reloadApp(change, app.id);
  await recordApp(change, isTrashed ? 'app_trashed' : 'app_restored', { app: changed, isSilent });
  return changed;
}

/** The columns of the app with the fields of a request. */
function withFields(app: AppView, fields: AppFields, directoryId: NamedDirectory) {
  return {
    uid: fields.uid ?? app.uid,
    access: fields.access ?? app.access,
    directoryId,
    name: fields.name === undefined ? app.name : fields.name,
    description: fields.description === undefined ? app.description : fields.description,
    metadata: fields.metadata === undefined ? app.metadata : fields.metadata,
    tags: fields.tags === undefined ? app.tags : JSON.stringify(fields.tags),
    approval: fields.approval === undefined ? app.approval : fields.approval,
    approvalCount: fields.approvalCount === undefined ? app.approvalCount : fields.approvalCount,
    visitors: fields.visitors === undefined ? app.visitors : fields.visitors,
    resolving: fields.resolving === undefined ? app.resolving : fields.resolving,
    reopening: fields.reopening === undefined ? app.reopening : fields.reopening,
    pictureId: (fields.picture ?? app).pictureId,
    pictureUrl: (fields.picture ?? app).pictureUrl,
  };
}

function isSameApp(app: AppView, { metadata, ...columns }: ReturnType<typeof withFields>): boolean {
  return (
    isSameJson(metadata, app.metadata) &&
    (Object.keys(columns) as (keyof typeof columns)[]).every((name) => columns[name] === app[name])
  );
}

async function writeTags(tx: Tx, id: number, tags: readonly string[]): Promise<void> {
  if (tags.length > 0) await tx.run(insertAppTags, { id, tags });
}
