import Type, { type Static } from 'typebox';
import { operationsOf } from './operation.ts';
import { profileFields } from './users.ts';

const o = Type.Optional;

/** How long an access token can live, in seconds: a minute to thirty days. */
const tokenLifetime = { secondsMin: 60, secondsMax: 2_592_000 } as const;

/** An issued access token. Only this response contains it. */
const AccessToken = Type.Object(
  {
    access_token: Type.String({
      description: 'The token, for the header `Authorization: Bearer`.',
      examples: ['wyu_0123456789ABCDEFGHIJKLMNOPQRSTUV3mjk7s'],
    }),
    expires_in: Type.Integer({ minimum: 1, description: 'How long the token is valid, in seconds.' }),
  },
  { $id: 'AccessToken', description: 'A new access token. It is shown here and never again.' },
);

export const TokenCreate = Type.Object(
  {
    expires_in: o(
      Type.Integer({
        minimum: tokenLifetime.secondsMin,
        maximum: tokenLifetime.secondsMax,
        description: 'How long the token is valid, in seconds; 3600 when absent.',
      }),
    ),
    ...profileFields,
  },
  {
    $id: 'TokenCreate',
    description: 'How long the token is valid, and the fields of the user if it is created.',
  },
);
export type TokenCreate = Static<typeof TokenCreate>;

export const tokenOperations = operationsOf('Users', {
  issueToken: {
    method: 'POST',
    path: '/api/users/{user}/tokens',
    summary: 'Issues an access token of a user. A uid that nobody has creates the user.',
    description:
      'The other fields describe the user if it is created; they change nothing about an existing user. A suspended user gets no token (403), and one in the trash is not found (404).',
    caller: 'key',
    on: { user: 'issue' },
    effect: 'change',
    body: TokenCreate,
    success: { 200: AccessToken },
    answersSecret: true,
    errors: [400, 401, 403, 404, 422],
    example: { expires_in: 3600, name: 'Ada Lovelace' },
  },
  revokeTokens: {
    method: 'DELETE',
    path: '/api/users/{user}/tokens',
    summary: 'Revokes every access token of a user, even if the user is suspended or in the trash.',
    description:
      'Ends the tokens that were issued here, and those of an identity provider that were issued until now.',
    caller: 'key',
    on: { user: 'manage', trashed: 'included' },
    effect: 'change',
    success: { 200: null },
    errors: [400, 401, 403, 404],
  },
});
