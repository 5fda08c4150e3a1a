import type { AppView } from '../../access/access.ts';
import type { EntryRow } from '../../access/entry/entry.sql.ts';
import type { ResolvableEntry } from '../../access/entry/entry-access.ts';
import { countChange, countIn } from '../../access/held.ts';
import type { Tx } from '../../db/db.ts';
import { changeCount } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { resolvedRoot, setEntryOpen, setEntryResolved } from './entries.store.ts';
import type { EntryChange, Links, Move } from './entries.ts';
import { contentOf, renderContent } from './entry-json.ts';
import { entryDetail, partsBefore, recordEntry } from './entry-view.ts';
import { resolvedTally } from './replies.ts';

/**
 * Threads that are resolved (decision 0187): the comment that began a thread has when and by whom. Each parent counts its
 * resolved threads as it counts its answers, so the numbers of open and resolved threads are differences of counts.
 */

/** The columns of a comment whose thread is open. */
export const open = { resolvedAt: null, resolvedById: null };

/** Resolves a thread and returns the comment that began it, in full. Repeating it changes nothing. */
export async function resolveThread(call: Move<ResolvableEntry>, { links }: Links): Promise<Json> {
  const { tx, caller, at, on } = call;
  const change = { ...call, links };
  if (on.entry.resolvedAt !== null) return await entryDetail({ ...change, read: tx }, on.entry);
  const parts = await partsBefore(change, on.entry);
  const resolved = { ...on.entry, resolvedAt: at, resolvedById: caller.user.id };
  const changed = withContent(resolved);
  await tx.run(setEntryResolved, changed);
  await changeCount(tx, resolvedTally(changed), countIn(changed));
  return await recordEntry(change, changed, { action: 'comment_resolved', parts });
}

/** Reopens a thread and returns the comment that began it, in full. Repeating it changes nothing. */
export async function reopenThread(call: Move<ResolvableEntry>, { links }: Links): Promise<Json> {
  const { tx, on } = call;
  const change = { ...call, links };
  if (on.entry.resolvedAt === null) return await entryDetail({ ...change, read: tx }, on.entry);
  return (await reopen(change, on.entry)) ?? (await entryDetail({ ...change, read: tx }, on.entry));
}

/**
 * Reopens the thread of an answer that everybody sees from now on, where the app says that answers do. Call it after the
 * event of the answer: creates run beside each other until one writes, so the thread is read in the turn to write, and of
 * several answers the one whose command changes the row has the event.
 */
export async function reopenAnswered(
  change: EntryChange,
  { kind, rootId }: Pick<EntryRow, 'kind' | 'rootId'>,
  app: AppView,
): Promise<void> {
  if (kind !== 'comment' || rootId === null || app.reopening !== 'answers') return;
  const root = await change.tx.get(resolvedRoot, { id: rootId });
  if (root !== undefined) await reopen(change, root);
}

/** Reopens a thread with its event; undefined where another change has done so. */
async function reopen(change: EntryChange, root: EntryRow): Promise<Json | undefined> {
  const changed = withContent({ ...root, ...open });
  if ((await change.tx.changed(setEntryOpen, changed)) === 0) return undefined;
  const { live, trashed } = countIn(root);
  await changeCount(change.tx, resolvedTally(root), { live: -live, trashed: -trashed });
  return await recordEntry(change, changed, { action: 'comment_reopened' });
}

/** Counts the first comment of a resolved thread that is put in the trash, held or shown again. */
export async function recountResolved(tx: Tx, before: EntryRow, after: EntryRow): Promise<void> {
  if (before.resolvedAt !== null) await changeCount(tx, resolvedTally(before), countChange(before, after));
}

function withContent(facts: EntryRow): EntryRow {
  return { ...facts, content: renderContent(facts, contentOf(facts.content)) };
}
