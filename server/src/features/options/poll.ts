import { invalidField } from 'confab-contract/problem.ts';
import type { Read, Tx } from '../../db/db.ts';
import { deleteOtherOptions, insertOptions, optionTexts, updateOptions } from './poll.store.ts';

/** The options of an entry are the answers of a poll; they are written with the entry. */

/** Adds the options of a new poll in their order. */
export async function addOptions(tx: Tx, entryId: number, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  await tx.run(insertOptions, { entryId, texts, positions: texts.map((_, index) => index) });
}

/** The options of an entry, in their order. */
export async function pollOptions(
  read: Read,
  entryId: number,
): Promise<{ readonly id: number; readonly text: string }[]> {
  return await read.all(optionTexts, { entryId });
}

/**
 * Replaces the options of an entry by the requested ones, in their order; returns whether anything changed. Throws
 * `validation_failed` for an id that is not an option of the entry or is listed twice.
 */
export async function editOptions(
  tx: Tx,
  entryId: number,
  options: readonly { id?: number; text: string }[],
): Promise<boolean> {
  const present = await pollOptions(tx, entryId);
  const texts = new Map(present.map((option) => [option.id, option.text]));
  const drafts = options.map(({ id, text }, position) => ({ id, text, position }));
  const ids = new Set<number>();
  for (const { id, position } of drafts) {
    if (id === undefined) continue;
    if (!texts.has(id) || ids.has(id))
      throw invalidField(`/options/${position}/id`, 'not_found', 'is no option of this poll');
    ids.add(id);
  }
  const isSame =
    drafts.length === present.length &&
    drafts.every(({ id, text }, index) => id === present[index]?.id && text === present[index]?.text);
  if (isSame) return false;
  const existing = drafts.flatMap(({ id, ...rest }) => (id === undefined ? [] : [{ id, ...rest }]));
  const added = drafts.filter(({ id }) => id === undefined);
  await tx.run(deleteOtherOptions, { entryId, keep: existing.map(({ id }) => id) });
  await tx.run(updateOptions, {
    entryId,
    ids: existing.map(({ id }) => id),
    texts: existing.map(({ text }) => text),
    positions: existing.map(({ position }) => position),
  });
  await tx.run(insertOptions, {
    entryId,
    texts: added.map(({ text }) => text),
    positions: added.map(({ position }) => position),
  });
  return true;
}
