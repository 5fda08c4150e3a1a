import Type, { type Static } from 'typebox';
import { deleting, getting } from '../common-operations.ts';
import { Conversation } from '../conversations.ts';
import { EntryCreate } from '../entries.ts';
import { boolean, described, Id, limits, listOf, TrashedQuery, uidOf } from '../fields.ts';
import { messageOperations } from '../messages.ts';
import { operationsOf } from '../operation.ts';
import { profileFields, UserDetail } from '../users.ts';

const o = Type.Optional;

/** The limits of what an agent is made of. */
export const agentLimits = {
  addressCharactersMax: 2048,
  modelCharactersMax: 256,
  instructionsCharactersMax: 16_384,
  secretCharactersMax: 4096,
  tokensMax: 1_000_000,
  /** Ids of blobs that one message can have as its context. */
  contextMax: 20,
} as const;

const { is_bot: _isBot, ...agentProfile } = profileFields;

const whereFrom = {
  base_url: o(
    Type.String({
      maxLength: agentLimits.addressCharactersMax,
      description:
        'Where answers come from: an address below which `/chat/completions` speaks the protocol of OpenAI, such as `https://llm.example.com/v1`. Absent where a program answers with an access token of the agent. It needs `CONFAB_AGENTS=yes`.',
      examples: ['https://llm.example.com/v1'],
    }),
  ),
  model: o(
    Type.String({
      maxLength: agentLimits.modelCharactersMax,
      description: 'The model that the address is asked for. An agent with a `base_url` needs one.',
    }),
  ),
  instructions: o(
    Type.String({
      maxLength: agentLimits.instructionsCharactersMax,
      description: 'What the model is told before each conversation.',
    }),
  ),
  max_tokens: o(
    Type.Integer({
      minimum: 1,
      maximum: agentLimits.tokensMax,
      description: 'How long an answer may be, in tokens; as the address decides when absent.',
    }),
  ),
};

/** An agent: a user who is a program, with where its answers come from. */
const Agent = Type.Object(
  {
    ...UserDetail.properties,
    is_agent: boolean('Always true.'),
    ...whereFrom,
    has_secret: boolean('Whether a key is kept for the address. The key itself is never shown.'),
  },
  { $id: 'Agent', description: 'A user who is a program, with where its answers come from.' },
);
const AgentList = listOf(Agent, 'AgentList');

const AgentPut = Type.Object(
  {
    ...agentProfile,
    ...whereFrom,
    secret: o(
      Type.String({
        minLength: 1,
        maxLength: agentLimits.secretCharactersMax,
        pattern: '^[\\x21-\\x7e]+$',
        description:
          'The key of the address, which is sent as `Authorization: Bearer`. It is kept sealed. Null removes it. It belongs to `base_url`: an address on another host needs it again.',
      }),
    ),
  },
  { $id: 'AgentPut', description: 'The fields of an agent that a client can change.' },
);
export type AgentPut = Static<typeof AgentPut>;

const change = {
  caller: 'key',
  effect: 'change',
  body: AgentPut,
  errors: [400, 401, 403, 404, 422],
  example: { name: 'Guide', base_url: 'https://llm.example.com/v1', model: 'small', secret: 'a-key' },
} as const;

export const agentOperations = operationsOf('Agents', {
  listAgents: {
    method: 'GET',
    path: '/api/agents',
    summary: 'Lists the agents.',
    caller: 'key',
    on: 'server',
    effect: 'read',
    list: { orderBy: ['id'], expand: [] },
    success: { 200: AgentList },
    errors: [401],
  },
  getAgent: {
    ...getting(Agent),
    path: '/api/agents/{user}',
    summary: 'Gets an agent by the id or uid of its user.',
    caller: 'key',
    on: { user: 'read', trashed: 'asked' },
    query: TrashedQuery,
    errors: [401, 403, 404],
  },
  upsertAgent: {
    ...change,
    method: 'PUT',
    path: '/api/agents/{user}',
    summary: 'Changes the agent with the uid in the path, or creates it with its user.',
    description:
      'Absent fields keep their value. A user who is no agent yet becomes one, and one in the trash is restored.',
    scopes: ['users'],
    on: 'server',
    params: { user: 'text' },
    success: { 200: Agent, 201: Agent },
    errors: [400, 401, 403, 422],
  },
  updateAgent: {
    ...change,
    method: 'PATCH',
    path: '/api/agents/{user}',
    summary: 'Changes the fields of an agent that are present; null clears one.',
    on: { user: 'manage' },
    success: { 200: Agent },
  },
  deleteAgent: {
    ...deleting,
    path: '/api/agents/{user}',
    summary: 'Deletes an agent: it forgets where answers come from, and puts the user in the trash.',
    caller: 'key',
    on: { user: 'manage', trashed: 'included' },
  },
});

const AgentChatCreate = Type.Object(
  {
    uid: o(
      described(
        uidOf('app', 'copilot-ada'),
        'The unique name of the chat, which belongs to the caller. One is made when absent.',
      ),
    ),
    name: o(Type.String({ maxLength: limits.nameCharactersMax, description: 'What the chat is called.' })),
  },
  { $id: 'AgentChatCreate', description: 'The uid and the name of a chat with an agent.' },
);

const MessageToAgentCreate = Type.Object(
  {
    ...EntryCreate.properties,
    context: o(
      Type.Array(Id, {
        maxItems: agentLimits.contextMax,
        uniqueItems: true,
        description: `The ids of blobs of the caller whose texts an agent of a provider gets with the message, at most ${agentLimits.contextMax}. They stay unused.`,
      }),
    ),
  },
  { $id: 'MessageToAgentCreate', description: 'The fields of a message that an agent can be the reader of.' },
);

const { id: _id, tag: _tag, params: _params, ...created } = messageOperations.createMessage;

export const agentChatOperations = operationsOf('Agents', {
  startAgentChat: {
    method: 'POST',
    path: '/api/agents/{user}/chats',
    summary: 'Starts a chat of the caller with an agent, or opens the one with a uid.',
    description:
      'A chat has two members, the caller and the agent. A uid that the caller has given to a chat with this agent opens it again.',
    caller: 'user',
    on: 'caller',
    effect: 'change',
    body: AgentChatCreate,
    success: { 200: Conversation, 201: Conversation },
    errors: [400, 401, 404, 422],
    example: { name: 'Ideas for the launch' },
  },
  createMessageToAgent: {
    ...created,
    tag: 'Messages',
    replaces: true,
    body: MessageToAgentCreate,
    description:
      'In a chat with an agent, `metadata.instructions` is told to the agent beside its own instructions, and `context` names texts for it.',
  },
});
