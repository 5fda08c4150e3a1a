import type { EntryCreate } from '../../contract/entries.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import type { ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { readableApp } from '../access/access.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import type { EntryKind, Place } from '../entries/entries.ts';
import { listEntriesOf } from '../entries/entry-lists.ts';
import { createEntryOperations } from '../entries/entry-operations.ts';

/** Comments as a kind of entry, for those that come without attachments. */
export const comment: EntryKind = { kind: 'comment' };

/** Finds what a comment hangs on, as a place the caller may write to or a parent the caller may read. */
type Parents = {
  readonly writable: (tx: Tx, principal: Principal, id: number) => Promise<Place>;
  readonly readable: (read: Read, principal: Principal, id: number) => Promise<void>;
};

/** What the comments feature does: the operations of every kind of entry, and those of comments on something. */
export type Comments = ReturnType<typeof createComments>;

/** The comments feature (specification section 4.3). Files and posts say themselves who may write to them. */
export function createComments({
  db,
  clock,
  links,
  files,
  posts,
}: {
  db: Db;
  clock: Clock;
  links: BlobLinks;
  files: Parents;
  posts: Parents;
}) {
  const resource: EntryKind = { ...comment, links };
  const entries = createEntryOperations({ db, clock, resource, appTypes: ['comments'] });

  return {
    ...entries,

    /** The comments of a comments app, or those on the posts and files of another. */
    async listOfApp(principal: Principal, ref: Ref, list: ListQuery): Promise<Json> {
      const { id, type } = await readableApp(db.read, principal, ref);
      const parent = { type: type === 'comments' ? 'app' : 'below', id } as const;
      return await listEntriesOf(await db.readForList(), principal, resource, parent, list);
    },

    createFileComment: async (principal: Principal, id: number, input: Input<EntryCreate>) =>
      await entries.create(principal, input, (tx) => files.writable(tx, principal, id)),

    createPostComment: async (principal: Principal, id: number, input: Input<EntryCreate>) =>
      await entries.create(principal, input, (tx) => posts.writable(tx, principal, id)),

    async listFileComments(principal: Principal, id: number, list: ListQuery): Promise<Json> {
      await files.readable(db.read, principal, id);
      return await listEntriesOf(await db.readForList(), principal, resource, { type: 'file', id }, list);
    },

    async listPostComments(principal: Principal, id: number, list: ListQuery): Promise<Json> {
      await posts.readable(db.read, principal, id);
      return await listEntriesOf(await db.readForList(), principal, resource, { type: 'post', id }, list);
    },
  };
}
