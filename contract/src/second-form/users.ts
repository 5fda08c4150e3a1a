import Type from 'typebox';
import { boolean, described, TrashedQuery } from '../fields.ts';
import { operationsOf } from '../operation.ts';
import { User, UserDetail } from '../users.ts';

const o = Type.Optional;

/** What the card of a user shows. */
const UserCard = Type.Object(
  {
    ...UserDetail.properties,
    id: described(
      Type.Integer({ minimum: -1, maximum: Number.MAX_SAFE_INTEGER }),
      'The id of the user; 0 for the built-in user of the system and -1 for a user who was deleted.',
    ),
    presence: o(User.properties.presence),
    is_followed: o(
      boolean('Whether the caller follows the user. Absent for API keys, and for who cannot be followed.'),
    ),
  },
  { $id: 'UserCard', description: 'A user as their card shows them.' },
);

const following = {
  method: 'POST',
  caller: 'user',
  on: 'visible',
  effect: 'change',
  concurrentBy: 'caller',
  success: { 204: null },
  errors: [401, 404, 422],
} as const;

/** The operations of the second form on users. */
export const secondFormUserOperations = operationsOf('Users', {
  getUserInSecondForm: {
    method: 'GET',
    path: '/api/users/{user}',
    summary: 'Gets the card of a user by id or uid.',
    description:
      'An API key gets every user with every field. A user gets themselves with every field, and with the fields that users see of each other those whom `CONFAB_PEOPLE` shows and the other members of their apps. Anyone else is 404. The built-in user has the id 0 here, and a user who was deleted -1.',
    caller: 'any',
    on: 'visible',
    effect: 'read',
    params: { user: 'text' },
    query: TrashedQuery,
    success: { 200: UserCard },
    errors: [401, 404],
    replaces: true,
  },
  followUser: {
    ...following,
    path: '/api/users/{user}/follow',
    summary: 'Follows a user whom the caller may see; twice is once.',
    description: 'The posts of those whom the caller follows are listed with `following=true`.',
  },
  unfollowUser: {
    ...following,
    path: '/api/users/{user}/unfollow',
    summary: 'Ends that the caller follows a user.',
  },
});
