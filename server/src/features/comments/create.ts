import { commentOperations } from 'confab-contract/comments.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { resolverOf } from '../../access/targets.ts';
import { handler } from '../../binding/handler.ts';
import type { Tx } from '../../db/db.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { createEntry, type Parent, parentColumns } from '../entries/create.ts';
import type { Links } from '../entries/entries.ts';
import type { Draft } from '../entries/entry-body.ts';
import { answeredBy } from '../entries/replies.ts';
import { screenedDraft } from '../entries/screening.ts';

type Creation = { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs; readonly body: Draft };

async function create(call: Creation, { links }: Links, parent: Parent): Promise<Json> {
  const { tx, body } = call;
  const answered =
    body.replyTo === undefined ? undefined : await answeredBy(tx, body.replyTo, parentColumns(parent));
  const { detail } = await createEntry({ ...call, links }, { kind: 'comment', parent, answered }, body);
  return detail;
}

/** Creates a comment in a comments app. */
export const createAppComment = handler(
  commentOperations.createAppComment,
  screenedDraft('comment', resolverOf(commentOperations.createAppComment.on)),
  async (call, parts: Links) => create(call, parts, { app: call.on }),
);

/** Creates a comment on a file. */
export const createFileComment = handler(
  commentOperations.createFileComment,
  screenedDraft('comment', resolverOf(commentOperations.createFileComment.on)),
  async (call, parts: Links) => create(call, parts, { file: call.on }),
);

/** Creates a comment on a post. */
export const createPostComment = handler(
  commentOperations.createPostComment,
  screenedDraft('comment', resolverOf(commentOperations.createPostComment.on)),
  async (call, parts: Links) => create(call, parts, { post: call.on }),
);
