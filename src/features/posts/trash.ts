import { handler } from '../../binding/handler.ts';
import { postOperations } from '../../contract/posts.ts';
import { restoreEntry, trashEntry } from '../entries/trash.ts';

/** Puts a post in the trash. */
export const trashPost = handler(postOperations.trashPost, trashEntry);

/** Takes a post out of the trash. */
export const restorePost = handler(postOperations.restorePost, restoreEntry);
