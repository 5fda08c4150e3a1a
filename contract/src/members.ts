import Type, { type Static } from 'typebox';
import { MemberList } from './apps.ts';
import { deleting } from './common-operations.ts';
import { Access, described, limits, MemberRole, TrueFalseNull, UserRef } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

const memberAccess = described(
  Access,
  'What the member may do in the app: nothing (`none`), read (`read`), or also create content (`write`). The default is `write`, also for a user who is a member already.',
);

const memberRole = described(
  MemberRole,
  "What the member may do beyond `access`, while that is `write`: decide on everyone's content (`moderator`), or also change the app and its members (`manager`). A role that is absent stays as it is.",
);

const MemberPut = Type.Object(
  { access: o(memberAccess), role: o(memberRole) },
  { $id: 'MemberPut', description: 'The fields of a member that a client can set.' },
);

/** One entry of a list of members to add. `uid` holds a user's id or uid; existing clients send `id` instead. */
export const MemberInput = Type.Object(
  {
    uid: o(UserRef),
    id: o(described(UserRef, 'Another name for `uid`. When both are present, `uid` wins.')),
    access: o(memberAccess),
    role: o(memberRole),
  },
  {
    $id: 'MemberInput',
    description: 'A user to add as a member. One of `uid` and `id` is required.',
    anyOf: [{ required: ['uid'] }, { required: ['id'] }],
  },
);
export type MemberInput = Static<typeof MemberInput>;

// All members are read: what most orders are by is in the rows of users, and only listed members are counted as they come.
const memberScans = [
  'uid',
  'name',
  'display_name',
  'access',
  'created_at',
  'suspended',
  'trashed=true',
  'trashed=null',
];

export const memberOperations = operationsOf('Members', {
  addMember: {
    method: 'PUT',
    path: '/api/apps/{app}/members/{user}',
    summary:
      'Adds a member, or changes the access or the role of one. The default access is write; null takes a role away.',
    description:
      'A user can add users of the same directory, and users with whom they share an app that an API key created. Any other user is 404, like one that does not exist.',
    caller: 'any',
    on: { app: 'manage' },
    effect: 'change',
    concurrentBy: 'app',
    body: MemberPut,
    success: { 204: null },
    errors: [400, 401, 403, 404],
    example: { access: 'write', role: 'moderator' },
  },
  addMembers: {
    method: 'POST',
    path: '/api/apps/{app}/members',
    summary: 'Adds members or changes their access or roles: all of them, or none when one is unknown.',
    caller: 'any',
    on: { app: 'manage' },
    effect: 'change',
    concurrentBy: 'app',
    body: Type.Array(MemberInput, { maxItems: limits.membersMax }),
    success: { 204: null },
    errors: [400, 401, 403, 404],
    example: [{ uid: 'ada' }, { uid: 'bob', access: 'read' }],
  },
  listMembers: {
    method: 'GET',
    path: '/api/apps/{app}/members',
    summary: 'Lists the members of an app.',
    caller: 'any',
    on: { app: 'read' },
    effect: 'list',
    query: Type.Object({
      suspended: o(
        Type.Unsafe<boolean | null>({
          ...TrueFalseNull,
          description:
            '`true` lists suspended members only, `false` the others, `null` all. The default is `false`.',
        }),
      ),
    }),
    list: { orderBy: ['id', 'uid', 'name', 'display_name', 'access', 'created_at'], expand: [] },
    scans: memberScans,
    success: { 200: MemberList },
    errors: [401, 404],
  },
  removeMember: {
    ...deleting,
    path: '/api/apps/{app}/members/{user}',
    summary: 'Removes a member. Several ids may stand in the path, separated by commas.',
    on: { app: 'leave' },
    concurrentBy: 'app',
    params: { user: 'text' },
  },
  removeMembers: {
    ...deleting,
    path: '/api/apps/{app}/members',
    summary: 'Removes members by id or uid: all of them, or none when one is unknown.',
    on: { app: 'leave' },
    concurrentBy: 'app',
    body: Type.Array(Type.String(), { maxItems: limits.membersMax }),
    example: ['ada', '17'],
  },
});
