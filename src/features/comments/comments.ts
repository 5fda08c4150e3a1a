import type { EntryCreate, EntryPatch } from '../../contract/entries.ts';
import type { Clearable } from '../../contract/operation.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import type { ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';
import { readableApp, writableApp } from '../access/access.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import {
  createEntry,
  type EntryKind,
  editEntry,
  entryDetail,
  type Place,
  prepareDraft,
  prepareEdit,
  readableEntry,
  setEntryTrash,
} from '../entries/entries.ts';
import { listAttachmentsOf, listEntriesOf } from '../entries/entry-lists.ts';
import { deleteEntry } from '../entries/entry-removal.ts';

/** Comments as a kind of entry, for those that come without attachments. */
export const comment: EntryKind = { kind: 'comment' };

/** Finds what a comment hangs on, as a place the caller may write to or a parent the caller may read. */
type Parents = {
  readonly writable: (tx: Tx, principal: Principal, id: number) => Promise<Place>;
  readonly readable: (read: Read, principal: Principal, id: number) => Promise<void>;
};

/** What the comments feature does; see the operations of the same names. */
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
  const kind: EntryKind = { ...comment, links };

  async function create(
    principal: Principal,
    input: Input<EntryCreate>,
    findPlace: (tx: Tx) => Promise<Place>,
  ): Promise<Json> {
    const draft = input.map(prepareDraft);
    return await db.write(async (tx) => {
      const place = await findPlace(tx);
      const entry = await createEntry(tx, principal, kind, place, draft.valid(), { at: clock.now() });
      return await entryDetail(tx, principal, kind, entry);
    });
  }

  async function setTrashed(principal: Principal, id: number, isTrashed: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const { entry } = await setEntryTrash(tx, principal, kind, id, { isTrashed, at: clock.now() });
      return await entryDetail(tx, principal, kind, entry);
    });
  }

  return {
    createAppComment: async (principal: Principal, ref: Ref, input: Input<EntryCreate>) =>
      await create(principal, input, async (tx) => {
        const app = await writableApp(tx, principal, ref);
        if (app.type !== 'comments')
          throw invalidField('', 'app_type', `cannot be a comment in an app of type ${app.type}`);
        return { app, parentType: 'app', parentId: app.id };
      }),

    createFileComment: async (principal: Principal, id: number, input: Input<EntryCreate>) =>
      await create(principal, input, (tx) => files.writable(tx, principal, id)),

    createPostComment: async (principal: Principal, id: number, input: Input<EntryCreate>) =>
      await create(principal, input, (tx) => posts.writable(tx, principal, id)),

    async getComment(principal: Principal, id: number, query: { trashed?: boolean | null }): Promise<Json> {
      const isAny = query.trashed === true || query.trashed === null;
      const { entry } = await readableEntry(db.read, principal, kind, id, isAny ? 'any' : 'live');
      return await entryDetail(db.read, principal, kind, entry);
    },

    async updateComment(
      principal: Principal,
      id: number,
      input: Input<Clearable<EntryPatch>>,
    ): Promise<Json> {
      const edit = input.map(prepareEdit);
      return await db.write(async (tx) => {
        const entry = await editEntry(tx, principal, kind, id, edit, clock.now());
        return await entryDetail(tx, principal, kind, entry);
      });
    },

    listComments: async (principal: Principal, list: ListQuery) =>
      await listEntriesOf(db.read, principal, kind, undefined, list),

    async listAppComments(principal: Principal, ref: Ref, list: ListQuery): Promise<Json> {
      const app = await readableApp(db.read, principal, ref);
      return await listEntriesOf(db.read, principal, kind, { type: 'app', id: app.id }, list);
    },

    async listFileComments(principal: Principal, id: number, list: ListQuery): Promise<Json> {
      await files.readable(db.read, principal, id);
      return await listEntriesOf(db.read, principal, kind, { type: 'file', id }, list);
    },

    async listPostComments(principal: Principal, id: number, list: ListQuery): Promise<Json> {
      await posts.readable(db.read, principal, id);
      return await listEntriesOf(db.read, principal, kind, { type: 'post', id }, list);
    },

    trashComment: async (principal: Principal, id: number) => await setTrashed(principal, id, true),
    restoreComment: async (principal: Principal, id: number) => await setTrashed(principal, id, false),

    async deleteComment(principal: Principal, id: number): Promise<undefined> {
      await db.write((tx) => deleteEntry(tx, principal, kind, id, clock.now()));
    },

    listCommentAttachments: async (principal: Principal, id: number, list: ListQuery) =>
      await listAttachmentsOf(db.read, principal, kind, id, list),
  };
}
