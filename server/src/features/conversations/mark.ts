import { conversationOperations } from 'confab-contract/conversations.ts';
import { Problem } from 'confab-contract/problem.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { membershipOf, recordStateChange, type StateChange } from './conversation-changes.ts';
import { readConversation, readerOf, type ViewParts } from './conversation-view.ts';
import { clearMark, messageInApp, moveMark } from './conversations.store.ts';

/** Marks a conversation as read up to a message, the newest by default. A mark never moves back. */
export const markConversation = handler(
  conversationOperations.markConversation,
  async (call, parts: ViewParts) => {
    const view = await readConversation(readerOf(call, parts), call.on);
    const id = call.query.message_id ?? view.state.lastMessageId;
    return (await markUpTo(call, id)) ? view.render({ markedId: id, markedAt: call.at }) : view.render();
  },
);

/**
 * Moves the mark of the caller to a message; returns whether it moved. Throws `validation_failed` for a message of another
 * app.
 */
export async function markUpTo(change: StateChange, id: number | null): Promise<boolean> {
  if (id === null) return false;
  const { tx, at } = change;
  await assertMessage(change, id);
  if ((await tx.changed(moveMark, { ...membershipOf(change), id, at })) === 0) return false;
  await recordStateChange(change, {
    action: 'conversation_marked',
    extra: { marked_at: json(`"${timestamp(at)}"`), marked_id: json(String(id)) },
  });
  return true;
}

async function assertMessage({ tx, on }: StateChange, id: number): Promise<void> {
  if ((await tx.get(messageInApp, { appId: on.id, id })) !== undefined) return;
  throw new Problem('validation_failed', 'message_id names no message of this conversation.', {
    errors: [
      { parameter: 'message_id', code: 'not_found', message: 'names no message of this conversation' },
    ],
  });
}

/** Removes the mark of the caller; returns whether there was one. */
export async function removeMark(change: StateChange): Promise<boolean> {
  if ((await change.tx.changed(clearMark, membershipOf(change))) === 0) return false;
  await recordStateChange(change, { action: 'conversation_marked' });
  return true;
}

/** Removes the caller's mark, so that the whole conversation is unread. */
export const unmarkConversation = handler(
  conversationOperations.unmarkConversation,
  async (call, parts: ViewParts) => {
    const view = await readConversation(readerOf(call, parts), call.on);
    const isChanged = await removeMark(call);
    return view.render(isChanged ? { markedId: null, markedAt: null, wroteId: null } : {});
  },
);
