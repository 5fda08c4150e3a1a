import { lockTimeOf } from '../../access/locks.ts';
import { handler } from '../../binding/handler.ts';
import { postOperations } from '../../contract/posts.ts';
import type { Links } from '../entries/entries.ts';
import { setPostLocked } from '../entries/lock.ts';

/** Locks a post with its comments, at once or from a time on; repeating it changes nothing. */
export const lockPost = handler(postOperations.lockPost, async (call, parts: Links) =>
  setPostLocked(call, parts, lockTimeOf(call.body ?? {}, call.on.entry, call.at)),
);

/** Unlocks a post; repeating it changes nothing. */
export const unlockPost = handler(postOperations.unlockPost, async (call, parts: Links) =>
  setPostLocked(call, parts, null),
);
