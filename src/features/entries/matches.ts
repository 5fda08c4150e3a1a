import { append } from '../../events/events.ts';
import { json } from '../../kernel/json.ts';
import type { EntryRow } from '../access/entry.sql.ts';
import type { Verdict } from '../moderation/moderation.ts';
import { actorOf } from '../users/user-json.ts';
import type { EntryChange } from './entries.ts';

/**
 * Appends the event of the rules that match an entry, in the transaction that takes it. It has no user, so of users only
 * moderators see it: the author does not learn what the rules are.
 */
export async function recordMatches(
  { tx, caller, at }: EntryChange,
  { id, kind, appId }: EntryRow,
  rules: Verdict = [],
): Promise<void> {
  if (rules.length === 0) return;
  const entity = { id, json: json(JSON.stringify({ id, type: kind, rules })) };
  await append(tx, { action: 'rules_matched', actor: actorOf(caller), appId, entity, at });
}
