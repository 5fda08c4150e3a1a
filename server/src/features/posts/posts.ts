import { postOperations } from 'confab-contract/posts.ts';
import { lockTimeOf } from '../../access/locks.ts';
import { resolverOf } from '../../access/targets.ts';
import { handler } from '../../binding/handler.ts';
import { deleteEntry } from '../entries/delete.ts';
import type { Links } from '../entries/entries.ts';
import { getEntry } from '../entries/get.ts';
import { holdEntry } from '../entries/hold.ts';
import { listEntriesIn } from '../entries/list.ts';
import { setPostLocked } from '../entries/lock.ts';
import { screenedEdit } from '../entries/screening.ts';
import { restoreEntry, trashEntry } from '../entries/trash.ts';
import { editEntry } from '../entries/update.ts';

/**
 * Posts are the entries of a posts app. Users comment on them and subscribe to them. Here are the operations that do what
 * entries of any kind do.
 */

/** One post. */
export const getPost = handler(postOperations.getPost, getEntry);

/** The posts of every app that the caller can see. */
export const listPosts = handler(postOperations.listPosts, async (call, { links }: Links) =>
  listEntriesIn({ ...call, links }, 'post', { visible: call.on, authorId: call.query.author_id }),
);

/** The posts of an app. */
export const listAppPosts = handler(postOperations.listAppPosts, async (call, { links }: Links) =>
  listEntriesIn({ ...call, links }, 'post', { app: call.on }),
);

/** Changes a post. */
export const updatePost = handler(
  postOperations.updatePost,
  screenedEdit('post', resolverOf(postOperations.updatePost.on)),
  editEntry,
);

/** Puts a post in the trash. */
export const trashPost = handler(postOperations.trashPost, trashEntry);

/** Takes a post out of the trash. */
export const restorePost = handler(postOperations.restorePost, restoreEntry);

/** Holds a post. */
export const holdPost = handler(postOperations.holdPost, async (call, parts: Links) =>
  holdEntry(call, parts),
);

/** Approves a post that is held. */
export const approvePost = handler(postOperations.approvePost, restoreEntry);

/** Locks a post with its comments, at once or from a time on; repeating it changes nothing. */
export const lockPost = handler(postOperations.lockPost, async (call, parts: Links) =>
  setPostLocked(call, parts, lockTimeOf(call.body ?? {}, call.on.entry, call.at)),
);

/** Unlocks a post; repeating it changes nothing. */
export const unlockPost = handler(postOperations.unlockPost, async (call, parts: Links) =>
  setPostLocked(call, parts, null),
);

/** Deletes a post permanently. */
export const deletePost = handler(postOperations.deletePost, deleteEntry);
