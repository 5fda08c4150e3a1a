import type { ImportedKind, RepliesAs } from 'confab-contract/import-words.ts';
import type { Import, ImportState } from 'confab-contract/imports.ts';
import { notFound, Problem } from 'confab-contract/problem.ts';
import { timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { Read, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { dropBlobs } from '../blobs/blobs.ts';
import { actorOf } from '../users/user-json.ts';
import { getSystemUser } from '../users/user-record.ts';
import { type ImportRow, runById, updateRun } from './import-runs.store.ts';
import type { CreatedCounts } from './write-slice.ts';

/** The states of an import, and how it is shown. */

/** The counts of an import that has not run. */
export const nothingMade: Pick<CreatedCounts, 'comments' | 'restored' | 'apps' | 'users'> = {
  comments: 0,
  restored: 0,
  apps: 0,
  users: 0,
};

/** The number of items that were taken back, by kind. */
export type Undone = NonNullable<Import['undone']>;

/** An import by its id; throws `not_found`. */
export async function getRun(read: Pick<Read, 'get'>, id: number): Promise<ImportRow> {
  const row = await read.get(runById, { id });
  if (row === undefined) throw notFound('import');
  return row;
}

/** The caller as whom a background step changes things: the built-in user, with the key that requested the import. */
export async function callerFor(read: Read, { apiKeyId }: Pick<ImportRow, 'apiKeyId'>): Promise<Principal> {
  const user = await getSystemUser(read);
  return { kind: 'key', user, ...(apiKeyId === null ? {} : { apiKeyId }) };
}

/** The fields that a change of an import sets; others stay as they are. */
type RunChange = Partial<Omit<ImportRow, 'id' | 'state'>> & { readonly state?: ImportState };

/** Writes progress, of which nobody is notified. */
export async function setProgress(tx: Tx, row: ImportRow, change: RunChange): Promise<ImportRow> {
  const changed = { ...row, ...change };
  await tx.run(updateRun, changed);
  return changed;
}

/** Moves an import to another state, with an event; an import that needs its file no more leaves it to be removed. */
export async function moveRun(
  { tx, caller, at }: { readonly tx: Tx; readonly caller: Principal; readonly at: UnixMs },
  row: ImportRow,
  change: RunChange,
): Promise<ImportRow> {
  const changed = await setProgress(tx, row, change);
  if (row.blobId !== null && changed.blobId === null) await dropBlobs(tx, [row.blobId], at);
  const entity = { id: row.id, json: renderRun(changed) };
  await append(tx, { action: 'import_updated', actor: actorOf(caller), appId: null, entity, at });
  tx.wake('imports');
  return changed;
}

/** The error of a request that comes at the wrong time. */
export function wrongState(detail: string): Problem {
  return new Problem('validation_failed', detail);
}

/** An import as the API returns it. */
export function renderRun(row: ImportRow): Json {
  const at = (time: number | null, name: string) => (time === null ? {} : { [name]: timestamp(time) });
  const shown = {
    id: row.id,
    kind: row.kind as ImportedKind,
    name: row.name,
    keeps_emails: row.keepsEmails === 1,
    replies: row.replies as RepliesAs,
    ...(row.site === null ? {} : { site: row.site }),
    state: row.state as ImportState,
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.planned === null ? {} : { planned: JSON.parse(row.planned) as NonNullable<Import['planned']> }),
    made: JSON.parse(row.made) as CreatedCounts,
    ...(row.undone === null ? {} : { undone: JSON.parse(row.undone) as Undone }),
    created_at: timestamp(row.createdAt),
    ...at(row.startedAt, 'started_at'),
    ...at(row.finishedAt, 'finished_at'),
    ...at(row.undoneAt, 'undone_at'),
  } satisfies Import;
  return json(JSON.stringify(shown));
}

/** The sum of two counts; it has the kinds of the first. */
export function sumOf<T extends { readonly [K in keyof T]?: number }>(one: T, other: Partial<T>): T {
  const more = new Map(Object.entries<number | undefined>(other));
  return Object.fromEntries(
    Object.entries<number>(one as { [kind: string]: number }).map(([kind, count]) => [
      kind,
      count + (more.get(kind) ?? 0),
    ]),
  ) as T;
}

/** The answer to a request whose work goes on in the background. */
export function accepted(row: ImportRow): { readonly status: 202; readonly body: Json } {
  return { status: 202, body: renderRun(row) };
}
