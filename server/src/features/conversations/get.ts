import type { AppType } from 'confab-contract/apps.ts';
import { conversationOperations } from 'confab-contract/conversations.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { chatTypes } from '../apps/app-types.ts';
import { readConversation, readerOf, type ViewParts } from './conversation-view.ts';
import { countUnread } from './conversations.store.ts';

/** One conversation. */
export const getConversation = handler(
  conversationOperations.getConversation,
  async (call, parts: ViewParts) => (await readConversation(readerOf(call, parts), call.on)).render(),
);

/** How many conversations of each type the caller has not read. */
export const getBadge = handler(conversationOperations.getBadge, async ({ read, caller }) => {
  const rows = await read.all(countUnread, { userId: caller.user.id, types: chatTypes });
  const unread = new Map(rows.map(({ type, count }) => [type, count]));
  const of = (type: AppType) => unread.get(type) ?? 0;
  return json(
    `{"private":${of('private_chat')},"rooms":${of('chat_room')},"chat":${of('chat')},"bots":${of('agent_chat')}}`,
  );
});
