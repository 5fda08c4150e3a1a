import Type, { type Static } from 'typebox';
import { described, limits, TrueFalseNull, UserRef } from '../fields.ts';
import { memberOperations } from '../members.ts';
import { operationsOf } from '../operation.ts';
import { userOperations } from '../users.ts';
import { replacing } from './replacing.ts';

const o = Type.Optional;
const { addMember, listMembers } = memberOperations;
const { id: _id, ...addMembers } = memberOperations.addMembers;

/** The access of a member in the second form, where a manager has `admin`. */
export const AccessWithAdmin = Type.Unsafe<'none' | 'read' | 'write' | 'admin'>({
  type: 'string',
  enum: ['none', 'read', 'write', 'admin'],
  description:
    'What the member may do in the app: nothing (`none`), read (`read`), also create content (`write`), or also change the app and its members (`admin`, the role `manager`).',
});

const MemberPutInSecondForm = Type.Object(
  { access: o(AccessWithAdmin) },
  { $id: 'MemberPutInSecondForm', description: 'The access of a member.' },
);

const MemberInputInSecondForm = Type.Object(
  {
    uid: o(UserRef),
    id: o(described(UserRef, 'Another name for `uid`. When both are present, `uid` wins.')),
    access: o(AccessWithAdmin),
  },
  {
    $id: 'MemberInputInSecondForm',
    description: 'A user to add as a member. One of `uid` and `id` is required.',
    anyOf: [{ required: ['uid'] }, { required: ['id'] }],
  },
);
export type MemberInputInSecondForm = Static<typeof MemberInputInSecondForm>;

const filters = {
  agent: o(
    Type.Unsafe<boolean | null>({
      ...TrueFalseNull,
      description: '`true` lists agents only, `false` people only. Absent or `null` lists both.',
    }),
  ),
  system: o(
    Type.Boolean({ description: 'Accepted from clients. The built-in user of the system is never listed.' }),
  ),
};

/** The operations of the second form on members and on who could be one. */
export const secondFormMemberOperations = operationsOf('Members', {
  listMembersInSecondForm: {
    ...replacing(listMembers),
    description:
      'With `member`, `agent` or a search it can list others: everybody whom the caller could add or mention.',
    query: Type.Object({
      ...listMembers.query.properties,
      ...filters,
      member: o(
        Type.Unsafe<boolean | null>({
          ...TrueFalseNull,
          description:
            '`true` lists members, as does its absence; `false` users whom the caller sees and who are no members, `null` both.',
        }),
      ),
    }),
    scans: [...listMembers.scans, 'member', 'agent'],
  },
  addMemberInSecondForm: {
    ...replacing(addMember),
    summary: 'Adds a member, or changes the access of one. The default access is write.',
    description: '`admin` makes the member a manager; any other access ends that.',
    body: MemberPutInSecondForm,
    example: { access: 'admin' },
  },
  putMembers: {
    ...addMembers,
    method: 'PUT',
    summary: 'Adds members or changes their access: all of them, or none when one is unknown.',
    body: Type.Array(MemberInputInSecondForm, { maxItems: limits.membersMax }),
    example: [{ id: 17, access: 'write' }],
  },
  listUsersInSecondForm: {
    ...replacing(userOperations.listUsers),
    description: 'A user gets the others whom they see, without themselves.',
    query: Type.Object({ ...userOperations.listUsers.query.properties, ...filters }),
    scans: [...userOperations.listUsers.scans, 'agent'],
  },
});
