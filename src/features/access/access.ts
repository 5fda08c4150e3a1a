import type { Read } from '../../db/db.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Principal } from '../../kernel/principal.ts';
import { Problem } from '../../kernel/problem.ts';
import type { AppRow } from './access.sql.ts';
import { appById, appByUid } from './access.store.ts';
import { type Authored, isHeld, isModerated } from './held.ts';
import type { Lookup } from './lookup.ts';

/**
 * The levels of access to an app, and the proofs of them. A feature gets an app only as one of the proofs below, whose
 * types only this folder can make, so code without the check does not compile.
 */

/** What a caller may do in an app, each level including those before it. */
export type Level = 'none' | 'read' | 'write' | 'moderate' | 'manage';

/** An app with the caller's membership, star, subscription and level. */
export type AppView = AppRow & { readonly level: Level };

declare const readable: unique symbol;
declare const writable: unique symbol;
declare const moderatable: unique symbol;
declare const manageable: unique symbol;

/** An app whose content the caller may see. */
export type ReadableApp = AppView & { readonly [readable]: true };
/** An app in which the caller may create content. */
export type WritableApp = ReadableApp & { readonly [writable]: true };
/** An app in which the caller decides on everyone's content. */
export type ModeratableApp = WritableApp & { readonly [moderatable]: true };
/** An app that the caller may change, with its members and everyone's content. */
export type ManageableApp = ModeratableApp & { readonly [manageable]: true };

/** The fields of a caller that decide their level. */
type Caller = Pick<Principal, 'kind'> & {
  readonly user: Pick<Principal['user'], 'id' | 'directoryId' | 'role'>;
};

type AppFacts = Pick<AppRow, 'access' | 'directoryId' | 'createdById' | 'memberAccess' | 'memberRole'>;

/**
 * The caller's level. An API key manages everything. A member has the member's own access, which overrides the app's in
 * both directions, and the rights of the member's role while that access is write. Anyone else has the app's access, if
 * the app has no directory or theirs. A moderator of a directory moderates what they see in it (decision 0064).
 */
export function levelOf(caller: Caller, app: AppFacts): Level {
  if (caller.kind === 'key') return 'manage';
  const level = ownLevelOf(caller.user, app);
  const isModerator = caller.user.role === 'moderator' && moderatesDirectoryOf(caller.user, app);
  return isModerator && (level === 'read' || level === 'write') ? 'moderate' : level;
}

function ownLevelOf(user: Caller['user'], app: AppFacts): Level {
  if (app.memberAccess !== null) {
    if (app.memberAccess !== 'write') return app.memberAccess === 'read' ? 'read' : 'none';
    if (isManager(user.id, app)) return 'manage';
    return app.memberRole === 'moderator' ? 'moderate' : 'write';
  }
  if (app.directoryId !== null && app.directoryId !== user.directoryId) return 'none';
  return app.access === 'write' ? 'write' : app.access === 'read' ? 'read' : 'none';
}

/** Whether an app is one of the directory of a user; a user without a directory belongs to the whole server. */
function moderatesDirectoryOf({ directoryId }: Caller['user'], app: AppFacts): boolean {
  return directoryId === null || directoryId === app.directoryId;
}

/** Whether a caller with this level decides on everyone's content. */
export function moderates({ level }: { readonly level: Level }): boolean {
  return level === 'moderate' || level === 'manage';
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
  if (level === 'write' || level === 'moderate') return ['list', 'read', 'create'];
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

/** The same app as one the caller moderates; throws `moderate_forbidden`. */
export function asModeratable(app: AppView): ModeratableApp {
  if (!moderates(app))
    throw new Problem(
      'moderate_forbidden',
      'Only a moderator or manager of this app or an API key may do this.',
    );
  return app as ModeratableApp;
}

/** The same app as one the caller manages; throws `manage_forbidden`. */
export function asManageable(app: AppView): ManageableApp {
  if (app.level !== 'manage')
    throw new Problem('manage_forbidden', 'Only a manager of this app or an API key may do this.');
  return app as ManageableApp;
}

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

/** Throws `edit_forbidden` unless the caller may remove this content: its author with write access, or a moderator. */
export function assertMayRemove(
  caller: Principal,
  app: ReadableApp,
  content: Pick<Authored, 'createdById'>,
): void {
  if (moderates(app)) return;
  if (app.level === 'write' && content.createdById === caller.user.id) return;
  throw new Problem(
    'edit_forbidden',
    'Only its author, with write access to the app, a moderator or manager of the app or an API key may do this.',
  );
}

/** Whether an operation looks for content in this state. */
export function matchesState(
  { isTrashedIncluded, isHeldIncluded = false }: Pick<Lookup, 'isTrashedIncluded' | 'isHeldIncluded'>,
  content: Authored,
): boolean {
  if (isHeld(content)) return isHeldIncluded;
  return content.trashedAt === null || isTrashedIncluded;
}

/** Whether sought content exists for the caller: in an app they see, and held only as its author or a moderator. */
export function existsFor(caller: Principal, app: AppView, content: Authored): boolean {
  if (app.level === 'none' || app.trashedAt !== null) return false;
  return !isHeld(content) || moderates(app) || content.createdById === caller.user.id;
}

/** Throws `moderated` for held content: it stays as it is until it is approved. */
export function assertNotHeld(content: Authored): void {
  if (isHeld(content))
    throw new Problem('moderated', 'This is held, so nobody can edit it before a moderator approves it.');
}

/**
 * Throws `moderated` when the caller wrote this content and somebody else put it in the trash. That the author manages
 * the app changes nothing: nobody overrules a decision about their own words.
 */
export function assertNotModerated(caller: Principal, content: Authored): void {
  if (caller.kind === 'key' || content.createdById !== caller.user.id || !isModerated(content)) return;
  throw new Problem(
    'moderated',
    'This was held or put in the trash by a moderator, a manager or an API key, so its author can neither restore nor edit it.',
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
