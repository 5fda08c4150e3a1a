import { conversationOperations } from 'confab-contract/conversations.ts';
import { Problem } from 'confab-contract/problem.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { type Call, handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { callerState, membershipOf, recordStateChange } from './conversation-changes.ts';
import { conversationDetail, readerOf, type ViewParts } from './conversation-view.ts';
import { clearMark, messageInApp, moveMark } from './conversations.store.ts';

/** Marks a conversation as read up to a message, the newest by default. A mark never moves back. */
export const markConversation = handler(
  conversationOperations.markConversation,
  async (call, parts: ViewParts) => {
    const { tx, on, at } = call;
    const id = await messageToMark(call);
    if (id !== null && (await tx.changed(moveMark, { ...membershipOf(call), id, at })) > 0)
      await recordStateChange(call, {
        action: 'conversation_marked',
        extra: { marked_at: json(`"${timestamp(at)}"`), marked_id: json(String(id)) },
      });
    return await conversationDetail(readerOf(call, parts), on);
  },
);

/** The message to mark, null for the newest where there is none; throws `validation_failed` for one of another app. */
async function messageToMark(
  call: Call<typeof conversationOperations.markConversation>,
): Promise<number | null> {
  const { tx, on } = call;
  const { message_id: id } = call.query;
  if (id === undefined) return (await callerState(call)).lastMessageId;
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
    if ((await call.tx.changed(clearMark, membershipOf(call))) > 0)
      await recordStateChange(call, { action: 'conversation_marked' });
    return await conversationDetail(readerOf(call, parts), call.on);
  },
);
