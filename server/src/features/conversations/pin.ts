import { conversationOperations } from 'confab-contract/conversations.ts';
import { handler } from '../../binding/handler.ts';
import { membershipOf, recordStateChange } from './conversation-changes.ts';
import { readConversation, readerOf, type ViewParts } from './conversation-view.ts';
import { pin, unpin } from './conversations.store.ts';

/** Pins a conversation for the caller; repeating it changes nothing. */
export const pinConversation = handler(
  conversationOperations.pinConversation,
  async (call, parts: ViewParts) => {
    const view = await readConversation(readerOf(call, parts), call.on);
    if ((await call.tx.changed(pin, { ...membershipOf(call), at: call.at })) === 0) return view.render();
    await recordStateChange(call, { action: 'conversation_pinned' });
    return view.render({ pinnedAt: call.at });
  },
);

/** Removes the caller's pin. */
export const unpinConversation = handler(
  conversationOperations.unpinConversation,
  async (call, parts: ViewParts) => {
    const view = await readConversation(readerOf(call, parts), call.on);
    if ((await call.tx.changed(unpin, membershipOf(call))) === 0) return view.render();
    await recordStateChange(call, { action: 'conversation_unpinned' });
    return view.render({ pinnedAt: null });
  },
);
