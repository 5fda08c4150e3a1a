import type { Read } from '../../db/db.ts';
import { type Ref, uidFault } from '../../kernel/ids.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import type { AppRow } from './access.sql.ts';
import { appById, appByUid } from './access.store.ts';

/**
 * The one place that decides between 404, 403 and yes. A feature gets hold of an app only as one of the capabilities
 * below, whose types cannot be made elsewhere, so forgetting the check does not compile.
 */

/** What a caller may do in an app, each level including those before it. */
export type Level = 'none' | 'read' | 'write' | 'manage';

/** An app together with what it is to the caller. */
export type AppView = AppRow & { readonly level: Level };

declare const readable: unique symbol;
declare const writable: unique symbol;
declare const manageable: unique symbol;

/** An app whose content the caller may see. */
export type ReadableApp = AppView & { readonly [readable]: true };
/** An app in which the caller may create content. */
export type WritableApp = ReadableApp & { readonly [writable]: true };
/** An app that the caller may change, with its members and everyone's content. */
export type ManageableApp = WritableApp & { readonly [manageable]: true };

/** What of a caller decides. */
type Caller = Pick<Principal, 'kind'> & { readonly user: Pick<Principal['user'], 'id' | 'directoryId'> };

type AppFacts = Pick<AppRow, 'access' | 'directoryId' | 'createdById' | 'memberAccess' | 'memberRole'>;

/**
 * The caller's level. An API key manages everything. A member has the member's own access, which overrides the app's in
 * both directions, and a manager manages while that access is write. Anyone else has the app's access, if the app has no
 * directory or theirs.
 */
export function levelOf(principal: Caller, app: AppFacts): Level {
  if (principal.kind === 'key') return 'manage';
  if (app.memberAccess !== null) {
    if (app.memberAccess !== 'write') return app.memberAccess === 'read' ? 'read' : 'none';
    return isManager(principal.user.id, app) ? 'manage' : 'write';
  }
  if (app.directoryId !== null && app.directoryId !== principal.user.directoryId) return 'none';
  return app.access === 'write' ? 'write' : app.access === 'read' ? 'read' : 'none';
}

/**
 * Whether a member manages the app. A membership that a program without roles wrote has none: there the creator of the
 * app manages (decision 0034).
 */
function isManager(userId: number, { memberRole, createdById }: AppFacts): boolean {
  return memberRole === null ? createdById === userId : memberRole === 'manager';
}

/** The entries of `permissions` for a level. */
export function permissionsOf(level: Level): string[] {
  if (level === 'manage') return ['list', 'read', 'create', 'update', 'delete', 'admin'];
  if (level === 'write') return ['list', 'read', 'create'];
  return level === 'read' ? ['list', 'read'] : [];
}

/** The app that `ref` names as the caller stands to it, whatever that is; undefined when there is none. */
export async function findApp(read: Read, principal: Principal, ref: Ref): Promise<AppView | undefined> {
  const userId = principal.user.id;
  const row =
    'id' in ref
      ? await read.get(appById, { userId, id: ref.id })
      : await read.get(appByUid, { userId, uid: ref.uid });
  return row === undefined ? undefined : { ...row, level: levelOf(principal, row) };
}

/** Whether a trashed app counts as there: `live` no, `any` yes. */
type TrashRule = 'live' | 'any';

/** The app, if the caller may see it; throws `not_found`, in the same words for hidden and absent. */
export async function readableApp(
  read: Read,
  principal: Principal,
  ref: Ref,
  trash: TrashRule = 'live',
): Promise<ReadableApp> {
  const app = await findApp(read, principal, ref);
  if (app === undefined || app.level === 'none') throw notFound('app');
  if (app.trashedAt !== null && trash === 'live') throw notFound('app');
  return app as ReadableApp;
}

/**
 * The app with a uid, in the trash or not, for an operation that creates it where it is absent (undefined). Throws
 * `manage_forbidden` for an app that the caller may not see, because such an operation answers no 404.
 */
