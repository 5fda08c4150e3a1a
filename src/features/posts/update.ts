import { resolverOf } from '../../access/targets.ts';
import { handler } from '../../binding/handler.ts';
import { postOperations } from '../../contract/posts.ts';
import { screenedEdit } from '../entries/screening.ts';
import { editEntry } from '../entries/update.ts';

/** Changes a post. */
export const updatePost = handler(
  postOperations.updatePost,
  screenedEdit('post', resolverOf(postOperations.updatePost.on)),
  editEntry,
);
