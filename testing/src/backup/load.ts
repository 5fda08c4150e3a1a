import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { storedName } from 'confab-server/src/storage/storage.ts';
import { Client, uploadOf } from '../harness/client.ts';
import type { Random } from '../harness/random.ts';

/**
 * Writers that know exactly what a store acknowledged and when, to be held against a restored copy of it. Each changes
 * only its own comments, one request at a time. A comment that has an attachment shares its life with it.
 */

/** A state of a comment: when the request for it was sent and, if it succeeded, answered. */
type Version = { readonly text: string; readonly sentAt: number; readonly answeredAt: number };

/** A comment with all its states, the oldest first; the last may be without an answer. */
type Written = { readonly id: number; readonly versions: Version[]; readonly attached: string | undefined };

/** Running writers. */
export type Load = {
  /** The number of acknowledged changes so far. */
  readonly acknowledged: () => number;
  /** The times that changes took, in milliseconds, since the last call. */
  takeLatencies(): number[];
  /** Ends the writers and returns what they wrote. */
  stop(): Promise<readonly Written[]>;
};

const never = Number.POSITIVE_INFINITY;

/** Starts writers on a server; every third comment has an attachment, and half of the changes are edits. */
export async function startLoad(
  server: { readonly url: string; readonly key: string },
  { writers, random }: { readonly writers: number; readonly random: Random },
): Promise<Load> {
  const client = new Client(server, { connections: writers });
  const written: Written[] = [];
  let latencies: number[] = [];
  let acknowledged = 0;
  let isStopping = false;

  async function change(method: string, path: string, body: unknown) {
    const [sentAt, begunAt] = [Date.now(), performance.now()];
    const answer = await client.send(method, path, body);
    if (answer === undefined || answer.status >= 300) return { sentAt, answeredAt: never, id: undefined };
    latencies.push(performance.now() - begunAt);
    acknowledged += 1;
    return { sentAt, answeredAt: Date.now(), id: Number(answer.body['id']) };
  }

  async function create(app: string, marker: string): Promise<Written | undefined> {
    const attached = random.oneIn(3) ? `${marker} ${'x'.repeat(random.integer(1, 20_000))}` : undefined;
    const blob =
      attached === undefined
        ? undefined
        : await client.send('POST', '/api/blobs', uploadOf('a.txt', attached));
    if (attached !== undefined && blob?.status !== 201 && blob?.status !== 200) return undefined;
    const blobs = blob === undefined ? {} : { blobs: [blob.body['id']] };
    const { id, ...times } = await change('POST', `/api/apps/${app}/comments`, { text: marker, ...blobs });
    if (id === undefined) return undefined;
    const made = { id, versions: [{ text: marker, ...times }], attached };
    written.push(made);
    return made;
  }

  async function write(index: number): Promise<void> {
    const app = `writer-${index}`;
    const own: Written[] = [];
    for (let number = 0; !isStopping; number += 1) {
      const edited = random.oneIn(2) ? random.pick(own) : undefined;
      if (edited === undefined) {
        const made = await create(app, `${app}-${number}`);
        if (made !== undefined) own.push(made);
      } else {
        const text = `${app}-${number}`;
        const { sentAt, answeredAt } = await change('PATCH', `/api/comments/${edited.id}`, { text });
        edited.versions.push({ text, sentAt, answeredAt });
      }
    }
  }

  for (let index = 0; index < writers; index += 1)
    await client.create('/api/apps', { uid: `writer-${index}`, type: 'comments' });
  const running = Array.from({ length: writers }, (_, index) => write(index));
  return {
    acknowledged: () => acknowledged,
    takeLatencies() {
      const taken = latencies;
      latencies = [];
      return taken;
    },
    async stop() {
      isStopping = true;
      await Promise.all(running);
      await client.close();
      return written;
    },
  };
}

/** What a restored store was compared with. */
export type Comparison = {
  /** How many acknowledged changes had to be there. */
  readonly changes: number;
  readonly blobs: number;
  readonly violations: readonly string[];
};

function textOf(content: string): unknown {
  return (JSON.parse(content) as { text?: unknown }).text;
}

/**
 * Holds a restored data folder against what was written: each change that was answered before `moment` must be in it,
 * nothing that was sent after `end` may be, and each attachment must have its bytes.
 */
export function compareRestored(
  folder: string,
  written: readonly Written[],
  { moment, end }: { readonly moment: number; readonly end: number },
): Comparison {
  using database = new DatabaseSync(join(folder, 'confab.db'), { readOnly: true });
  const entry = database.prepare('select content from entries where id = ?');
  const blob = database.prepare(
    `select blobs.key from files join blobs on blobs.id = files.blob_id
     where files.parent_type = 'comment' and files.parent_id = ?`,
  );
  const violations: string[] = [];
  let [changes, blobs] = [0, 0];
  for (const { id, versions, attached } of written) {
    const due = versions.filter(({ answeredAt }) => answeredAt < moment).length;
    changes += due;
    const row = entry.get(id);
    const found = row === undefined ? undefined : textOf(String(row['content']));
    const index = versions.findIndex(({ text }) => text === found);
    if (index + 1 < due)
      violations.push(
        `comment ${id} says ${found}, and its change ${due} was acknowledged before the moment`,
      );
    if (row !== undefined && (versions[index]?.sentAt ?? never) > end)
      violations.push(`comment ${id} says ${found}, which was sent after the moment`);
    if (row === undefined || attached === undefined) continue;
    blobs += 1;
    const key = String(blob.get(id)?.['key']);
    const bytes = readBytes(join(folder, 'blobs', storedName({ key })));
    if (bytes !== createHash('sha256').update(attached).digest('hex'))
      violations.push(`the attachment ${key} of comment ${id} is not what was uploaded`);
  }
  for (const check of ['pragma integrity_check', 'pragma foreign_key_check'])
    for (const row of database.prepare(check).all())
      if (Object.values(row)[0] !== 'ok') violations.push(`${check}: ${Object.values(row).join(' ')}`);
  return { changes, blobs, violations };
}

/** When the first acknowledged change was answered that a restored data folder lacks; infinite when it lacks none. */
export function lostSince(folder: string, written: readonly Written[]): number {
  using database = new DatabaseSync(join(folder, 'confab.db'), { readOnly: true });
  const entry = database.prepare('select content from entries where id = ?');
  let since = never;
  for (const { id, versions } of written) {
    const row = entry.get(id);
    const found = row === undefined ? undefined : textOf(String(row['content']));
    const kept = versions.findIndex(({ text }) => text === found) + 1;
    for (const { answeredAt } of versions.slice(kept)) since = Math.min(since, answeredAt);
  }
  return since;
}

function readBytes(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return 'absent';
  }
}
