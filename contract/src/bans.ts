import Type, { type Static } from 'typebox';
import { deleting } from './common-operations.ts';
import { boolean, described, Id, listOf, string, Timestamp, UserRef } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** The limits of bans. */
export const banLimits = {
  /** The most bans in force: they are all in the memory of each node. */
  bansMax: 10_000,
  /** The longest ban, in seconds: 366 days, because addresses change hands. */
  secondsMax: 366 * 24 * 3600,
  reasonCharactersMax: 1000,
  addressCharactersMax: 64,
} as const;

const Ban = Type.Object(
  {
    id: described(Id, 'The id of the ban.'),
    address: Type.String({
      description: 'The network that is banned, as CIDR.',
      examples: ['203.0.113.7/32', '2001:db8:1:2::/64'],
    }),
    reason: o(string('Why, for other moderators. Absent where nothing was said.')),
    created_at: described(Timestamp, 'Since when the address is banned.'),
    expires_at: described(Timestamp, 'Until when the address is banned.'),
  },
  {
    $id: 'Ban',
    description:
      'A network from which visitors can neither sign in nor change anything for a while. They can still read.',
  },
);
export type Ban = Static<typeof Ban>;

const BanCreate = Type.Object(
  {
    address: o(
      Type.String({
        maxLength: banLimits.addressCharactersMax,
        description:
          'An address, or a network as CIDR of at most a /16 for IPv4 and a /32 for IPv6. An IPv6 address stands for its /64, of which one machine can have all addresses.',
        examples: ['203.0.113.7', '2001:db8:1::/48'],
      }),
    ),
    user: o(
      described(
        UserRef,
        'In place of `address`: the id or uid of a visitor, whose last known address is banned. It is known for 30 days after they signed in.',
      ),
    ),
    expires_at: o(
      Type.String({
        format: 'date-time',
        description: 'Until when, in RFC 3339: at most 366 days from now.',
        examples: ['2099-12-31T23:59:59Z'],
      }),
    ),
    seconds: o(
      Type.Integer({
        minimum: 1,
        maximum: banLimits.secondsMax,
        description: 'In place of `expires_at`: for how long, in seconds.',
      }),
    ),
    reason: o(
      Type.String({ maxLength: banLimits.reasonCharactersMax, description: 'Why, for other moderators.' }),
    ),
  },
  { $id: 'BanCreate', description: 'What to ban, and until when.' },
);

const BanList = listOf(Ban, 'BanList');

/** A ban in the log, which outlives it and so has no address. */
export const BanMark = Type.Object(
  { id: Ban.properties.id, created_at: Ban.properties.created_at, expires_at: Ban.properties.expires_at },
  { $id: 'BanMark', description: 'A ban in an event, without the address and the reason.' },
);

const UserModeration = Type.Object(
  {
    is_trusted: boolean(
      'Whether what they write is shown at once where newcomers or guests wait for approval.',
    ),
    is_suspended: boolean('Whether they can do nothing.'),
    banned_until: o(
      described(
        Timestamp,
        'Until when the address from which the visitor last signed in is banned. Absent where it is not, or not known. A caller who is no API key gets the end of the ban that the request asks for, also where a longer one stays, and no other, because bans would show who shares an address.',
      ),
    ),
  },
  { $id: 'UserModeration', description: 'How moderators have decided about a user.' },
);
export type UserModeration = Static<typeof UserModeration>;

const UserModerationPatch = Type.Object(
  {
    is_trusted: o(Type.Boolean({ description: 'Whether what they write needs no approval of newcomers.' })),
    is_suspended: o(Type.Boolean({ description: 'Whether they can do nothing from now on.' })),
    ban_seconds: o(
      Type.Integer({
        minimum: 0,
        maximum: banLimits.secondsMax,
        description:
          'For how many seconds from now to ban the address from which the visitor last signed in; 0 ends its ban. A longer ban stays.',
      }),
    ),
  },
  { $id: 'UserModerationPatch', description: 'What to decide about a user. What is absent stays.' },
);

const moderators = { caller: 'key', scopes: ['moderate'], on: 'server' } as const;

export const banOperations = operationsOf('Moderation', {
  createBan: {
    method: 'POST',
    path: '/api/bans',
    summary: 'Bans an address for a while: visitors who come from there only read.',
    description:
      'Exactly one of `address` and `user`, and one of `expires_at` and `seconds`. A network that is banned already gets the new time and reason and keeps its id. Every node knows a ban within 5 seconds. Users of your product and API keys are never banned by address; suspend a user instead.',
    ...moderators,
    effect: 'change',
    body: BanCreate,
    success: { 201: Ban },
    errors: [400, 401, 403, 422],
    example: { address: '203.0.113.7', seconds: 86_400, reason: 'spam' },
  },
  listBans: {
    method: 'GET',
    path: '/api/bans',
    summary: 'Lists the bans in force, the last ones first.',
    description: 'Bans have neither words, tags nor a trash, so a query for one of these matches none.',
    caller: 'key',
    on: 'server',
    effect: 'read',
    list: {
      orderBy: ['id', 'expires_at'],
      defaultOrder: { field: 'id', descending: true },
      expand: [],
    },
    success: { 200: BanList },
    errors: [401],
  },
  moderateUser: {
    method: 'PATCH',
    path: '/api/users/{user}/moderation',
    summary: 'Trusts or suspends a user, or bans the address of a visitor, as a moderator.',
    description:
      'For API keys, and for users with `role: moderator`, who decide about the users of their directory or, without one, about everyone; not about other moderators. Moderators and managers of single apps cannot: each of these holds in all apps. Addresses are not shown.',
    caller: 'any',
    on: { user: 'moderate' },
    effect: 'change',
    body: UserModerationPatch,
    neverNull: ['is_trusted', 'is_suspended', 'ban_seconds'],
    success: { 200: UserModeration },
    errors: [400, 401, 403, 404, 422],
    example: { ban_seconds: 604_800 },
  },
  deleteBan: {
    ...deleting,
    path: '/api/bans/{id}',
    summary: 'Ends a ban before its time.',
    ...moderators,
  },
});
