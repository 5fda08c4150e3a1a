import { pulledKinds } from 'confab-contract/import-words.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { appAccess } from '../../access/app-access.ts';
import type { EntryKind } from '../../access/entry/entry.sql.ts';
import { entryAccess } from '../../access/entry/entry-access.ts';
import { fileAccess } from '../../access/file/file-access.ts';
import { trashedState } from '../../access/held.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import { trashOrRestoreApp } from '../apps/app-changes.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import { recordEntry } from '../entries/entry-view.ts';
import { setState } from '../entries/trash.ts';
import { putInTrash } from '../files/trash.ts';
import { trashOrRestoreUser } from '../users/user-record.ts';
import type { Undone } from './import-runs.ts';
import {
  deleteItems,
  handOver,
  type ItemType,
  itemsOf,
  liveEntries,
  liveFiles,
  setUndone,
  untouchedApp,
  untouchedUser,
} from './imports.store.ts';

/**
 * Takes an import back: first its comments, then its apps and users that were not used otherwise. All of them are put in
 * the trash, with events. No webhook receives these events, because none was notified of the import.
 */

/** The counts of an import of which nothing was taken back yet. */
export function nothingUndone(kind: string): Undone {
  const counts = { comments: 0, apps: 0, users: 0 };
  const isOfServer = (pulledKinds as readonly string[]).includes(kind);
  return isOfServer ? { ...counts, posts: 0, messages: 0, files: 0 } : counts;
}

/** How many items one step takes back; a comment in the trash costs about as much as one that is written. */
const itemsPerStep = 200;

/** The transaction of a step. */
export type TakingBack = {
  readonly tx: Tx;
  readonly at: UnixMs;
  readonly caller: Principal;
  readonly runId: number;
  readonly links: BlobLinks | undefined;
};

/** What belongs to something goes before that. */
const types = ['comment', 'message', 'post', 'file', 'app', 'user'] as const satisfies readonly ItemType[];

/** Takes back the next items of an import; undefined when there are none. */
export async function takeBack(step: TakingBack): Promise<Partial<Undone> | undefined> {
  const { tx, runId, at } = step;
  for (const type of types) {
    const items = await tx.all(itemsOf, { runId, type, top: itemsPerStep });
    if (items.length === 0) continue;
    const ids = items.map(({ id }) => id);
    const undone = await takeItems(step, type, items);
    await tx.run(setUndone, { runId, type, ids: undone, at });
    // Items that were deleted, or trashed by another user, are not restored with the import.
    const others = ids.filter((id) => !undone.includes(id));
    await tx.run(deleteItems, { runId, type, ids: others });
    return { [`${type}s`]: undone.length };
  }
  return undefined;
}

type Item = { readonly id: number; readonly isMade: number };

async function takeItems(step: TakingBack, type: ItemType, items: readonly Item[]): Promise<number[]> {
  if (type === 'app' || type === 'user') return await trashAll(step, type, items);
  const ids = items.map(({ id }) => id);
  return type === 'file' ? await trashFiles(step, ids) : await trashEntries(step, type, ids);
}

async function trashFiles({ tx, caller, at, links }: TakingBack, ids: readonly number[]): Promise<number[]> {
  // Where no addresses can be made, no files were imported either.
  if (links === undefined) throw new Error('files cannot be taken back without their addresses');
  const trashed: number[] = [];
  for (const { id } of await tx.all(liveFiles, { ids })) {
    const on = await fileAccess.remove({ read: tx, caller, ref: { id }, isTrashedIncluded: false });
    await putInTrash({ tx, caller, at, links, on, isSilent: true });
    trashed.push(id);
  }
  return trashed;
}

async function trashEntries(
  { tx, caller, at, links }: TakingBack,
  kind: EntryKind,
  ids: readonly number[],
): Promise<number[]> {
  const live = await tx.all(liveEntries, { ids });
  const trashed: number[] = [];
  for (const { id } of live) {
    const look = { read: tx, caller, ref: { id }, isTrashedIncluded: false, isHeldIncluded: true };
    const on = await entryAccess(kind).remove(look);
    const state = trashedState(on.entry, { byId: caller.user.id, at });
    if (state === undefined) continue;
    const entry = await setState({ tx, caller, at, on }, state);
    await recordEntry({ tx, caller, at, links }, entry, { action: `${kind}_trashed`, isSilent: true });
    trashed.push(id);
  }
  return trashed;
}

/** Puts those apps or users in the trash that the import made, that no other import needs, and that are untouched. */
async function trashAll(step: TakingBack, type: 'app' | 'user', items: readonly Item[]): Promise<number[]> {
  const { tx, runId } = step;
  const trashed: number[] = [];
  for (const { id, isMade } of items) {
    const isNeeded = (await tx.changed(handOver, { runId, type, id, isMade })) > 0;
    if (isNeeded || isMade === 0) continue;
    if (type === 'app' ? await trashApp(step, id) : await trashUser(step, id)) trashed.push(id);
  }
  return trashed;
}

async function trashApp({ tx, caller, at }: TakingBack, id: number): Promise<boolean> {
  if ((await tx.get(untouchedApp, { id })) === undefined) return false;
  const app = await appAccess.read({ read: tx, caller, ref: { id }, isTrashedIncluded: false });
  await trashOrRestoreApp({ tx, caller, at }, app, { isTrashed: true, isSilent: true });
  return true;
}

async function trashUser({ tx, caller, at, runId }: TakingBack, id: number): Promise<boolean> {
  if ((await tx.get(untouchedUser, { id, runId })) === undefined) return false;
  const user = await findUser(tx, { id });
  if (user === undefined) return false;
  await trashOrRestoreUser({ tx, caller, at }, user, { isTrashed: true });
  return true;
}
