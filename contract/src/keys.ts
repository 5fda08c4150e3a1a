import Type, { type Static } from 'typebox';
import { described, Id, limits, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';
import { type NeededScope, scopes } from './scopes.ts';

const o = Type.Optional;

/** The most keys that one answer lists. */
export const listedKeysMax = 1000;

const keyFields = {
  id: described(Id, 'The id of the key, which `confab key revoke` takes.'),
  name: string('The purpose of the key.'),
  hint: Type.String({ description: 'Its last four characters.', examples: ['Xk3q'] }),
  scopes: Type.Array(Type.String({ examples: ['read'] }), {
    description: 'The scopes of the key; `all` stands for every scope.',
  }),
  created_at: described(Timestamp, 'When it was made.'),
  last_used_at: o(
    described(Timestamp, 'When it was last used, to the minute. Absent for a key that was never used.'),
  ),
  expires_at: o(described(Timestamp, 'When it ends. Absent for a key without an end.')),
  revoked_at: o(described(Timestamp, 'When it was revoked. Absent for a key that was not.')),
};

const ApiKey = Type.Object(
  {
    ...keyFields,
    is_current: o(
      Type.Literal(true, {
        description: 'True for the key of this request, or of its session. Absent for other keys.',
      }),
    ),
  },
  { $id: 'ApiKey', description: 'An API key without its secret, which is kept nowhere.' },
);
/** An API key as others see it. */
export type ApiKey = Static<typeof ApiKey>;

const ApiKeys = Type.Array(ApiKey, {
  $id: 'ApiKeys',
  description: 'API keys, the newest first.',
});

const NewApiKey = Type.Object(
  {
    ...keyFields,
    key: Type.String({
      description: 'The key itself, for the header `Authorization: Bearer`.',
      examples: ['wys_0123456789ABCDEFGHIJKLMNOPQRSTUV3mjk7s'],
    }),
  },
  { $id: 'NewApiKey', description: 'A new API key. It is shown here and never again.' },
);
/** A new API key with its secret. */
export type NewApiKey = Static<typeof NewApiKey>;

const Scope = Type.Unsafe<NeededScope>({ type: 'string', enum: [...Object.keys(scopes), 'all'] });

const ApiKeyCreate = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: limits.nameCharactersMax,
      description: 'The purpose of the key.',
      examples: ['backend'],
    }),
    scopes: Type.Array(Scope, {
      minItems: 1,
      uniqueItems: true,
      description: 'The scopes of the key; `all` stands for every scope, including those of later releases.',
    }),
    expires_at: o(
      Type.String({
        format: 'date-time',
        description: 'When it ends, in RFC 3339; without an end when absent.',
        examples: ['2099-12-31T23:59:59Z'],
      }),
    ),
  },
  { $id: 'ApiKeyCreate', description: 'The name of a new API key, and its limits.' },
);

/** How long the key before a rotation can stay valid, in seconds: at most a week, by default a day. */
const overlap = { secondsMax: 604_800, secondsDefault: 86_400 } as const;

const KeyRotation = Type.Object(
  {
    overlap_seconds: o(
      Type.Integer({
        minimum: 0,
        maximum: overlap.secondsMax,
        description: `How long the key before stays valid, in seconds; ${overlap.secondsDefault} when absent. 0 revokes it at once. It never makes a key last longer.`,
      }),
    ),
    expires_at: o(
      Type.String({
        format: 'date-time',
        description:
          'When the new key expires, in RFC 3339. When absent, it expires when the old key would have.',
        examples: ['2099-12-31T23:59:59Z'],
      }),
    ),
  },
  { $id: 'KeyRotation', description: 'How to replace an API key.' },
);

/** How long the key before a rotation stays valid by default, in seconds. */
export const overlapSecondsDefault = overlap.secondsDefault;

const onlyWhole =
  'Only for a key with the scope `all`. A key that expires cannot create a key that lasts longer.';

export const keyOperations = operationsOf('Server', {
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    summary: 'Lists the API keys, without their secrets.',
    description: `The newest ${listedKeysMax}, also those that were revoked or have ended. \`confab key\` does the same on the server.`,
    caller: 'key',
    on: 'server',
    effect: 'read',
    success: { 200: ApiKeys },
    errors: [401],
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    summary: 'Creates an API key. Only this response shows its secret.',
    description: onlyWhole,
    caller: 'key',
    scopes: ['all'],
    on: 'server',
    effect: 'change',
    body: ApiKeyCreate,
    success: { 201: NewApiKey },
    answersSecret: true,
    errors: [400, 401, 403, 422],
    example: { name: 'backend', scopes: ['read', 'apps'], expires_at: '2099-12-31T23:59:59Z' },
  },
  rotateKey: {
    method: 'POST',
    path: '/api/keys/{id}/rotate',
    summary: 'Makes an API key that takes the place of another one, which stays valid for a while.',
    description: `The new key has the name and the scopes of the old one, and only this response shows its secret. A key that was revoked or has expired is not found, and neither is the key of console links, which has no secret. ${onlyWhole}`,
    caller: 'key',
    scopes: ['all'],
    on: 'server',
    effect: 'change',
    body: KeyRotation,
    success: { 201: NewApiKey },
    answersSecret: true,
    errors: [400, 401, 403, 404, 422],
    example: { overlap_seconds: 3600 },
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/keys/{id}',
    summary: 'Revokes an API key: requests with it and sessions that it began are refused from then on.',
    description:
      'Only for a key with the scope `all`. A key may revoke itself, even if it is the last one: `confab key create` and `confab console` on the server then give access. Revoking a key again changes nothing.',
    caller: 'key',
    scopes: ['all'],
    on: 'server',
    effect: 'change',
    success: { 204: null },
    errors: [401, 403, 404],
  },
});
