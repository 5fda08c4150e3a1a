import { conversationOperations } from 'confab-contract/conversations.ts';
import { Problem } from 'confab-contract/problem.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { type Call, handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { membershipOf, recordStateChange } from './conversation-changes.ts';
import type { ConversationState } from './conversation-json.ts';
import { readConversation, readerOf, type ViewParts } from './conversation-view.ts';
import { clearMark, messageInApp, moveMark } from './conversations.store.ts';

/** Marks a conversation as read up to a message, the newest by default. A mark never moves back. */
export const markConversation = handler(
  conversationOperations.markConversation,
  async (call, parts: ViewParts) => {
    const { tx, on, at } = call;
    const view = await readConversation(readerOf(call, parts), on);
    const id = await messageToMark(call, view.state);
    if (id === null || (await tx.changed(moveMark, { ...membershipOf(call), id, at })) === 0)
      return view.render();
    await recordStateChange(call, {
      action: 'conversation_marked',
      extra: { marked_at: json(`"${timestamp(at)}"`), marked_id: json(String(id)) },
    });
    return view.render({ markedId: id, markedAt: at });
  },
);

/** The message to mark, null for the newest where there is none; throws `validation_failed` for one of another app. */
async function messageToMark(
  { tx, on, query }: Call<typeof conversationOperations.markConversation>,
  { lastMessageId }: ConversationState,
): Promise<number | null> {
  const { message_id: id } = query;
  if (id === undefined) return lastMessageId;
  if ((await tx.get(messageInApp, { appId: on.id, id })) !== undefined) return id;
  throw new Problem('validation_failed', 'message_id names no message of this conversation.', {
    errors: [
      { parameter: 'message_id', code: 'not_found', message: 'names no message of this conversation' },
    ],
  });
}

/** Removes the caller's mark, so that the whole conversation is unread. */
export const unmarkConversation = handler(
  conversationOperations.unmarkConversation,
  async (call, parts: ViewParts) => {
    const view = await readConversation(readerOf(call, parts), call.on);
    if ((await call.tx.changed(clearMark, membershipOf(call))) === 0) return view.render();
    await recordStateChange(call, { action: 'conversation_marked' });
    return view.render({ markedId: null, markedAt: null, wroteId: null });
  },
);
