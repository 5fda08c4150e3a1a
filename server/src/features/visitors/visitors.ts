import { randomUUID } from 'node:crypto';
import { findDirectory } from '../../access/directory/directory-access.ts';
import { allOf } from '../../kernel/all-of.ts';
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

/**
 * Creates a visitor, with a uid of `visitorUid` where the caller has one already. `checks` are under way in the transaction
 * and may refuse the visitor, the first of them first: what a visitor needs is asked beside them.
 */
export async function makeVisitor(
  { tx, at }: Moment,
  {
    uid = visitorUid(),
    ...values
  }: { readonly name: string; readonly email: string | null; readonly way: string; readonly uid?: string },
  checks: readonly Promise<unknown>[] = [],
): Promise<User> {
  const needed = Promise.all([getSystemUser(tx), findDirectory(tx, { uid: directoryOfVisitors })]);
  await allOf([...checks, needed]);
  const [system, directory = { uid: directoryOfVisitors }] = await needed;
  const write = { tx, at, caller: { kind: 'key', user: system } } as const;
  const user = await makeUser(write, uid, { directory, values });
  if (user === undefined) throw new Error('a random uid was made twice');
  return user;
}
