import { handler } from '../../binding/handler.ts';
import { commentOperations } from '../../contract/comments.ts';
import type { Links } from '../entries/entries.ts';
import { holdEntry } from '../entries/hold.ts';
import { restoreEntry } from '../entries/trash.ts';

/** Holds a comment. */
export const holdComment = handler(commentOperations.holdComment, async (call, parts: Links) =>
  holdEntry(call, parts),
);

/** Approves a comment that is held. */
export const approveComment = handler(commentOperations.approveComment, restoreEntry);
