import { handler } from '../../binding/handler.ts';
import { postOperations } from '../../contract/posts.ts';
import { prepareEdit } from '../entries/entry-body.ts';
import { editEntry } from '../entries/update.ts';

/** Changes a post. */
export const updatePost = handler(postOperations.updatePost, prepareEdit, editEntry);
