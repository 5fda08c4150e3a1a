import { handler } from '../../binding/handler.ts';
import { commentOperations } from '../../contract/comments.ts';
import type { Links } from '../entries/entries.ts';
import { restoreEntry, trashEntry } from '../entries/trash.ts';

/** Puts a comment in the trash. */
export const trashComment = handler(commentOperations.trashComment, async (call, parts: Links) => {
  const { detail } = await trashEntry(call, parts);
  return detail;
});

/** Takes a comment out of the trash. */
export const restoreComment = handler(commentOperations.restoreComment, async (call, parts: Links) => {
  const { detail } = await restoreEntry(call, parts);
  return detail;
});
