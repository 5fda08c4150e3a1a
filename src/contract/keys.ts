import Type, { type Static } from 'typebox';
import { described, Id, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';

/** The most keys that one answer lists. */
export const listedKeysMax = 1000;

const ApiKey = Type.Object(
  {
    id: described(Id, 'The id of the key, which `confab key revoke` takes.'),
    name: string('What the key is for.'),
    hint: Type.String({ description: 'Its last four characters.', examples: ['Xk3q'] }),
    scopes: Type.Array(Type.String({ examples: ['read'] }), {
      description: 'What it may do; `all` stands for every scope.',
    }),
    created_at: described(Timestamp, 'When it was made.'),
    last_used_at: Type.Optional(
      described(Timestamp, 'When it was last used, to the minute. Absent for a key that was never used.'),
    ),
    expires_at: Type.Optional(described(Timestamp, 'When it ends. Absent for a key without an end.')),
    revoked_at: Type.Optional(described(Timestamp, 'When it was revoked. Absent for a key that was not.')),
  },
  { $id: 'ApiKey', description: 'An API key without its secret, which is kept nowhere.' },
);
/** An API key as others see it. */
export type ApiKey = Static<typeof ApiKey>;

const ApiKeys = Type.Array(ApiKey, {
  $id: 'ApiKeys',
  description: 'API keys, the newest first.',
});

export const keyOperations = operationsOf('Server', {
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    summary: 'Lists the API keys, without their secrets.',
    description: `The newest ${listedKeysMax}, also those that were revoked or have ended. Keys are made and revoked on the server, with \`confab key\`.`,
    caller: 'key',
    on: 'server',
    effect: 'read',
    success: { 200: ApiKeys },
    errors: [401],
  },
});
