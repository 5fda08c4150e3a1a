import type { Principal } from '../../kernel/principal.ts';
import { asManageable, levelOf, type ReadableApp, readableApp } from './access.ts';
import type { Look } from './look.ts';

declare const leavable: unique symbol;
declare const removable: unique symbol;

/** An app that the caller manages, or in which the caller may end their own membership. */
export type LeavableApp = ReadableApp & { readonly [leavable]: true };

/** Members, each by id or uid, whom the caller may remove from an app. */
export type RemovableMembers = {
  readonly app: LeavableApp;
  readonly names: readonly string[];
  readonly [removable]: true;
};

/**
 * Whether the caller may end their own membership: of a room or private chat, unless the app gives more to those who
 * are no members than their membership does.
 */
function mayLeave(caller: Principal, app: ReadableApp): boolean {
  if (caller.kind !== 'token' || (app.type !== 'chat_room' && app.type !== 'private_chat')) return false;
  return app.level !== 'read' || levelOf(caller, { ...app, memberAccess: null }) !== 'write';
}

/** The right to remove members, if only oneself; throws `not_found` or `manage_forbidden`. */
export async function leavableApp({ read, caller, ref }: Look): Promise<LeavableApp> {
  const app = await readableApp(read, caller, ref);
  return (mayLeave(caller, app) ? app : asManageable(app)) as ReadableApp as LeavableApp;
}

/** The members that a request names, if the caller may remove them; throws `manage_forbidden`. */
export function asRemovable(
  { caller, on: app }: { readonly caller: Principal; readonly on: LeavableApp },
  names: readonly string[],
): RemovableMembers {
  const { id, uid } = caller.user;
  const isLeaving = mayLeave(caller, app) && names.every((name) => name === String(id) || name === uid);
  if (!isLeaving) asManageable(app);
  return { app, names } as RemovableMembers;
}
