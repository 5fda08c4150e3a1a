import { resolverOf } from '../../access/targets.ts';
import { handler } from '../../binding/handler.ts';
import { commentOperations } from '../../contract/comments.ts';
import { screenedEdit } from '../entries/screening.ts';
import { editEntry } from '../entries/update.ts';

/** Changes a comment. */
export const updateComment = handler(
  commentOperations.updateComment,
  screenedEdit('comment', resolverOf(commentOperations.updateComment.on)),
  editEntry,
);
