import { invalidField } from 'confab-contract/problem.ts';
import { agentChatOperations, agentOperations } from 'confab-contract/second-form/agents.ts';
import { ownUidFault } from 'confab-contract/values/ids.ts';
import { conversationAccess } from '../../access/conversation-access.ts';
import { handler } from '../../binding/handler.ts';
import {
  type AgentChange,
  type AgentParts,
  agentDetail,
  agentPage,
  agentReaders,
  forgetAgent,
  getAgentRow,
  splitBody,
  writeAgent,
} from '../../features/agents/agents.ts';
import { openAgentChat } from '../../features/conversations/agent-chat.ts';
import {
  readConversation,
  readerOf,
  type ViewParts,
} from '../../features/conversations/conversation-view.ts';
import { prepareMessage, writeMessage } from '../../features/messages/create.ts';
import { putUser } from '../../features/users/upsert.ts';
import { prepareChange, type UserChange, userReaders } from '../../features/users/user-change.ts';
import { changeUser, trashOrRestoreUser } from '../../features/users/user-record.ts';
import { systemUserId } from '../../features/users/users.sql.ts';
import type { UserParts } from '../../features/users/users.ts';

/** Agents, the chats with them, and messages with a context for them. */

/** The agents of the server. */
export const listAgents = handler(agentOperations.listAgents, agentPage);

/** One agent. */
export const getAgent = handler(agentOperations.getAgent, async (call, parts: UserParts) => {
  const { read, on: user } = call;
  return await agentDetail(call, { user, row: await getAgentRow(read, user), parts });
});

type Body = Parameters<typeof prepareChange>[0] & AgentChange;

/** The body of an agent as the change of where its answers come from, and that of its user, who is a program. */
function changesOf(body: Body) {
  const { change, profile } = splitBody(body);
  const { values, ...rest } = prepareChange(profile);
  const user: UserChange = { ...rest, values: { ...values, isBot: true } };
  return { change, user };
}

/** Changes the agent with the uid in the path, or creates it. */
export const upsertAgent = handler(
  agentOperations.upsertAgent,
  async (input, { principal, params: { user: uid } }, parts: AgentParts) => {
    const fault = ownUidFault('user', uid);
    const read = await input
      .and(fault === undefined ? undefined : invalidField('/uid', 'uid', fault))
      .read({ ...userReaders, ...agentReaders(parts) })
      .readLater({ picture: parts.pictures.reader(principal, { uid }) });
    return read.map(changesOf);
  },
  async (call, parts: AgentParts) => {
    const { params, body } = call;
    const put = await putUser(call, params.user, body.user);
    if (put.user.way !== null || put.user.id === systemUserId)
      throw invalidField('/uid', 'taken', 'is that of a visitor or of the system, who can be no agent');
    const user = await trashOrRestoreUser(call, put.user, { isTrashed: false });
    const row = await writeAgent(call, user, { change: body.change, box: parts.box });
    return { status: put.isNew ? 201 : 200, body: await agentDetail(call, { user, row, parts }) };
  },
);

/** Changes an agent and its user. */
export const updateAgent = handler(
  agentOperations.updateAgent,
  async (input, { principal, params: { user: ref } }, parts: AgentParts) => {
    const read = await input
      .read({ ...userReaders, ...agentReaders(parts) })
      .readLater({ picture: parts.pictures.reader(principal, ref) });
    return read.map(changesOf);
  },
  async (call, parts: AgentParts) => {
    const { tx, on, body } = call;
    await getAgentRow(tx, on);
    const user = await changeUser(call, on, body.user);
    const row = await writeAgent(call, user, { change: body.change, box: parts.box });
    return await agentDetail(call, { user, row, parts });
  },
);

/** Deletes an agent, and puts its user in the trash. */
export const deleteAgent = handler(agentOperations.deleteAgent, async (call) => {
  await forgetAgent(call.tx, call.on);
  await trashOrRestoreUser(call, call.on, { isTrashed: true });
  return undefined;
});

/** Starts a chat of the caller with an agent. */
export const startAgentChat = handler(agentChatOperations.startAgentChat, async (call, parts: ViewParts) => {
  const { tx, caller, params, body } = call;
  const opened = await openAgentChat(call, { ...body, agent: params.user, pointer: '/user' });
  const { id } = opened.app;
  const on = await conversationAccess.read({ read: tx, caller, ref: { id }, isTrashedIncluded: false });
  const shown = (await readConversation(readerOf(call, parts), on)).render();
  return { status: opened.isNew ? 201 : 200, body: shown };
});

/** Creates a message with a context for an agent. */
export const createMessageToAgent = handler(
  agentChatOperations.createMessageToAgent,
  prepareMessage,
  writeMessage,
);
