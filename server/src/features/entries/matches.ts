import type { ReadableApp } from '../../access/access.ts';
import type { EntryRow } from '../../access/entry/entry.sql.ts';
import { append } from '../../events/events.ts';
import { json } from '../../kernel/json.ts';
import { approvalFor } from '../moderation/approvals.ts';
import { isHolding, type Verdict } from '../moderation/moderation.ts';
import type { Holding } from '../moderation/queue.ts';
import { actorOf } from '../users/user-json.ts';
import type { EntryChange } from './entries.ts';

/** What `holdingFor` decides. */
type Decision = {
  /** Undefined where the entry is shown. */
  readonly hold: Holding | undefined;
  /**
   * Whether the app requires approval of it, also where a rule is the reason: an author who trips a rule is no freer in
   * what stands beside the entry.
   */
  readonly requiresApproval: boolean;
};

/**
 * Whether an entry is held once the caller has created or edited it, and why: for what rules say of it, or because its app
 * requires approval of what the caller writes.
 */
export async function holdingFor(
  { tx, caller }: Pick<EntryChange, 'tx' | 'caller'>,
  app: ReadableApp,
  verdict: Verdict | undefined,
): Promise<Decision> {
  const reason = await approvalFor(tx, caller, app);
  const byApp = reason === undefined ? undefined : { reason };
  return { hold: heldByRules(verdict, app) ?? byApp, requiresApproval: byApp !== undefined };
}

/** The rules hold what one of them holds, or what any matches where the app requires approval of what rules match. */
function heldByRules(verdict: Verdict | undefined, app: ReadableApp): Holding | undefined {
  if (verdict === undefined || !(isHolding(verdict) || app.approval === 'rules')) return undefined;
  return { reason: 'rule', rules: verdict.matches.map(({ name }) => name) };
}

/**
 * Appends the event of the rules that match an entry, and files the report that they ask for, in the transaction that
 * takes it. The event has no user, so of users only moderators see it: the author does not learn what the rules are.
 */
export async function recordMatches(
  { tx, caller, at }: EntryChange,
  entry: EntryRow,
  { verdict, isHeld }: { readonly verdict: Verdict | undefined; readonly isHeld: boolean },
): Promise<void> {
  if (verdict === undefined) return;
  const { id, kind, appId } = entry;
  const rules = verdict.matches.map(({ name, action }) => ({ name, action }));
  const entity = { id, json: json(JSON.stringify({ id, type: kind, rules })) };
  await append(tx, { action: 'rules_matched', actor: actorOf(caller), appId, entity, at });
  const reportedBy = rules.filter(({ action }) => action === 'report').map(({ name }) => name);
  // Held items are in the queue of moderators already.
  if (reportedBy.length > 0 && !isHeld) await verdict.report({ tx, at }, entry, reportedBy);
}
