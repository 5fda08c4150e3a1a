import { handler } from '../../binding/handler.ts';
import { postOperations } from '../../contract/posts.ts';
import { getEntry } from '../entries/get.ts';

/** One post. */
export const getPost = handler(postOperations.getPost, getEntry);
