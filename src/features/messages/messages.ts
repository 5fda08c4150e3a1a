import type { EntryCreate, EntryPatch } from '../../contract/entries.ts';
import type { Clearable } from '../../contract/operation.ts';
import type { Db, Read } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import type { ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';
import { readableApp, writableApp } from '../access/access.ts';
import { chatTypes } from '../apps/app-types.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import {
  createEntry,
  type EntryKind,
  editEntry,
  entryDetail,
  prepareDraft,
  prepareEdit,
  readableEntry,
  setEntryTrash,
} from '../entries/entries.ts';
import { listAttachmentsOf, listEntriesOf, listedEntries } from '../entries/entry-lists.ts';
import { deleteEntry } from '../entries/entry-removal.ts';
import { findLastMessage, setLastMessage, setWrote } from './messages.store.ts';

/** What the messages feature does; see the operations of the same names. */
export type Messages = ReturnType<typeof createMessages>;

const inConversations: ReadonlySet<string> = new Set(['parent', 'created_by']);

/**
 * The messages feature: entries of chats, chat rooms and private chats. It keeps what conversations are unread by: the
 * newest message of the app and the newest that each member wrote.
 */
export function createMessages({ db, clock, links }: { db: Db; clock: Clock; links: BlobLinks }) {
  const message: EntryKind = { kind: 'message', links };

  async function setTrashed(principal: Principal, id: number, isTrashed: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const wanted = { isTrashed, at: clock.now() };
      const { entry, isChanged } = await setEntryTrash(tx, principal, message, id, wanted);
      if (isChanged) await tx.run(findLastMessage, { appId: entry.appId });
      return await entryDetail(tx, principal, message, entry);
    });
  }

  return {
    async createMessage(principal: Principal, ref: Ref, input: Input<EntryCreate>): Promise<Json> {
      const draft = input.map(prepareDraft);
      return await db.write(async (tx) => {
        const app = await writableApp(tx, principal, ref);
        if (!chatTypes.includes(app.type))
          throw invalidField('', 'app_type', `cannot be a message in an app of type ${app.type}`);
        const place = { app, parentType: 'app', parentId: app.id } as const;
        const entry = await createEntry(tx, principal, message, place, draft.valid(), { at: clock.now() });
        await tx.run(setLastMessage, { appId: app.id, id: entry.id });
        if (app.memberAccess !== null)
          await tx.run(setWrote, { appId: app.id, userId: principal.user.id, id: entry.id });
        return await entryDetail(tx, principal, message, entry);
      });
    },

    async getMessage(principal: Principal, id: number, query: { trashed?: boolean | null }): Promise<Json> {
      const isAny = query.trashed === true || query.trashed === null;
      const { entry } = await readableEntry(db.read, principal, message, id, isAny ? 'any' : 'live');
      return await entryDetail(db.read, principal, message, entry);
    },

    async updateMessage(
      principal: Principal,
      id: number,
      input: Input<Clearable<EntryPatch>>,
    ): Promise<Json> {
      const edit = input.map(prepareEdit);
      return await db.write(async (tx) => {
        const entry = await editEntry(tx, principal, message, id, edit, clock.now());
        return await entryDetail(tx, principal, message, entry);
      });
    },

    listMessages: async (principal: Principal, list: ListQuery) =>
      await listEntriesOf(db.read, principal, message, undefined, list),

    async listAppMessages(principal: Principal, ref: Ref, list: ListQuery): Promise<Json> {
      const app = await readableApp(db.read, principal, ref);
      return await listEntriesOf(db.read, principal, message, { type: 'app', id: app.id }, list);
    },

    trashMessage: async (principal: Principal, id: number) => await setTrashed(principal, id, true),
    restoreMessage: async (principal: Principal, id: number) => await setTrashed(principal, id, false),

    async deleteMessage(principal: Principal, id: number): Promise<undefined> {
      await db.write(async (tx) => {
        const { entry } = await readableEntry(tx, principal, message, id, 'any');
        await deleteEntry(tx, principal, message, id, clock.now());
        await tx.run(findLastMessage, { appId: entry.appId });
      });
    },

    listMessageAttachments: async (principal: Principal, id: number, list: ListQuery) =>
      await listAttachmentsOf(db.read, principal, message, id, list),

    /** Some messages with their authors, by id, for conversations that the caller may see. */
    lastMessages: async (read: Read, principal: Principal, ids: readonly number[]) =>
      await listedEntries(read, principal, message, ids, inConversations),
  };
}
