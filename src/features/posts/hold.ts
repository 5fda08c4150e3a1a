import { handler } from '../../binding/handler.ts';
import { postOperations } from '../../contract/posts.ts';
import type { Links } from '../entries/entries.ts';
import { holdEntry } from '../entries/hold.ts';
import { restoreEntry } from '../entries/trash.ts';

/** Holds a post. */
export const holdPost = handler(postOperations.holdPost, async (call, parts: Links) =>
  holdEntry(call, parts),
);

/** Approves a post that is held. */
export const approvePost = handler(postOperations.approvePost, restoreEntry);
