import { handler } from '../../binding/handler.ts';
import { postOperations } from '../../contract/posts.ts';
import { deleteEntry } from '../entries/delete.ts';

/** Deletes a post permanently. */
export const deletePost = handler(postOperations.deletePost, deleteEntry);
