import { timestamp } from 'confab-contract/values/time.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';
import type { BlobStorage } from '../../storage/storage.ts';
import { renderUser } from '../users/user-json.ts';
import { type ExportedRows, exportedRows } from './exports.store.ts';
import { paddingOf, tarEnd, tarHeader } from './tar.ts';

/**
 * An export is everything that the store has of a user, as a tar archive: JSON lines in pieces (`lines/000001.jsonl` and
 * so on), the uploads (`files/12.png`), and at the very end `export.json` with the number of lines of each kind. An
 * archive without it was cut off.
 *
 * It is read in bounded steps while it is sent, as fast as the client takes it. What was created after it began is left
 * out; what is changed or removed meanwhile is as it was when it was read. As a slow client can take hours, the credential
 * is checked again before each step, and an export ends unfinished where it has ended. Only rows and one piece of lines are in memory,
 * and the bytes of a file pass through.
 */

/** How many characters end a piece of lines. */
const pieceCharacters = 256 * 1024;

/** The dependencies of exporting. */
export type ExportParts = { readonly db: Db; readonly clock: Clock; readonly storage: BlobStorage };

/** The counts of one export and the bytes that it has written. */
type Archive = { piece: string; pieces: number; readonly counts: { [kind: string]: number } };

/** Columns that hold JSON. */
const jsonColumns = new Set(['content', 'anchor', 'metadata', 'tags', 'args']);

/** A row as a line has it: times as RFC 3339, JSON as it is, and nothing where there is no value. */
function lineOf(kind: string, row: object): string {
  const line: { [name: string]: unknown } = { of: kind };
  for (const [name, value] of Object.entries(row)) {
    if (value === null) continue;
    if (name.endsWith('_at')) line[name] = timestamp(Number(value));
    // The content of a reaction is an emoji.
    else if (jsonColumns.has(name) && kind !== 'reactions') line[name] = JSON.parse(String(value));
    else line[name] = value;
  }
  return JSON.stringify(line);
}

/** Who exports: whose turns among long reads it takes, and what checks the credential again, where there is one. */
type Exporter = { readonly callerId: number; readonly prove: (() => Promise<unknown>) | undefined };

/** The archive of a user, piece by piece. Throws what `by.prove` throws. */
export async function* exportOf(
  { db, clock, storage }: ExportParts,
  user: User,
  by: Exporter,
): AsyncGenerator<Buffer> {
  const startedAt = clock.now();
  const archive: Archive = { piece: '', pieces: 0, counts: {} };
  const reading = { db, ...by, userId: user.id };
  const ends = await readEnds(reading);
  yield* addLine(archive, { kind: 'users', line: profileLine(renderUser(user)), at: startedAt });
  for (const [kind, last] of ends)
    for await (const row of rowsUpTo(last, kind, reading))
      if (kind.kind === 'blobs') {
        await by.prove?.();
        yield* addBlob(archive, { storage, blob: row as Blob, at: startedAt });
      } else yield* addLine(archive, { kind: kind.kind, line: lineOf(kind.kind, row), at: startedAt });
  yield* endPiece(archive, startedAt);
  const times = { started_at: timestamp(startedAt), finished_at: timestamp(clock.now()) };
  const end = JSON.stringify({ user_id: user.id, ...times, counts: archive.counts });
  yield* entryOf('export.json', Buffer.from(end), startedAt);
  yield tarEnd;
}

function profileLine(profile: Json): string {
  return JSON.stringify({ of: 'users', ...(JSON.parse(profile) as object) });
}

type Reading = Exporter & { readonly db: Db; readonly userId: number };

/** The highest id of each kind as the export begins. */
async function readEnds(reading: Reading): Promise<(readonly [ExportedRows, number])[]> {
  const { userId } = reading;
  return await readStep(reading, async (read) => {
    const ends: (readonly [ExportedRows, number])[] = [];
    for (const kind of exportedRows) ends.push([kind, (await read.get(kind.last, { userId }))?.id ?? -1]);
    return ends;
  });
}

/** The rows of one kind with an id of at most `last`, read step by step. */
async function* rowsUpTo(
  last: number,
  { id, rows: statement, span, top }: ExportedRows,
  reading: Reading,
): AsyncGenerator<object> {
  const { userId } = reading;
  for (let from = 0; from <= last; ) {
    const below = Math.min(from + span, last + 1);
    const rows = await readStep(reading, (read) => read.all(statement, { userId, from, below, top }));
    yield* rows;
    const end = rows.at(-1) as { readonly [column: string]: number } | undefined;
    from = rows.length < top ? below : Number(end?.[id]) + 1;
  }
}

/** Reads apart from other requests. */
async function readStep<T>(
  { db, callerId, prove }: Reading,
  work: Parameters<typeof db.readLong<T>>[1],
): Promise<T> {
  await prove?.();
  return await db.readLong({ operation: 'exportUser', caller: callerId, isForList: false }, work);
}

async function* addLine(
  archive: Archive,
  { kind, line, at }: { kind: string; line: string; at: number },
): AsyncGenerator<Buffer> {
  archive.counts[kind] = (archive.counts[kind] ?? 0) + 1;
  archive.piece += `${line}\n`;
  if (archive.piece.length >= pieceCharacters) yield* endPiece(archive, at);
}

async function* endPiece(archive: Archive, at: number): AsyncGenerator<Buffer> {
  if (archive.piece === '') return;
  archive.pieces += 1;
  const bytes = Buffer.from(archive.piece);
  archive.piece = '';
  yield* entryOf(`lines/${String(archive.pieces).padStart(6, '0')}.jsonl`, bytes, at);
}

async function* entryOf(name: string, bytes: Buffer, at: number): AsyncGenerator<Buffer> {
  yield tarHeader({ name, bytes: bytes.length, at });
  yield bytes;
  yield paddingOf(bytes.length);
}

type Blob = {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly provider: string | null;
};

/** Adds a blob: its bytes, where this server has them, and then its line. The key would be its address and is left out. */
async function* addBlob(
  archive: Archive,
  { storage, blob, at }: { storage: BlobStorage; blob: Blob; at: number },
): AsyncGenerator<Buffer> {
  const { key, ...row } = blob;
  const bytes = row.provider === null ? await storage.read({ key }) : undefined;
  const path = `files/${row.id}${/\.[a-z0-9]{1,8}$/i.exec(row.name)?.[0] ?? ''}`;
  if (bytes !== undefined)
    try {
      yield* fileOf(path, { bytes, size: row.size, at });
    } finally {
      // The client can leave before the first byte is read.
      bytes.destroy();
    }
  const listed = bytes === undefined ? row : { ...row, path };
  yield* addLine(archive, { kind: 'blobs', line: lineOf('blobs', listed), at });
}

async function* fileOf(
  path: string,
  { bytes, size, at }: { bytes: AsyncIterable<Buffer>; size: number; at: number },
): AsyncGenerator<Buffer> {
  yield tarHeader({ name: path, bytes: size, at });
  let bytesSent = 0;
  for await (const chunk of bytes) {
    bytesSent += chunk.length;
    yield chunk;
  }
  if (bytesSent !== size) throw new Error(`a blob has ${bytesSent} bytes, and its row says ${size}`);
  yield paddingOf(size);
}
