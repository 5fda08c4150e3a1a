import { revisionOperations } from 'confab-contract/revisions.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import type { InspectableEntry } from '../../access/entry/entry-access.ts';
import { type Call, handler } from '../../binding/handler.ts';
import { matchesNothing } from '../../db/filters.ts';
import { readList } from '../../db/list.ts';
import { json } from '../../kernel/json.ts';
import { envelope, type PageAnswer } from '../../kernel/page.ts';
import { renderedUsers } from '../users/users.ts';
import { revisionList } from './revisions.store.ts';

type RevisionList = Omit<Call<typeof revisionOperations.listCommentRevisions>, 'on'> & {
  readonly on: InspectableEntry;
};

async function list({ read, caller, on, list }: RevisionList): Promise<PageAnswer> {
  if (matchesNothing(list)) return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const parameters = { entryId: on.entry.id };
  const { rows, count, next } = await readList(read, revisionList, { list, settings: {}, parameters });
  const users = await renderedUsers(
    read,
    caller,
    rows.map(({ createdById }) => createdById),
  );
  const items = rows.map(({ id, content, createdAt, createdById }) =>
    json(
      `{"id":${id},${content.slice(1, -1)},"created_at":"${timestamp(createdAt)}","created_by_id":${createdById},` +
        `"created_by":${users.get(createdById)}}`,
    ),
  );
  return envelope(list, { items, count, next });
}

/** The revisions of a comment. */
export const listCommentRevisions = handler(revisionOperations.listCommentRevisions, list);
/** The revisions of a post. */
export const listPostRevisions = handler(revisionOperations.listPostRevisions, list);
/** The revisions of a message. */
export const listMessageRevisions = handler(revisionOperations.listMessageRevisions, list);
