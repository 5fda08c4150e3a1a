import type { User } from '../../kernel/principal.ts';

/** The columns of a user in the names features use. */
export const userColumns = [
  'users.id',
  'users.uid',
  'users.display_name as displayName',
  'users.email',
  'users.given_name as givenName',
  'users.middle_name as middleName',
  'users.family_name as familyName',
  'users.name',
  'users.nickname',
  'users.phone_number as phoneNumber',
  'users.comment',
  'users.directory_id as directoryId',
  'users.picture_id as pictureId',
  'users.picture_url as pictureUrl',
  'users.metadata',
  'users.tags',
  'users.created_at as createdAt',
  'users.modified_at as modifiedAt',
  'users.role',
  'users.is_bot as isBot',
  'users.is_active as isActive',
  'users.suspended_at as suspendedAt',
  'users.trashed_at as trashedAt',
  'users.way',
  'users.is_trusted as isTrusted',
] as const;

/** A row of `users` as read: its flags are 0 or 1. */
export type UserRow = Omit<User, 'isBot' | 'isActive' | 'isTrusted'> & {
  readonly isBot: number;
  readonly isActive: number;
  readonly isTrusted: number;
};

// A remembered row gives the same user each time, with what was rendered of it.
const users = new WeakMap<UserRow, User>();

/** The user of a row. */
export function userOf(row: UserRow): User {
  const known = users.get(row);
  if (known !== undefined) return known;
  const user = {
    ...row,
    isBot: row.isBot === 1,
    isActive: row.isActive === 1,
    isTrusted: row.isTrusted === 1,
  };
  users.set(row, user);
  return user;
}

/** The uid of an erased user. It has a space, so no request can name it and no client can take it. */
export function erasedUid(id: number): string {
  return `erased ${id}`;
}

/** Whether a user was erased; what is left of them is shown as the author of what stays, and is found nowhere else. */
export function isErased({ id, uid }: Pick<User, 'id' | 'uid'>): boolean {
  return uid === erasedUid(id);
}
