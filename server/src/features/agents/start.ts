import { agentChatOperations } from 'confab-contract/second-form/agents.ts';
import { conversationAccess } from '../../access/conversation-access.ts';
import { handler } from '../../binding/handler.ts';
import { openAgentChat } from '../conversations/agent-chat.ts';
import { readConversation, readerOf, type ViewParts } from '../conversations/conversation-view.ts';

/** Starts a chat of the caller with an agent. */
export const startAgentChat = handler(agentChatOperations.startAgentChat, async (call, parts: ViewParts) => {
  const { tx, caller, params, body } = call;
  const opened = await openAgentChat(call, { ...body, agent: params.user, pointer: '/user' });
  const { id } = opened.app;
  const on = await conversationAccess.read({ read: tx, caller, ref: { id }, isTrashedIncluded: false });
  const shown = (await readConversation(readerOf(call, parts), on)).render();
  return { status: opened.isNew ? 201 : 200, body: shown };
});
