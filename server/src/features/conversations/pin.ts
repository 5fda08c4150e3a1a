import { conversationOperations } from 'confab-contract/conversations.ts';
import { handler } from '../../binding/handler.ts';
import { membershipOf, recordStateChange, type StateChange } from './conversation-changes.ts';
import { readConversation, readerOf, type ViewParts } from './conversation-view.ts';
import { pin, unpin } from './conversations.store.ts';

/** Pins a conversation for the caller; repeating it changes nothing. */
export const pinConversation = handler(
  conversationOperations.pinConversation,
  async (call, parts: ViewParts) => {
    const view = await readConversation(readerOf(call, parts), call.on);
    return (await setPinned(call, true)) ? view.render({ pinnedAt: call.at }) : view.render();
  },
);

/** Pins a conversation for the caller or removes the pin; returns whether that changes anything. */
export async function setPinned(change: StateChange, isPinned: boolean): Promise<boolean> {
  const { tx, at } = change;
  const member = membershipOf(change);
  const changed = await (isPinned ? tx.changed(pin, { ...member, at }) : tx.changed(unpin, member));
  if (changed === 0) return false;
  await recordStateChange(change, { action: isPinned ? 'conversation_pinned' : 'conversation_unpinned' });
  return true;
}

/** Removes the caller's pin. */
export const unpinConversation = handler(
  conversationOperations.unpinConversation,
  async (call, parts: ViewParts) => {
    const view = await readConversation(readerOf(call, parts), call.on);
    return (await setPinned(call, false)) ? view.render({ pinnedAt: null }) : view.render();
  },
);
