import { handler } from '../../binding/handler.ts';
import { commentOperations } from '../../contract/comments.ts';
import { restoreEntry, trashEntry } from '../entries/trash.ts';

/** Puts a comment in the trash. */
export const trashComment = handler(commentOperations.trashComment, trashEntry);

/** Takes a comment out of the trash. */
export const restoreComment = handler(commentOperations.restoreComment, restoreEntry);
