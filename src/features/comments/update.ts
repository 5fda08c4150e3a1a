import { handler } from '../../binding/handler.ts';
import { commentOperations } from '../../contract/comments.ts';
import { prepareEdit } from '../entries/entry-body.ts';
import { editEntry } from '../entries/update.ts';

/** Changes a comment. */
export const updateComment = handler(commentOperations.updateComment, prepareEdit, editEntry);
