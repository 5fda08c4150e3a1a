import Type, { type Static } from 'typebox';
import { operation } from './operation.ts';
import { profileFields } from './users.ts';

const o = Type.Optional;

/** How long an access token can live, in seconds: a minute to thirty days. */
const tokenLifetime = { secondsMin: 60, secondsMax: 2_592_000 } as const;

/** A new access token; it is shown here and never again. */
const AccessToken = Type.Object(
  {
    access_token: Type.String({ examples: ['wyu_0123456789ABCDEFGHIJKLMNOPQRSTUV3mjk7s'] }),
    expires_in: Type.Integer({ description: 'Seconds until it ends.' }),
  },
  { $id: 'AccessToken' },
);

export const TokenCreate = Type.Object(
  {
    expires_in: o(
      Type.Integer({
        minimum: tokenLifetime.secondsMin,
        maximum: tokenLifetime.secondsMax,
        description: 'Seconds until it ends; 3600 when absent.',
      }),
    ),
    ...profileFields,
  },
  { $id: 'TokenCreate' },
);
export type TokenCreate = Static<typeof TokenCreate>;

const tag = 'Users';
const params = { user: 'ref' } as const;

export const tokenOperations = {
  issueToken: operation({
    id: 'issueToken',
    method: 'POST',
    path: '/api/users/{user}/tokens',
    tag,
    summary: 'Issues an access token of a user. A uid that nobody has creates the user.',
    description:
      'The other fields describe a user that is created here; they change nothing about one who is there. A suspended user gets none (403), one in the trash is not found (404).',
    caller: 'key',
    params,
    body: TokenCreate,
    success: { 200: AccessToken },
    errors: [400, 401, 403, 404, 422],
    example: { expires_in: 3600, name: 'Ada Lovelace' },
  }),
  revokeTokens: operation({
    id: 'revokeTokens',
    method: 'DELETE',
    path: '/api/users/{user}/tokens',
    tag,
    summary: 'Revokes every access token of a user, also of one who is suspended or in the trash.',
    caller: 'key',
    params,
    success: { 200: null },
    errors: [400, 401, 403, 404],
  }),
};