export async function upsertableApp(
  read: Read,
  caller: Principal,
  uid: string,
): Promise<ReadableApp | undefined> {
  const app = uidFault(uid) === undefined ? await findApp(read, caller, { uid }) : undefined;
  if (app?.level === 'none') return asManageable(app);
  return app as ReadableApp | undefined;
}

/** The app, if the caller may create content in it; throws `not_found` or `write_forbidden`. */
export async function writableApp(read: Read, principal: Principal, ref: Ref): Promise<WritableApp> {
  return asWritable(await readableApp(read, principal, ref));
}

/** The same app as one the caller may create content in; throws `write_forbidden`. */
export function asWritable(app: ReadableApp): WritableApp {
  if (app.level === 'read')
    throw new Problem('write_forbidden', 'You may read this app but not write to it.');
  return app as WritableApp;
}

/** The app, if the caller manages it; throws `not_found` or `manage_forbidden`. */
export async function manageableApp(
  read: Read,
  principal: Principal,
  ref: Ref,
  trash: TrashRule = 'live',
): Promise<ManageableApp> {
  const app = await readableApp(read, principal, ref, trash);
  return asManageable(app);
}

/** The same app as one the caller manages; throws `manage_forbidden`. */
export function asManageable(app: AppView): ManageableApp {
  if (app.level !== 'manage')
    throw new Problem('manage_forbidden', 'Only a manager of this app or an API key may do this.');
  return app as ManageableApp;
}

/** What of a comment, post, message or file decides over its rights. */
type Authored = {
  readonly createdById: number;
  readonly trashedAt: number | null;
  /** Who put it in the trash; null where a program that did not record it did. */
  readonly trashedById: number | null;
};

/** Whether the caller may change what this content says: its author with write access, or an API key. */
export function mayChange(principal: Principal, app: ReadableApp, { createdById }: Authored): boolean {
  if (principal.kind === 'key') return true;
  return app.level !== 'read' && createdById === principal.user.id;
}

/** Throws `edit_forbidden` unless the caller may change what this content says. */
export function assertMayChange(principal: Principal, app: ReadableApp, content: Authored): void {
  if (mayChange(principal, app, content)) return;
  throw new Problem(
    'edit_forbidden',
    'Only its author, with write access to the app, or an API key may change this.',
  );
}

/** Throws `edit_forbidden` unless the caller may remove this content: its author with write access, or a manager. */
export function assertMayRemove(
  principal: Principal,
  app: ReadableApp,
  content: Pick<Authored, 'createdById'>,
): void {
  if (app.level === 'manage') return;
  if (app.level === 'write' && content.createdById === principal.user.id) return;
  throw new Problem(
    'edit_forbidden',
    'Only its author, with write access to the app, a manager of the app or an API key may do this.',
  );
}

/** Whether this content is in the trash because somebody other than its author put it there. */
function isModerated({ createdById, trashedAt, trashedById }: Authored): boolean {
  return trashedAt !== null && trashedById !== null && trashedById !== createdById;
}

/** Whether a caller who trashes content that its author has trashed already makes it moderated. */
export function takesOver(principal: Principal, content: Authored): boolean {
  return content.trashedAt !== null && !isModerated(content) && content.createdById !== principal.user.id;
}

/**
 * Throws `moderated` when the caller wrote this content and somebody else put it in the trash. That the author manages
 * the app changes nothing: nobody overrules a decision about their own words.
 */
export function assertNotModerated(principal: Principal, content: Authored): void {
  if (principal.kind === 'key' || content.createdById !== principal.user.id || !isModerated(content)) return;
  throw new Problem(
    'moderated',
    'This was put in the trash by a moderator, a manager or an API key, so its author can neither restore nor edit it.',
  );
}

/** Whose eyes a list over many apps is seen with; 0 is the id of no directory. */
export type Viewer = { readonly userId: number; readonly directoryId: number };

/** The viewer that a principal is for lists, or undefined for an API key, which sees everything. */
export function viewerOf(principal: Principal): Viewer | undefined {
  if (principal.kind === 'key') return undefined;
  return { userId: principal.user.id, directoryId: principal.user.directoryId ?? 0 };
}
