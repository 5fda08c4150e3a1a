import { appOperations } from 'confab-contract/apps.ts';
import { handler } from '../../binding/handler.ts';
import { appIndex } from '../../db/search-index.ts';
import { orphanBelow } from '../../db/tallies.ts';
import { refreshNotifications } from '../notifications/refresh.ts';
import { queueRedaction } from '../redactions/redactions.ts';
import { releasePicture } from '../users/picture-use.ts';
import { recordApp } from './app-changes.ts';
import { deleteAppTags, deletePrivateChat, markDeleted } from './apps.store.ts';

/**
 * Deletes an app, in the trash or not. One event covers everything in it. The app disappears at once whatever its size,
 * because deleting only marks it and frees its uid; `app-purge.ts` removes the rest later.
 */
export const deleteApp = handler(appOperations.deleteApp, async (call) => {
  const { tx, on: app, at } = call;
  const { id } = app;
  await recordApp(call, 'app_deleted', { app });
  await tx.run(markDeleted, { id, uid: `deleted ${id}`, at });
  await releasePicture(call, { before: app, after: { pictureId: null } });
  await tx.run(deletePrivateChat, { id });
  await tx.run(deleteAppTags, { id });
  tx.defer(appIndex, { id, words: null });
  await orphanBelow(tx, { type: 'app', ids: [id], at });
  for (const type of ['app', 'conversation']) await queueRedaction(tx, { type, ids: [id], at });
  await refreshNotifications(call, { type: 'app', ids: [id] });
  tx.wake('removals');
  return undefined;
});
