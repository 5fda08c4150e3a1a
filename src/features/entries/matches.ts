import { append } from '../../events/events.ts';
import { json } from '../../kernel/json.ts';
import type { EntryRow } from '../access/entry.sql.ts';
import { isHolding, type Verdict } from '../moderation/moderation.ts';
import { actorOf } from '../users/user-json.ts';
import type { EntryChange } from './entries.ts';

/**
 * Appends the event of the rules that match an entry, and files the report that they ask for, in the transaction that takes it. It has no user, so of users only
 * moderators see it: the author does not learn what the rules are.
 */
export async function recordMatches(
  { tx, caller, at }: EntryChange,
  entry: EntryRow,
  verdict: Verdict | undefined,
): Promise<void> {
  if (verdict === undefined) return;
  const { id, kind, appId } = entry;
  const rules = verdict.matches.map(({ name, action }) => ({ name, action }));
  const entity = { id, json: json(JSON.stringify({ id, type: kind, rules })) };
  await append(tx, { action: 'rules_matched', actor: actorOf(caller), appId, entity, at });
  const reportedBy = rules.filter(({ action }) => action === 'report').map(({ name }) => name);
  // Moderators see what is held without a report.
  if (reportedBy.length > 0 && !isHolding(verdict)) await verdict.report({ tx, at }, entry, reportedBy);
}
