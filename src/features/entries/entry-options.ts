import type { Read, Tx } from '../../db/db.ts';
import { invalidField } from '../../kernel/problem.ts';
import { deleteOtherOptions, insertOptions, optionsOf, updateOptions } from './entries.store.ts';
import { renderOption } from './entry-json.ts';

/** The rendered poll options of some entries by entry id; no statement when none of them is a poll. */
export async function renderedOptions(
  read: Read,
  entries: readonly { id: number; optionCount: number }[],
): Promise<Map<number, string[]>> {
  const rendered = new Map<number, string[]>();
  const entryIds = entries.filter((entry) => entry.optionCount > 0).map((entry) => entry.id);
  if (entryIds.length === 0) return rendered;
  for (const row of await read.all(optionsOf, { entryIds })) {
    const list = rendered.get(row.entryId);
    if (list === undefined) rendered.set(row.entryId, [renderOption(row)]);
    else list.push(renderOption(row));
  }
  return rendered;
}

/** Adds the options of a new poll in their order. */
export async function addOptions(tx: Tx, entryId: number, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return;
  await tx.run(insertOptions, { entryId, texts, positions: texts.map((_, index) => index) });
}

/** Makes the options of an entry those that are wanted, in their order; answers whether anything changed. */
export async function editOptions(
  tx: Tx,
  entryId: number,
  wanted: readonly { id?: number | null; text: string }[],
): Promise<boolean> {
  const present = await tx.all(optionsOf, { entryIds: [entryId] });
  const texts = new Map(present.map((option) => [option.id, option.text]));
  const chosen = wanted.map((option, position) => ({
    id: option.id ?? undefined,
    text: option.text.trim(),
    position,
  }));
  const seen = new Set<number>();
  for (const { id, position } of chosen) {
    if (id === undefined) continue;
    if (!texts.has(id) || seen.has(id))
      throw invalidField(`/options/${position}/id`, 'not_found', 'is no option of this poll');
    seen.add(id);
  }
  const isSame =
    chosen.length === present.length &&
    chosen.every(({ id, text }, index) => id === present[index]?.id && text === present[index]?.text);
  if (isSame) return false;
  const kept = chosen.flatMap(({ id, ...rest }) => (id === undefined ? [] : [{ id, ...rest }]));
  const added = chosen.filter(({ id }) => id === undefined);
  await tx.run(deleteOtherOptions, { entryId, keep: kept.map(({ id }) => id) });
  await tx.run(updateOptions, {
    entryId,
    ids: kept.map(({ id }) => id),
    texts: kept.map(({ text }) => text),
    positions: kept.map(({ position }) => position),
  });
  await tx.run(insertOptions, {
    entryId,
    texts: added.map(({ text }) => text),
    positions: added.map(({ position }) => position),
  });
  return true;
}
