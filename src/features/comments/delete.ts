import { handler } from '../../binding/handler.ts';
import { commentOperations } from '../../contract/comments.ts';
import { deleteEntry } from '../entries/delete.ts';

/** Deletes a comment permanently. */
export const deleteComment = handler(commentOperations.deleteComment, deleteEntry);
