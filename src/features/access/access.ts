import type { Read } from '../../db/db.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Principal } from '../../kernel/principal.ts';
import { Problem } from '../../kernel/problem.ts';
import type { AppRow } from './access.sql.ts';
import { appById, appByUid } from './access.store.ts';

/**
 * The levels of access to an app, and the proofs of them. A feature gets an app only as one of the proofs below, whose
 * types only this folder can make, so code without the check does not compile.
 */

/** What a caller may do in an app, each level including those before it. */
export type Level = 'none' | 'read' | 'write' | 'manage';

/** An app with the caller's membership, star, subscription and level. */
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

/** The fields of a caller that decide their level. */
type Caller = Pick<Principal, 'kind'> & { readonly user: Pick<Principal['user'], 'id' | 'directoryId'> };

type AppFacts = Pick<AppRow, 'access' | 'directoryId' | 'createdById' | 'memberAccess' | 'memberRole'>;

/**
 * The caller's level. An API key manages everything. A member has the member's own access, which overrides the app's in
 * both directions, and a manager manages while that access is write. Anyone else has the app's access, if the app has no
 * directory or theirs.
 */
export function levelOf(caller: Caller, app: AppFacts): Level {
  if (caller.kind === 'key') return 'manage';
  if (app.memberAccess !== null) {
    if (app.memberAccess !== 'write') return app.memberAccess === 'read' ? 'read' : 'none';
    return isManager(caller.user.id, app) ? 'manage' : 'write';
  }
  if (app.directoryId !== null && app.directoryId !== caller.user.directoryId) return 'none';
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

/** The app that `ref` names, with the caller's level, even `none`; undefined when there is no such app. */
export async function findApp(read: Read, caller: Principal, ref: Ref): Promise<AppView | undefined> {
  const userId = caller.user.id;
  const row =
    'id' in ref
      ? await read.get(appById, { userId, id: ref.id })
      : await read.get(appByUid, { userId, uid: ref.uid });
  return row === undefined ? undefined : { ...row, level: levelOf(caller, row) };
}

/** The same app as one the caller may create content in; throws `write_forbidden`. */
export function asWritable(app: ReadableApp): WritableApp {
  if (app.level === 'read')
    throw new Problem('write_forbidden', 'You may read this app but not write to it.');
  return app as WritableApp;
}

/** The same app as one the caller manages; throws `manage_forbidden`. */
export function asManageable(app: AppView): ManageableApp {
  if (app.level !== 'manage')
    throw new Problem('manage_forbidden', 'Only a manager of this app or an API key may do this.');
  return app as ManageableApp;
}

/** The fields of a comment, post, message or file that decide its rights. */
type Authored = {
  readonly createdById: number;
  readonly trashedAt: number | null;
  /** The user who put it in the trash; null where a release trashed it that did not record this. */
  readonly trashedById: number | null;
};

/** Whether the caller may change what this content says: its author with write access, or an API key. */
export function mayChange(caller: Principal, app: ReadableApp, { createdById }: Authored): boolean {
  if (caller.kind === 'key') return true;
  return app.level !== 'read' && createdById === caller.user.id;
}

/** Throws `edit_forbidden` unless the caller may change what this content says. */
export function assertMayChange(caller: Principal, app: ReadableApp, content: Authored): void {
  if (mayChange(caller, app, content)) return;
  throw new Problem(
    'edit_forbidden',
    'Only its author, with write access to the app, or an API key may change this.',
  );
}

/** Throws `edit_forbidden` unless the caller may remove this content: its author with write access, or a manager. */
export function assertMayRemove(
  caller: Principal,
  app: ReadableApp,
  content: Pick<Authored, 'createdById'>,
): void {
  if (app.level === 'manage') return;
  if (app.level === 'write' && content.createdById === caller.user.id) return;
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
export function makesModerated(caller: Principal, content: Authored): boolean {
  return content.trashedAt !== null && !isModerated(content) && content.createdById !== caller.user.id;
}

/**
 * Throws `moderated` when the caller wrote this content and somebody else put it in the trash. That the author manages
 * the app changes nothing: nobody overrules a decision about their own words.
 */
export function assertNotModerated(caller: Principal, content: Authored): void {
  if (caller.kind === 'key' || content.createdById !== caller.user.id || !isModerated(content)) return;
  throw new Problem(
    'moderated',
    'This was put in the trash by a moderator, a manager or an API key, so its author can neither restore nor edit it.',
  );
}

declare const viewer: unique symbol;

/**
 * Who a list over many apps is for. A list for an API key is not limited; any other shows what the user may read.
 * `directoryId` is 0, the id of no directory, for a user without one.
 */
export type Viewer = {
  readonly isLimited: boolean;
  readonly userId: number;
  readonly directoryId: number;
  readonly [viewer]: true;
};

/** The viewer that a caller is. */
export function viewerOf({ kind, user }: Principal): Viewer {
  return { isLimited: kind !== 'key', userId: user.id, directoryId: user.directoryId ?? 0 } as Viewer;
}
