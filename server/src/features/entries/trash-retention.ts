import { emptyTrashOf, type TrashRetention } from '../files/trash-retention.ts';
import { deleteWithEvents } from './delete.ts';
import { entriesTrashedBefore } from './trash-retention.store.ts';

/**
 * Deletes some of the comments, posts and messages that have been in the trash for so many days; returns whether there
 * may be more. What is held stays until a moderator decides.
 */
export async function emptyTrash(retention: TrashRetention): Promise<boolean> {
  return await emptyTrashOf(retention, {
    trashedBefore: entriesTrashedBefore,
    top: 100,
    remove: deleteWithEvents,
  });
}
