import { messageOperations } from 'confab-contract/messages.ts';
import { resolverOf } from '../../access/targets.ts';
import { handler } from '../../binding/handler.ts';
import { createEntry } from '../entries/create.ts';
import type { Links } from '../entries/entries.ts';
import { screenedDraft } from '../entries/screening.ts';
import { setLastMessage, setWrote } from './messages.store.ts';

/**
 * Creates a message in a chat, a chat room or a private chat. It stores what decides whether a conversation is unread: the
 * newest message of the app and the newest that each member wrote.
 */
export const createMessage = handler(
  messageOperations.createMessage,
  screenedDraft('message', resolverOf(messageOperations.createMessage.on)),
  async (call, { links }: Links) => {
    const { tx, caller, on: app, body } = call;
    const created = { kind: 'message', parent: { app } } as const;
    const { id, isHeld, detail } = await createEntry({ ...call, links }, created, body);
    // The conversation is as it was, until a moderator approves the message.
    if (isHeld) return detail;
    await tx.run(setLastMessage, { appId: app.id, id });
    if (app.memberAccess !== null) await tx.run(setWrote, { appId: app.id, userId: caller.user.id, id });
    return detail;
  },
);
