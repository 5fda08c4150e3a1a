import type { UnixMs } from 'confab-contract/values/time.ts';
import type { EntryRow } from '../../access/entry/entry.sql.ts';
import { authorOf } from '../../access/user/user-access.ts';
import type { Tx } from '../../db/db.ts';
import { systemUserId } from '../users/users.sql.ts';
import { reportedOf, reportItem } from './reports.ts';

/**
 * Reports an entry for the server, once, naming the rules that match it. It may run in a transaction that adds: the entry
 * belongs to it, and no other user can report it yet.
 */
export async function reportByRules(
  { tx, at }: { readonly tx: Tx; readonly at: UnixMs },
  entry: EntryRow,
  rules: readonly string[],
): Promise<void> {
  const { user } = await authorOf(tx, systemUserId);
  const report = { reason: 'rule', text: rules.join(', ') } as const;
  // Without an API key there is a limit on the open reports of a user.
  await reportItem({ tx, caller: { kind: 'key', user }, at }, reportedOf({ entry }), report);
}
