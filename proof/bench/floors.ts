import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLive } from 'confab-server/src/db/sqlite/copies.ts';
import { inParallel } from 'confab-testing/harness/parallel.ts';
import { headersOf } from './servers.ts';

/** What the floor (`floor-server.ts`) needs of a Confab: its answers, each as one row, and a copy of its store. */

/**
 * A row of `answers`. `fields` is a JSON object of the header fields that only this answer has, `tag` the kind of its
 * entity tag (`entity-tags.ts`).
 */
export type FloorAnswer = {
  readonly body: string;
  readonly fields: string;
  readonly tag: 'version' | 'body' | null;
};

/** A row of `users`. The quotas are how many requests a user has in a minute; `json` is the user as Confab renders them. */
export type FloorUser = {
  readonly token_hash: string;
  readonly id: number;
  readonly json: string;
  readonly reads: number;
  readonly writes: number;
};

/** The files of a floor: the answers and the user, the copy of the store, and the log. */
export function floorFiles(folder: string) {
  return {
    answers: join(folder, 'answers.db'),
    store: join(folder, 'store.db'),
    log: join(folder, 'floor.log'),
  };
}

/** The header fields that an answer may have beside those of every answer. */
const ownFields = ['allow', 'link'] as const;

/** How many requests are under way at once while the answers are kept. */
const askedAtOnce = 20;

/** How many requests of a kind a user has, from the header field of an answer. */
function quotaOf({ headers }: Response, kind: 'read' | 'write'): number {
  const policy = headers.get('ratelimit-policy') ?? '';
  return Number(new RegExp(`"person-${kind}";q=(\\d+)`).exec(policy)?.[1]);
}

/**
 * Fills a new folder with what the floor needs: asks a Confab, whose store is `store`, for every path as the user of a
 * token, and copies the store.
 */
export async function prepareFloor(
  { url, token, store }: { readonly url: string; readonly token: string; readonly store: string },
  { paths, folder }: { readonly paths: readonly string[]; readonly folder: string },
): Promise<void> {
  mkdirSync(folder);
  const files = floorFiles(folder);
  const database = new DatabaseSync(files.answers);
  database.exec(`pragma journal_mode = wal;
    create table users (token_hash text primary key, id integer, json text, reads integer, writes integer)
      strict, without rowid;
    create table answers (path text primary key, body text, fields text, tag text) strict;`);
  const insert = database.prepare('insert into answers values (?, ?, ?, ?)');
  database.exec('begin');
  await inParallel({ count: paths.length, atOnce: askedAtOnce }, async (index) => {
    const path = paths[index] ?? '';
    const headers = { ...headersOf(token, false), 'accept-encoding': 'identity' };
    const answer = await fetch(url + path, { headers });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    const fields = ownFields.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    const tag = answer.headers.get('etag');
    const kind = tag === null ? null : tag.includes('.') ? 'version' : 'body';
    insert.run(path, await answer.text(), JSON.stringify(Object.fromEntries(fields)), kind);
  });
  const reading = await fetch(`${url}/api/user`, { headers: headersOf(token, false) });
  const user = await reading.text();
  // Refused, so nothing is written.
  const writing = await fetch(`${url}/api/apps/0/comments`, {
    method: 'POST',
    headers: headersOf(token, true),
    body: '{}',
  });
  const quotas = [quotaOf(reading, 'read'), quotaOf(writing, 'write')];
  database
    .prepare('insert into users values (?, ?, ?, ?, ?)')
    .run(hash('sha256', token), JSON.parse(user).id, user, ...quotas);
  database.exec('commit');
  database.close();
  const live = openLive(store);
  await live.copyTo(files.store);
  live.close();
}
