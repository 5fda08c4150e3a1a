import { randomUUID } from 'node:crypto';
import { directoryOfVisitors, type User } from '../../kernel/principal.ts';
import { getSystemUser, makeUser } from '../users/user-record.ts';
import type { Moment } from './visitor-sessions.ts';

/**
 * Visitors are people whom no product knows: they sign in by Confab itself, each in one of the ways that the operator allows,
 * and have names, sessions and rights apart from those of users of a product.
 */

/** A uid that no other visitor has. */
export function visitorUid(): string {
  return `visitor-${randomUUID()}`;
}

/** Creates a visitor, with a uid of `visitorUid` where the caller has one already. */
export async function makeVisitor(
  { tx, at }: Moment,
  values: { readonly name: string; readonly email: string | null; readonly way: string },
  uid = visitorUid(),
): Promise<User> {
  const write = { tx, at, caller: { kind: 'key', user: await getSystemUser(tx) } } as const;
  const user = await makeUser(write, uid, {
    directory: { uid: directoryOfVisitors },
    values,
  });
  if (user === undefined) throw new Error('a random uid was made twice');
  return user;
}
