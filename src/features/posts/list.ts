import { handler } from '../../binding/handler.ts';
import { postOperations } from '../../contract/posts.ts';
import type { Links } from '../entries/entries.ts';
import { listEntriesIn } from '../entries/list.ts';

/** The posts of every app that the caller can see. */
export const listPosts = handler(postOperations.listPosts, async (call, { links }: Links) =>
  listEntriesIn({ ...call, links }, 'post', { visible: call.on }),
);

/** The posts of an app. */
export const listAppPosts = handler(postOperations.listAppPosts, async (call, { links }: Links) =>
  listEntriesIn({ ...call, links }, 'post', { app: call.on }),
);
