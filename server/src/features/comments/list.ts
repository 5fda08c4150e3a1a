import { commentOperations } from 'confab-contract/comments.ts';
import { writesIn } from '../../access/app-access.ts';
import { handler } from '../../binding/handler.ts';
import { envelope } from '../../kernel/page.ts';
import type { Links } from '../entries/entries.ts';
import { listEntriesIn } from '../entries/list.ts';
import { listBelow, listComments as listIn } from '../entries/threads.ts';

/** The comments of every app that the caller can see. */
export const listComments = handler(commentOperations.listComments, async (call, { links }: Links) =>
  listEntriesIn({ ...call, links }, 'comment', { visible: call.on, authorId: call.query.author_id }),
);

/** The comments of a comments app, or those on the posts and files of any other app. */
export const listAppComments = handler(commentOperations.listAppComments, async (call, { links }: Links) => {
  const { on: app, caller, list, at } = call;
  if (app === undefined) return envelope(list, { items: [], count: 0 });
  const hasOwn = app.type === 'comments';
  const page = await listIn({ ...call, links }, hasOwn ? { app } : { below: app });
  return { ...page, isWritable: hasOwn && writesIn(caller, app, at) };
});

/** The comments on a file. */
export const listFileComments = handler(commentOperations.listFileComments, async (call, { links }: Links) =>
  listIn({ ...call, links }, { file: call.on }),
);

/** The comments on a post. */
export const listPostComments = handler(commentOperations.listPostComments, async (call, { links }: Links) =>
  listIn({ ...call, links }, { post: call.on }),
);

/** What is below a comment. */
export const listReplies = handler(commentOperations.listReplies, async (call, { links }: Links) =>
  listBelow({ ...call, links }, call.on),
);
