import type { Db, Tx } from '../../db/db.ts';
import { appIndex } from '../../db/search-index.ts';
import { orphanBelow } from '../../db/tallies.ts';
import { append } from '../../events/events.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Principal } from '../../kernel/principal.ts';
import { manageableApp } from '../access/access.ts';
import { removeFilesOfApp } from '../files/file-removal.ts';
import { actorOf } from '../users/user-json.ts';
import {
  deleteApp,
  deletedApp,
  deleteMembersOfApp,
  deletePrivateChat,
  deleteStarsOfApp,
  deleteSubscriptionsToApp,
  deleteTalliesOfApp,
  markDeleted,
} from './app-deletion.store.ts';
import { renderApp } from './app-json.ts';
import { deleteAppTags } from './apps.store.ts';

/**
 * Deleting an app puts it out of sight at once, for everybody, whatever its size: it is marked, and its uid is free
 * again. What is in it is taken away afterwards in batches: its entries by the removal of what hangs on deleted things,
 * which comes first, and the rest here. The marks are in the store, so a stop in between loses nothing.
 */

/** How many rows of a kind one transaction takes away. */
const rowsPerBatch = 200;

/** Deletes apps for good. */
export type AppDeletion = ReturnType<typeof createAppDeletion>;

/** Makes the part that deletes apps. */
export function createAppDeletion({ db, clock }: { db: Db; clock: Clock }) {
  /** Takes away one batch of an app. */
  async function purgeBatch(tx: Tx, id: number, at: UnixMs): Promise<void> {
    const batch = { id, top: rowsPerBatch };
    if ((await removeFilesOfApp(tx, id, { top: rowsPerBatch, at })) > 0) return;
    const removed =
      (await tx.run(deleteMembersOfApp, batch)) +
      (await tx.run(deleteStarsOfApp, batch)) +
      (await tx.run(deleteSubscriptionsToApp, batch));
    if (removed > 0) return;
    await tx.run(deleteTalliesOfApp, { id });
    await tx.run(deleteApp, { id });
  }

  return {
    /** Deletes an app, in the trash or not. One event tells of it and of everything that goes with it. */
    async deleteApp(principal: Principal, ref: Ref): Promise<undefined> {
      await db.write(async (tx) => {
        const app = await manageableApp(tx, principal, ref, 'any');
        const { id } = app;
        const at = clock.now();
        await append(tx, {
          action: 'app_deleted',
          actor: actorOf(principal.user),
          appId: id,
          entity: { id, json: renderApp(app) },
          at,
        });
        await tx.run(markDeleted, { id, uid: `deleted ${id}`, at });
        await tx.run(deletePrivateChat, { id });
        await tx.run(deleteAppTags, { id });
        tx.later(appIndex, { id, words: null });
        await orphanBelow(tx, { type: 'app', ids: [id], at });
        tx.wake('removals');
      });
    },

    /** An app that is deleted and still has rows, or undefined when there is none. */
    nextDeleted: async (): Promise<number | undefined> => (await db.read.get(deletedApp, {}))?.id,

    /** Takes away one batch of what a deleted app leaves behind, once its entries are gone. */
    async purge(id: number): Promise<void> {
      await db.write(async (tx) => await purgeBatch(tx, id, clock.now()));
    },
  };
}
