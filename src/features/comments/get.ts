import { handler } from '../../binding/handler.ts';
import { commentOperations } from '../../contract/comments.ts';
import { getEntry } from '../entries/get.ts';

/** One comment. */
export const getComment = handler(commentOperations.getComment, getEntry);
