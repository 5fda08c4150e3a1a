import { conversationOperations } from 'confab-contract/conversations.ts';
import { handler } from '../../binding/handler.ts';
import { membershipOf, recordStateChange } from './conversation-changes.ts';
import { conversationDetail, readerOf, type ViewParts } from './conversation-view.ts';
import { pin, unpin } from './conversations.store.ts';

/** Pins a conversation for the caller; repeating it changes nothing. */
export const pinConversation = handler(
  conversationOperations.pinConversation,
  async (call, parts: ViewParts) => {
    const changed = await call.tx.changed(pin, { ...membershipOf(call), at: call.at });
    if (changed > 0) await recordStateChange(call, { action: 'conversation_pinned' });
    return await conversationDetail(readerOf(call, parts), call.on);
  },
);

/** Removes the caller's pin. */
export const unpinConversation = handler(
  conversationOperations.unpinConversation,
  async (call, parts: ViewParts) => {
    const changed = await call.tx.changed(unpin, membershipOf(call));
    if (changed > 0) await recordStateChange(call, { action: 'conversation_unpinned' });
    return await conversationDetail(readerOf(call, parts), call.on);
  },
);
