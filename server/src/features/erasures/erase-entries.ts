import type { EntryKind } from '../../access/entry/entry.sql.ts';
import type { Tx } from '../../db/db.ts';
import { entryIndex } from '../../db/search-index.ts';
import { type CountedEntry, deleteWithEvents } from '../entries/delete.ts';
import { entryWords } from '../entries/entry-index.ts';
import type { Content } from '../entries/entry-json.ts';
import { renderMarkdown } from '../markdown/markdown.ts';
import type { JsonFields } from '../redactions/blank.ts';
import type { Counts, ErasingStep } from './erasures.ts';
import { moveEntriesToHeir } from './heir.ts';
import { withoutMentions } from './person-json.ts';
import { countAttachments, deleteRevisions, giveRevisions, setContent, setRevision } from './walks.store.ts';

/** An entry that a person wrote or that mentions the person. */
type Entry = CountedEntry & { readonly content: string; readonly createdById: number };

/** Removes the entries of the person, unless they stay, and the mentions of the person in all others. */
export async function eraseEntries(tx: Tx, rows: readonly Entry[], step: ErasingStep): Promise<Counts> {
  const { userId, keepsTexts } = step.person;
  const own = rows.filter(({ createdById }) => createdById === userId);
  const left = keepsTexts ? rows : rows.filter(({ createdById }) => createdById !== userId);
  const numberOf = (kind: EntryKind) => own.filter((entry) => entry.kind === kind).length;
  const mentions = await removeMentions(tx, left, step);
  const { heirId } = step.person;
  if (heirId !== null) await moveEntriesToHeir(tx, { ids: own.map(({ id }) => id), heirId }, step);
  return {
    comments: numberOf('comment'),
    posts: numberOf('post'),
    messages: numberOf('message'),
    mentions,
    files: keepsTexts ? 0 : await removeOwn(tx, own, step),
  };
}

/**
 * Removes what entries of the person said before edits, also where the entries stay, and the mentions of the person in
 * what others wrote before.
 */
export async function eraseRevisions(
  tx: Tx,
  rows: readonly { readonly id: number; readonly content: string; readonly createdById: number }[],
  { person }: ErasingStep,
): Promise<Counts> {
  const own = rows.filter(({ createdById }) => createdById === person.userId);
  const ids = own.map(({ id }) => id);
  const { heirId } = person;
  if (heirId === null) await tx.run(deleteRevisions, { ids });
  else await tx.run(giveRevisions, { ids, heirId });
  let mentions = 0;
  for (const { id, content } of rows.filter((row) => !own.includes(row))) {
    const stored = JSON.parse(content) as { text?: string };
    if (stored.text === undefined) continue;
    const { html } = renderMarkdown(stored.text);
    const { text } = withoutMentions({ text: stored.text, html }, person);
    if (text === stored.text) continue;
    await tx.run(setRevision, { id, content: JSON.stringify({ ...stored, text }) });
    mentions += 1;
  }
  return { revisions: own.length, mentions };
}

async function removeMentions(tx: Tx, entries: readonly Entry[], { person }: ErasingStep): Promise<number> {
  let changed = 0;
  for (const entry of entries) {
    const before = JSON.parse(entry.content) as Content & JsonFields;
    const after = withoutMentions(before, person);
    if (after === before) continue;
    await tx.run(setContent, { id: entry.id, content: JSON.stringify(after) });
    tx.defer(entryIndex, { id: entry.id, words: entryWords(entry, after) });
    changed += 1;
  }
  return changed;
}

/** Removes entries with everything in them; returns how many of the attachments were the person's. */
async function removeOwn(tx: Tx, entries: readonly Entry[], step: ErasingStep): Promise<number> {
  const { person } = step;
  const byKind = Map.groupBy(entries, ({ kind }) => kind);
  let files = 0;
  for (const [kind, some] of byKind) {
    const entryIds = some.map(({ id }) => id);
    const attachments = await tx.get(countAttachments, { kind, entryIds, userId: person.userId });
    files += Number(attachments?.count ?? 0);
  }
  await deleteWithEvents(tx, entries, step);
  return files;
}
