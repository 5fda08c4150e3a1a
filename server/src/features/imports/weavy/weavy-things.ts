import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Read, Tx } from '../../../db/db.ts';
import type { PeopleSetting, Principal } from '../../../kernel/principal.ts';
import type { BlobLinks } from '../../blobs/blob-links.ts';
import { forgetUndone, type ItemType, insertItems } from '../imports.store.ts';
import { importedThings, insertThings } from './weavy-import.store.ts';

/**
 * What of a server is here already, and the record of what an import makes. Users, apps and items are told apart by the
 * kind in front of their ids (`user:12`).
 */

/** Something that was imported before. */
export type EarlierThing = { readonly id: number; readonly isLive: boolean; readonly isUndone: boolean };

/** What was imported before, by its key. */
export async function earlierThings(
  read: Pick<Read, 'all'>,
  source: string,
  keys: Iterable<string>,
): Promise<Map<string, EarlierThing>> {
  const sourceIds = [...new Set(keys)];
  if (sourceIds.length === 0) return new Map();
  const rows = await read.all(importedThings, { source, sourceIds });
  return new Map(
    rows.map(({ sourceId, id, isLive, isUndone }) => [
      sourceId,
      { id, isLive: isLive === 1, isUndone: isUndone === 1 },
    ]),
  );
}

/** The transaction of a slice of an import. */
export type WeavyWriting = {
  readonly tx: Tx;
  readonly at: UnixMs;
  readonly system: Principal;
  readonly source: string;
  readonly links: BlobLinks;
  readonly people: PeopleSetting;
  readonly keepsEmails: boolean;
};

/** What became of something: made, restored from the trash, or there before and needed. */
export type Written = {
  readonly key: string;
  readonly type: ItemType;
  readonly id: number;
  readonly was: 'made' | 'restored' | 'there';
};

/** Records what a slice wrote, so that it is written once and can be taken back. */
export async function recordWritten(
  { tx, source }: WeavyWriting,
  runId: number,
  written: readonly Written[],
): Promise<void> {
  if (written.length === 0) return;
  const things = written.map(({ key, type, id }) => ({ sourceId: key, type, id }));
  await tx.run(insertThings, { source, things: JSON.stringify(things) });
  const restored = Map.groupBy(
    written.filter(({ was }) => was === 'restored'),
    ({ type }) => type,
  );
  for (const [type, some] of restored) await tx.run(forgetUndone, { type, ids: some.map(({ id }) => id) });
  const items = written.map(({ type, id, was }) => ({ type, id, isMade: was === 'there' ? 0 : 1 }));
  await tx.run(insertItems, { runId, items: JSON.stringify(items) });
}
