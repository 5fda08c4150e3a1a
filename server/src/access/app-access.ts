import { notFound } from 'confab-contract/problem.ts';
import { uidFault } from 'confab-contract/values/ids.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Read } from '../db/db.ts';
import type { Principal } from '../kernel/principal.ts';
import {
  asManageable,
  asModeratable,
  asWritable,
  findApp,
  type ManageableApp,
  type ModeratableApp,
  type ReadableApp,
  type WritableApp,
} from './access.ts';
import { assertHolds } from './app-content.ts';
import { assertUnlocked, isLocked } from './locks.ts';
import type { Lookup, TimedLookup } from './lookup.ts';
import { levelOf } from './standing.ts';

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
 * Whether the caller may create content in an app that they see. People without a credential are told whether they may once
 * they have signed in as visitors.
 */
export function writesIn(caller: Principal, app: ReadableApp, at: UnixMs): boolean {
  if (isLocked(app, at)) return false;
  if (caller.kind === 'visitor') return app.visitors === 'write' && app.access === 'write';
  return app.level !== 'read';
}

/** Throws `not_found`, in the same words for hidden and absent. */
async function readable({ read, caller, ref, isTrashedIncluded }: Lookup): Promise<ReadableApp> {
  const app = await findApp(read, caller, ref);
  if (app === undefined || app.level === 'none') throw notFound('app');
  if (app.trashedAt !== null && !isTrashedIncluded) throw notFound('app');
  return app as ReadableApp;
}

/** The types of apps that their members may leave. */
const leftByMembers: readonly string[] = ['chat_room', 'private_chat', 'agent_chat'];

/**
 * Whether the caller may end their own membership: of a room, private chat or agent chat, unless the app gives more to those who
 * are no members than their membership does.
 */
function mayLeave(caller: Principal, app: ReadableApp): boolean {
  if (caller.kind !== 'token' || !leftByMembers.includes(app.type)) return false;
  return app.level !== 'read' || levelOf(caller, { ...app, memberAccess: null }) !== 'write';
}

/**
 * The rights on apps. Each throws `not_found`; `write` throws `write_forbidden`, `locked`, or `validation_failed` (fault
 * `app_type`) where the app cannot hold the content, `moderate` throws `moderate_forbidden`, and the others throw
 * `manage_forbidden`.
 */
export const appAccess = {
  read: readable,
  async write(lookup: TimedLookup): Promise<WritableApp> {
    const app = asWritable(await readable(lookup));
    assertUnlocked(app, lookup.at);
    if (lookup.holding !== undefined) assertHolds(app, lookup.holding);
    return app;
  },
  moderate: async (lookup: Lookup): Promise<ModeratableApp> => asModeratable(await readable(lookup)),
  manage: async (lookup: Lookup): Promise<ManageableApp> => asManageable(await readable(lookup)),
  async leave(lookup: Lookup): Promise<LeavableApp> {
    const app = await readable(lookup);
    return (mayLeave(lookup.caller, app) ? app : asManageable(app)) as ReadableApp as LeavableApp;
  },
};

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
