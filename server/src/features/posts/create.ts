import { postOperations } from 'confab-contract/posts.ts';
import { resolverOf } from '../../access/targets.ts';
import { handler } from '../../binding/handler.ts';
import { createEntry } from '../entries/create.ts';
import type { Links } from '../entries/entries.ts';
import { screenedDraft } from '../entries/screening.ts';

/** Creates a post in a posts app. */
export const createPost = handler(
  postOperations.createPost,
  screenedDraft('post', resolverOf(postOperations.createPost.on)),
  async (call, { links }: Links) => {
    const { detail } = await createEntry(
      { ...call, links },
      { kind: 'post', parent: { app: call.on } },
      call.body,
    );
    return detail;
  },
);
