import { createHash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { newestKnown, type Step } from '../migrations/steps.ts';
import { appliedMigrations, applyMigrations, type StoreAddress, storeLabel } from '../store-address.ts';
import { PostgresSide } from './postgres.ts';
import {
  keys,
  type MovedColumn,
  type MovedRow,
  type MovedTable,
  type MovedValue,
  type MoveSide,
} from './side.ts';
import { SqliteSide } from './sqlite.ts';

/**
 * A move copies a store, row by row, into an empty one on the same or the other engine, and then reads both again and
 * compares them.
 *
 * Nothing else writes the source meanwhile. The target holds a note of how far the move is, written in the transaction of
 * each batch, so a move that was killed goes on behind the last batch that is on the disk. The same note keeps servers
 * off a target that is half full, and a second move off a target that is taken; its absence says that the target is
 * complete. Rows are read in pages by primary key, a page holding so many rows as `pageBytes` takes, so the memory a
 * move needs does not grow with the store.
 */

/** About how many bytes a page of rows has: enough that the statements around it weigh little. */
const pageBytes = 1024 * 1024;
const pageRowsMax = 2000;

/** A value as a note spells it: bytes in hexadecimal. */
type NotedValue = number | string | null | { readonly hex: string };

/** How far a move into a store has come. */
type Note = {
  /** Where the rows come from, in words. */
  readonly source: string;
  /** The table that is being copied. */
  readonly table: string;
  /** The key of its last row that has come; left out before the first. */
  readonly after?: readonly NotedValue[];
};

/** The moved rows of one table. */
export type MovedCount = {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of all rows in the order of their key, in hexadecimal. */
  readonly checksum: string;
};

/** A side of a move and what messages call it. */
type End = { readonly side: MoveSide; readonly name: string };

/** The options of a move. */
export type MoveOptions = {
  readonly from: StoreAddress;
  readonly to: StoreAddress;
  readonly clock: Clock;
  /** Called when a table has been copied, with the number of rows that came in this run. */
  readonly onTable: (table: string, rows: number) => void;
};

/**
 * Moves a store, or continues a move that was stopped. Returns the number of moved rows by table, once every row of the
 * target was compared with its source. Throws an Error for the operator when the source is in use, when the target has
 * rows other than those of an unfinished move from the same source, and when the two differ in the end.
 */
export async function moveStore({ from, to, clock, onTable }: MoveOptions): Promise<MovedCount[]> {
  const names = { from: storeLabel(from), to: storeLabel(to) };
  if (names.from === names.to) throw new Error(`${names.from} is where the store is`);
  const steps = await appliedMigrations(from);
  if (steps.length === 0) throw new Error(`there is no store in ${names.from}`);
  assertCurrent(steps, names.from);
  const source = await openSide(from);
  try {
    await source.freeze();
    if ((await appliedMigrations(to)).length === 0) await applyMigrations(to, clock);
    assertCurrent(await appliedMigrations(to), names.to);
    const target = await openSide(to);
    try {
      const ends = { from: { side: source, name: names.from }, to: { side: target, name: storeLabel(to) } };
      return await moveBetween(ends, onTable);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function openSide(address: StoreAddress): Promise<MoveSide> {
  return 'folder' in address ? new SqliteSide(address.folder) : await PostgresSide.open(address);
}

function assertCurrent(steps: readonly Step[], name: string): void {
  const newest = steps.at(-1)?.id ?? 0;
  if (newest < newestKnown)
    throw new Error(`${name} has an older schema than this Confab: run "confab migrate up" on it first`);
  if (newest > newestKnown) throw new Error(`${name} has a newer schema than this Confab`);
}

async function moveBetween(
  { from, to }: { readonly from: End; readonly to: End },
  onTable: MoveOptions['onTable'],
): Promise<MovedCount[]> {
  const tables = await tablesOf(from.side, to.side);
  let note = await begin({ from, to, tables });
  const started = tables.findIndex(({ name }) => name === parseNote(note).table);
  for (const table of tables.slice(started)) {
    const copied = await copyTable(table, { from, to, note });
    note = copied.note;
    onTable(table.name, copied.rows);
  }
  const highest = await from.side.highestIds();
  await to.side.write(async (writer) => {
    for (const table of tables) {
      const id = highest.get(table.name);
      if (id !== undefined && id > 0) await writer.advance(table, id);
    }
  });
  await to.side.settle();
  const counts: MovedCount[] = [];
  for (const table of tables) counts.push(await compareTable(table, { from, to }));
  await to.side.write((writer) => writer.note(note, undefined));
  return counts;
}

/** Every table with the columns that both sides have. */
async function tablesOf(from: MoveSide, to: MoveSide): Promise<MovedTable[]> {
  const shape = (columns: readonly MovedColumn[]) =>
    columns
      .map(({ name, type }) => `${name} ${type}`)
      .toSorted()
      .join();
  const tables: MovedTable[] = [];
  for (const [name, key] of Object.entries(keys)) {
    const columns = await from.columns(name);
    if (shape(columns) !== shape(await to.columns(name)))
      throw new Error(`the table ${name} has other columns in the target than in the source`);
    tables.push({ name, columns, key });
  }
  return tables;
}

/** How many rows the steps of the schema put into tables of an empty store. */
const seededRows: { readonly [table: string]: number } = {
  log_head: 1,
  users: 1,
  event_cursors: 2,
  leases: 3,
};

/** Claims the target and answers the note in it: that of an unfinished move, or one that stands before the first row. */
async function begin({
  from,
  to,
  tables,
}: {
  readonly from: End;
  readonly to: End;
  readonly tables: readonly MovedTable[];
}): Promise<string> {
  if ((await from.side.unfinished()) !== undefined)
    throw new Error(`${from.name} is itself the target of a move that is not finished`);
  const unfinished = await to.side.unfinished();
  if (unfinished !== undefined) {
    const { source } = parseNote(unfinished);
    if (source === from.name) return unfinished;
    throw new Error(`${to.name} is the target of an unfinished move from ${source}, not from ${from.name}`);
  }
  const seeded = tables.filter(({ name }) => name in seededRows);
  for (const table of tables) {
    const most = seededRows[table.name] ?? 0;
    const rows = await to.side.read(table, { after: undefined, limit: most + 1 });
    if (rows.length > most) throw new Error(`${to.name} is not empty: its table ${table.name} has rows`);
  }
  const note = JSON.stringify({ source: from.name, table: tables[0]?.name ?? '' } satisfies Note);
  await to.side.write(async (writer) => {
    await writer.note(undefined, note);
    for (const table of seeded) await writer.clear(table);
  });
  return note;
}

/** Copies what the target does not have yet of one table; answers the note behind it and how many rows have come. */
async function copyTable(
  table: MovedTable,
  { from, to, note }: { readonly from: End; readonly to: End; readonly note: string },
): Promise<{ note: string; rows: number }> {
  const begun = parseNote(note);
  const after = begun.table === table.name ? begun.after?.map(fromNoteValue) : undefined;
  let [last, rows] = [note, 0];
  for await (const page of pagesOf(table, from.side, after)) {
    const key = keyOf(table, page.at(-1) ?? []).map(toNoteValue);
    const next = JSON.stringify({ source: from.name, table: table.name, after: key } satisfies Note);
    await to.side.write(async (writer) => {
      await writer.insert(table, page);
      await writer.note(last, next);
    });
    [last, rows] = [next, rows + page.length];
  }
  return { note: last, rows };
}

/** Reads a table on both sides and compares every row. */
async function compareTable(
  table: MovedTable,
  { from, to }: { readonly from: End; readonly to: End },
): Promise<MovedCount> {
  const [hash, hashOfTarget] = [createHash('sha256'), createHash('sha256')];
  const moved = rowsOf(table, to.side);
  let rows = 0;
  for await (const row of rowsOf(table, from.side)) {
    const other = await moved.next();
    const text = textOf(row);
    const otherText = other.done === true ? undefined : textOf(other.value);
    if (text !== otherText) throw differs(table, keyOf(table, row));
    hash.update(text);
    hashOfTarget.update(otherText);
    rows += 1;
  }
  const surplus = await moved.next();
  if (surplus.done !== true) throw differs(table, keyOf(table, surplus.value));
  const checksum = hash.digest('hex');
  if (checksum !== hashOfTarget.digest('hex')) throw new Error(`the checksums of ${table.name} differ`);
  return { table: table.name, rows, checksum };
}

function differs(table: MovedTable, key: MovedRow): Error {
  const row = table.key
    .map((name, index) => `${name} ${JSON.stringify(toNoteValue(key[index] ?? null))}`)
    .join(', ');
  return new Error(
    `the table ${table.name} differs at ${row}: something was written since the move began; empty the target and move again`,
  );
}

async function* rowsOf(table: MovedTable, side: MoveSide): AsyncGenerator<MovedRow, void> {
  for await (const page of pagesOf(table, side, undefined)) yield* page;
}

/** The rows of a table in pages. The size of the rows of one page sets the length of the next. */
async function* pagesOf(
  table: MovedTable,
  side: MoveSide,
  start: MovedRow | undefined,
): AsyncGenerator<readonly MovedRow[], void> {
  // The first page says how large rows are.
  let [after, limit] = [start, 50];
  for (;;) {
    const page = await side.read(table, { after, limit });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = keyOf(table, page.at(-1) ?? []);
    const bytes = page.reduce((sum, row) => sum + bytesOf(row), 0);
    limit = Math.max(1, Math.min(pageRowsMax, limit * 4, Math.floor((pageBytes * page.length) / bytes)));
  }
}

/** About how much memory a row takes. */
function bytesOf(row: MovedRow): number {
  const lengthOf = (value: MovedValue) => (typeof value === 'number' ? 8 : (value?.length ?? 8));
  return row.reduce((sum: number, value) => sum + lengthOf(value), 0) + 1;
}

function keyOf({ columns, key }: MovedTable, row: MovedRow): MovedValue[] {
  return key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null);
}

/** A row as a text that no other row has. */
function textOf(row: MovedRow): string {
  return `${JSON.stringify(row.map(toNoteValue))}\n`;
}

function toNoteValue(value: MovedValue): NotedValue {
  return value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value;
}

function fromNoteValue(value: NotedValue): MovedValue {
  return value !== null && typeof value === 'object' ? Buffer.from(value.hex, 'hex') : value;
}

function parseNote(note: string): Note {
  return JSON.parse(note);
}
