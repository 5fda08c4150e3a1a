import Type, { type Static } from 'typebox';
import { deleting, getting } from '../common-operations.ts';
import { boolean, described, limits, listOf, string, TrashedQuery } from '../fields.ts';
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
  example: { name: 'Guide', base_url: 'https://llm.example.com/v1', model: 'small', secret: 'a key' },
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

/** The context of a message: texts for the agent beside the message. */
export const contextIds = Type.Array(described(Type.Integer({ minimum: 1 }), 'The id of a blob.'), {
  maxItems: agentLimits.contextMax,
  uniqueItems: true,
  description: `The ids of blobs whose text an agent gets with the message, at most ${agentLimits.contextMax}.`,
});
