import { handler } from '../../binding/handler.ts';
import { postOperations } from '../../contract/posts.ts';
import type { Links } from '../entries/entries.ts';
import { restoreEntry, trashEntry } from '../entries/trash.ts';

/** Puts a post in the trash. */
export const trashPost = handler(postOperations.trashPost, async (call, parts: Links) => {
  const { detail } = await trashEntry(call, parts);
  return detail;
});

/** Takes a post out of the trash. */
export const restorePost = handler(postOperations.restorePost, async (call, parts: Links) => {
  const { detail } = await restoreEntry(call, parts);
  return detail;
});
