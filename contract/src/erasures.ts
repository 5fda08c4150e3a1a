import Type, { type Static } from 'typebox';
import { count, described, Id, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

/** The counts of an erasure, by kind. */
export const erasedKinds = {
  tokens: 'Access tokens that were revoked.',
  tags: 'Tags of the user.',
  memberships: 'Memberships in apps.',
  stars: 'Stars of the user that were removed.',
  follows: 'Users whom the user followed, and users who followed them.',
  subscriptions: 'Subscriptions of the user that were removed.',
  reactions: 'Reactions of the user that were removed.',
  votes: 'Votes in polls.',
  comments: 'Comments of the user: removed, or kept without their author.',
  posts: 'Posts of the user: removed, or kept without their author.',
  messages: 'Messages of the user: removed, or kept without their author.',
  revisions: 'What texts of the user said before edits.',
  mentions: 'Texts in which the user was mentioned, and which now say "Deleted user" there.',
  files: 'Files and attachments that were removed.',
  file_versions: 'Earlier versions of files that the user had put in.',
  file_contents:
    'Files of several users that show an earlier content again, because the user had put in the present one.',
  uploads: 'Uploads that nothing used.',
  embeds: 'Embeds that nothing shows any longer.',
  meetings: 'Meetings to which nothing invites any longer.',
  events: 'Events of the log that were rewritten, and with them the bodies of their deliveries.',
  attempts: 'Attempts to deliver such events whose stored answers were removed.',
  notifications: 'Notifications of the user.',
  notifications_of_others: 'Notifications of other users that were removed or rewritten.',
  kept_answers: "Answers that were kept for retries of the user's requests.",
  kept_answers_of_others: "Answers that are kept for retries of other users' requests and were rewritten.",
} as const;

/** A kind that an erasure counts. */
export type ErasedKind = keyof typeof erasedKinds;

const Counts = Type.Object(
  Object.fromEntries(Object.entries(erasedKinds).map(([kind, sentence]) => [kind, count(sentence)])) as {
    [K in ErasedKind]: ReturnType<typeof count>;
  },
  { $id: 'ErasureCounts', description: 'How many of each kind were removed or rewritten.' },
);

const contents = ['remove', 'keep'] as const;
const Content = Type.Unsafe<(typeof contents)[number]>({ type: 'string', enum: [...contents] });

const Erasure = Type.Object(
  {
    id: described(Id, 'The id of the erasure.'),
    user_id: described(Id, 'The id of the erased user. No user gets it again.'),
    content: described(
      Content,
      'Whether the texts of the user are removed (`remove`) or kept without their author (`keep`).',
    ),
    heir_id: o(
      described(
        Id,
        'The id of the visitor whose account the erased one has become a part of, and to whom the texts, reactions and reports now belong. Absent for everyone else.',
      ),
    ),
    state: Type.Unsafe<'running' | 'finished'>({
      type: 'string',
      enum: ['running', 'finished'],
      description: 'Whether everything is done.',
    }),
    part: o(string('What is being worked on. Absent once everything is done.')),
    requested_at: described(Timestamp, 'When the erasure was requested.'),
    finished_at: o(described(Timestamp, 'When everything was done. Absent before that.')),
    counts: described(Counts, 'How many of each kind were removed or rewritten until now.'),
    signature: o(
      string(
        'The receipt, signed: a JSON Web Signature (RFC 7515, compact, EdDSA with Ed25519) whose payload is this object without `signature` and whose header has the public key as `jwk`. Absent until everything is done.',
      ),
    ),
  },
  { $id: 'Erasure', description: 'The receipt of the erasure of a user. It names the user by id alone.' },
);
export type Erasure = Static<typeof Erasure>;

export const erasureOperations = operationsOf('Users', {
  eraseUser: {
    method: 'DELETE',
    path: '/api/users/{user}',
    summary: 'Erases a user with everything that the server has of them.',
    description:
      'The response is sent when the profile is gone and no other user can see the user any more. The rest is removed in the background: memberships, reactions, votes, files, notifications, and copies of their data in the log and in deliveries. `GET /api/erasures/{id}` shows the progress. Repeating the request returns the same erasure; it must then name the user by id. Visitors who have signed in may erase themselves, 50 from an address in a day.',
    caller: 'key',
    scopes: ['users', 'moderate'],
    on: { user: 'erase' },
    signedIn: Erasure,
    isForBanned: true,
    effect: 'change',
    query: Type.Object({
      content: o(
        described(
          Content,
          'Whether comments, posts and messages are removed (`remove`, the default) or kept without their author (`keep`). Files are removed in either case.',
        ),
      ),
    }),
    success: { 202: Erasure },
    errors: [400, 401, 403, 404],
  },
  getErasure: {
    method: 'GET',
    path: '/api/erasures/{id}',
    summary: 'Gets the receipt of an erasure, signed once everything is done.',
    caller: 'key',
    on: 'server',
    effect: 'read',
    success: { 200: Erasure },
    errors: [401, 403, 404],
  },
});
