import { commentOperations } from 'confab-contract/comments.ts';
import { resolverOf } from '../../access/targets.ts';
import { handler } from '../../binding/handler.ts';
import { deleteEntry } from '../entries/delete.ts';
import type { Links } from '../entries/entries.ts';
import { getEntry } from '../entries/get.ts';
import { holdEntry } from '../entries/hold.ts';
import { screenedEdit } from '../entries/screening.ts';
import { restoreEntry, trashEntry } from '../entries/trash.ts';
import { editEntry } from '../entries/update.ts';

/**
 * Comments are the entries of comments apps, and what users write below posts and files. Here are the operations that do
 * what entries of any kind do.
 */

/** One comment. */
export const getComment = handler(commentOperations.getComment, getEntry);

/** Changes a comment. */
export const updateComment = handler(
  commentOperations.updateComment,
  screenedEdit('comment', resolverOf(commentOperations.updateComment.on)),
  editEntry,
);

/** Puts a comment in the trash. */
export const trashComment = handler(commentOperations.trashComment, trashEntry);

/** Takes a comment out of the trash. */
export const restoreComment = handler(commentOperations.restoreComment, restoreEntry);

/** Holds a comment. */
export const holdComment = handler(commentOperations.holdComment, async (call, parts: Links) =>
  holdEntry(call, parts),
);

/** Approves a comment that is held. */
export const approveComment = handler(commentOperations.approveComment, restoreEntry);

/** Deletes a comment permanently. */
export const deleteComment = handler(commentOperations.deleteComment, deleteEntry);
