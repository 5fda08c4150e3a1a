import Type from 'typebox';
import { count, described, Timestamp } from './fields.ts';

const o = Type.Optional;

/** What moderators know of a visitor besides the profile. */
export const VisitorFacts = Type.Object(
  {
    approved_count: count(
      'How many items of the visitor were approved, in apps that ask for the approval of newcomers or guests.',
    ),
    address: o(
      Type.String({
        description:
          'The network from which the visitor last signed in or stayed signed in, as CIDR: an IPv4 address, or the /64 of an IPv6 address. Absent where that was 30 days ago, or the address may stand for everybody.',
        examples: ['203.0.113.7/32'],
      }),
    ),
    signed_in_at: o(described(Timestamp, 'When that was. Absent with `address`.')),
  },
  { $id: 'VisitorFacts', description: 'What moderators know of a visitor besides the profile.' },
);

/** The ways of a visitor, for the visitor alone. */
export const VisitorWays = Type.Array(Type.String({ examples: ['email'] }), {
  description:
    'The ways in which the visitor can sign in again: `email` and names of providers; empty for a guest. Only where a visitor gets themselves, with `GET /api/user`.',
});

/** The parameter of the list of users that limits it to those who sign in in one way. */
export const WayQuery = o(
  Type.String({
    maxLength: 64,
    description:
      'Only users who sign in like this: `none` for users of your product, `visitor` for all visitors, or one way, such as `guest`. Everybody when absent, and for users, who do not see how others sign in.',
    examples: ['guest'],
  }),
);
