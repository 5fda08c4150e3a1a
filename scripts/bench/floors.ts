import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { inParallel } from '../harness/parallel.ts';
import { headersOf } from './servers.ts';

/** The answers that the floor (`floor-server.ts`) gives: those that a Confab gave, each as one row. */

/**
 * A row of `answers`. `fields` is a JSON object of the header fields that only this answer has, `tag` the kind of its
 * entity tag (`entity-tags.ts`).
 */
export type FloorAnswer = {
  readonly body: string;
  readonly fields: string;
  readonly tag: 'version' | 'body' | null;
};

/** A row of `users`. `quota` is how many reads a user has in a minute. */
export type FloorUser = { readonly token_hash: string; readonly quota: number };

/** The header fields that an answer may have beside those of every answer. */
const ownFields = ['link', 'vary'] as const;

/** How many requests are under way at once while the answers are kept. */
const askedAtOnce = 20;

/** Asks a Confab for every path as the user of a token, and writes its answers to a new file. */
export async function keepAnswers(
  { url, token }: { readonly url: string; readonly token: string },
  { paths, file }: { readonly paths: readonly string[]; readonly file: string },
): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = wal;
    create table users (token_hash text primary key, quota integer) strict, without rowid;
    create table answers (path text primary key, body text, fields text, tag text) strict;`);
  const insert = database.prepare('insert into answers values (?, ?, ?, ?)');
  let quota = 0;
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
    quota = Number(/"person-read";q=(\d+)/.exec(answer.headers.get('ratelimit-policy') ?? '')?.[1]);
  });
  database.prepare('insert into users values (?, ?)').run(hash('sha256', token), quota);
  database.exec('commit');
  database.close();
}
