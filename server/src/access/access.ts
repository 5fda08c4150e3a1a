import { Problem } from 'confab-contract/problem.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import type { Read } from '../db/db.ts';
import type { Principal } from '../kernel/principal.ts';
import type { AppRow } from './access.sql.ts';
import { appById, appByUid } from './access.store.ts';
import { type Authored, isHeld, isModerated } from './held.ts';
import type { Lookup } from './lookup.ts';
import { type Level, levelOf, moderates } from './standing.ts';

/**
 * The proofs of the levels of access to an app (`standing.ts`). A feature gets an app only as one of the
 * proofs below. Only this folder can create values of these types, so code without the check does not
 * compile.
 */

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
/** An app in which the caller moderates everyone's content. */
export type ModeratableApp = WritableApp & { readonly [moderatable]: true };
/** An app that the caller may change, with its members and everyone's content. */
export type ManageableApp = ModeratableApp & { readonly [manageable]: true };

/** The entries of `permissions` for a level. */
export function permissionsOf(level: Level): string[] {
  if (level === 'manage') return ['list', 'read', 'create', 'update', 'delete', 'admin'];
  if (level === 'write' || level === 'moderate') return ['list', 'read', 'create'];
  return level === 'read' ? ['list', 'read'] : [];
}

/**
 * The app with the reference `ref` and the caller's level, even `none`; undefined when there is no such app.
 */
export async function findApp(read: Read, caller: Principal, ref: Ref): Promise<AppView | undefined> {
  const userId = caller.user.id;
  const row =
    'id' in ref
      ? await read.get(appById, { userId, id: ref.id })
      : await read.get(appByUid, { userId, uid: ref.uid });
  return row === undefined ? undefined : { ...row, level: levelOf(caller, row) };
}

/** Returns the app as proof that the caller may create content in the app; throws `write_forbidden`. */
export function asWritable(app: ReadableApp): WritableApp {
  if (app.level === 'read')
    throw new Problem('write_forbidden', 'You may read this app but not write to it.');
  return app as WritableApp;
}

/** Returns the app as proof that the caller moderates the app; throws `moderate_forbidden`. */
export function asModeratable(app: AppView): ModeratableApp {
  if (!moderates(app))
    throw new Problem(
      'moderate_forbidden',
      'Only a moderator or manager of this app or an API key may do this.',
    );
  return app as ModeratableApp;
}

/** Returns the app as proof that the caller manages the app; throws `manage_forbidden`. */
export function asManageable(app: AppView): ManageableApp {
  if (app.level !== 'manage')
    throw new Problem('manage_forbidden', 'Only a manager of this app or an API key may do this.');
  return app as ManageableApp;
}

/** Whether the caller may edit this content: its author with write access, or an API key. */
export function mayChange(caller: Principal, app: ReadableApp, { createdById }: Authored): boolean {
  if (caller.kind === 'key') return true;
  return app.level !== 'read' && createdById === caller.user.id;
}

/** Throws `edit_forbidden` unless the caller may edit this content. */
export function assertMayChange(caller: Principal, app: ReadableApp, content: Authored): void {
  if (mayChange(caller, app, content)) return;
  throw new Problem(
    'edit_forbidden',
    'Only its author, with write access to the app, or an API key may change this.',
  );
}

/**
 * Throws `moderate_forbidden` unless the caller may see earlier versions of this content: its author, or a
 * moderator.
 */
export function assertMayInspect(
  caller: Principal,
  app: ReadableApp,
  content: Pick<Authored, 'createdById'>,
): void {
  if (moderates(app) || content.createdById === caller.user.id) return;
  throw new Problem(
    'moderate_forbidden',
    'Only its author, a moderator or manager of the app or an API key may do this.',
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

/** Throws `own_content` for content that the caller wrote. */
export function assertNotOwn(caller: Principal, { createdById }: Pick<Authored, 'createdById'>): void {
  if (createdById === caller.user.id)
    throw new Problem('own_content', 'You wrote this, so you can change or remove it yourself.');
}

/** Whether an operation looks for content in this state. */
export function matchesState(
  { isTrashedIncluded, isHeldIncluded = false }: Pick<Lookup, 'isTrashedIncluded' | 'isHeldIncluded'>,
  content: Authored,
): boolean {
  if (isHeld(content)) return isHeldIncluded;
  return content.trashedAt === null || isTrashedIncluded;
}

/** Whether the caller sees an app and its content. */
export function sees({ level, trashedAt }: AppView): boolean {
  return level !== 'none' && trashedAt === null;
}

/**
 * Whether content exists for the caller: they see its app and, if it is held, are its author or a moderator.
 */
export function existsFor(caller: Principal, app: AppView, content: Authored): boolean {
  if (!sees(app)) return false;
  return !isHeld(content) || moderates(app) || content.createdById === caller.user.id;
}

/** Throws `moderated` for held content: it stays as it is until it is approved. */
export function assertNotHeld(content: Authored): void {
  if (isHeld(content))
    throw new Problem('moderated', 'This is held, so nobody can edit it before a moderator approves it.');
}

/**
 * Throws `moderated` when the caller wrote this content and another user put it in the trash. This also holds for an
 * author who manages the app, because nobody may overrule a decision about their own words.
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
 * The viewer of a list over many apps. A list for an API key is not limited; any other shows what the user may read.
 * `directoryId` is 0, the id of no directory, for a user without one.
 */
export type Viewer = {
  readonly isLimited: boolean;
  readonly userId: number;
  readonly directoryId: number;
  readonly [viewer]: true;
};

/** The viewer of a caller. */
export function viewerOf({ kind, user }: Principal): Viewer {
  return { isLimited: kind !== 'key', userId: user.id, directoryId: user.directoryId ?? 0 } as Viewer;
}
