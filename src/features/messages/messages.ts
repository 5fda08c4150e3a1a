import type { Db, Read } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Principal } from '../../kernel/principal.ts';
import { chatTypes } from '../apps/app-types.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';
import type { EntryKind } from '../entries/entries.ts';
import { listedEntries } from '../entries/entry-lists.ts';
import { createEntryOperations } from '../entries/entry-operations.ts';
import { findLastMessage, setLastMessage, setWrote } from './messages.store.ts';

/** What the messages feature does: the operations of every kind of entry, and the last ones of conversations. */
export type Messages = ReturnType<typeof createMessages>;

const inConversations: ReadonlySet<string> = new Set(['parent', 'created_by']);

/**
 * The messages feature: entries of chats, chat rooms and private chats. It keeps what conversations are unread by: the
 * newest message of the app and the newest that each member wrote.
 */
export function createMessages({ db, clock, links }: { db: Db; clock: Clock; links: BlobLinks }) {
  const message: EntryKind = { kind: 'message', links };

  return {
    ...createEntryOperations({
      db,
      clock,
      resource: message,
      appTypes: chatTypes,
      async onCreated(tx, principal, app, { id }) {
        await tx.run(setLastMessage, { appId: app.id, id });
        if (app.memberAccess !== null)
          await tx.run(setWrote, { appId: app.id, userId: principal.user.id, id });
      },
      onMoved: async (tx, { appId }) => await tx.run(findLastMessage, { appId }),
    }),

    /** Some messages with their authors, by id, for conversations that the caller may see. */
    lastMessages: async (read: Read, principal: Principal, ids: readonly number[]) =>
      await listedEntries(read, principal, message, ids, inConversations),
  };
}
