import { conversationOperations } from 'confab-contract/conversations.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { membershipOf, recordStateChange } from './conversation-changes.ts';
import { readConversation, readerOf, type ViewParts } from './conversation-view.ts';
import { setDelivered as setDeliveredAt } from './conversations.store.ts';

/**
 * Marks all messages so far as delivered to the caller. The stored time is later than the time of the newest message,
 * because existing clients compare the two and read equal times as not delivered.
 */
export const setDelivered = handler(conversationOperations.setDelivered, async (call, parts: ViewParts) => {
  const { tx, on } = call;
  const view = await readConversation(readerOf(call, parts), on);
  const { lastMessageAt, deliveredAt } = view.state;
  if (lastMessageAt === null || (deliveredAt !== null && deliveredAt > lastMessageAt)) return view.render();
  const at = Math.max(call.at, lastMessageAt + 1);
  await tx.run(setDeliveredAt, { ...membershipOf(call), at });
  await recordStateChange(call, {
    action: 'conversation_delivered',
    extra: { delivered_at: json(`"${timestamp(at)}"`) },
  });
  return view.render({ deliveredAt: at });
});
