import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Erasure } from 'confab-contract/erasures.ts';
import { tailCharacters, type World, wordRuns } from './world.ts';

/** Reads the rows of a statement from the store, apart from the server. */
export type Rows = (sql: string) => Record<string, unknown>[];

/** Finds words by their ends. */
function ends(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map((word) => word.slice(-tailCharacters)));
}

/** The words of which the end is in a text; a text of bytes is read as Latin-1. */
export function wordsIn(text: string, known: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  for (const [run] of text.matchAll(wordRuns))
    for (let at = 0; at + tailCharacters <= run.length; at += 1) {
      const end = run.slice(at, at + tailCharacters);
      if (known.has(end)) found.add(end);
    }
  return [...found];
}

/** The ends of all words of a world, or of the names alone. */
export function endsOf(
  { names, texts }: World,
  { hasTexts }: { readonly hasTexts: boolean },
): ReadonlySet<string> {
  return ends(hasTexts ? [...names, ...texts] : names);
}

/** The files in which the ends of some words are, of a folder or a single one, with these ends. */
export async function bytesIn(
  place: string,
  known: ReadonlySet<string>,
): Promise<{ file: string; words: string[] }[]> {
  const stats = statSync(place, { throwIfNoEntry: false });
  // PostgreSQL replaces small files of its own while it runs.
  if (stats === undefined) return [];
  if (stats.isDirectory()) {
    const inside: { file: string; words: string[] }[] = [];
    for (const name of readdirSync(place)) inside.push(...(await bytesIn(join(place, name), known)));
    return inside;
  }
  const found = new Set<string>();
  let last = '';
  for await (const chunk of createReadStream(place, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
    for (const word of wordsIn(last + String(chunk), known)) found.add(word);
    last = String(chunk).slice(-tailCharacters);
  }
  return found.size === 0 ? [] : [{ file: place, words: [...found] }];
}

/** What an erasure must count, counted from the rows of the store before it, by other statements than its own. */
export function expectedCounts(rows: Rows, world: World): Erasure['counts'] {
  const { userId } = world;
  const number = (sql: string) => Number(rows(sql)[0]?.n);
  const own = (table: string, column = 'user_id') =>
    number(`select count(*) as n from ${table} where ${column} = ${userId}`);
  const texts = (kind: string) =>
    number(`select count(*) as n from entries where kind = '${kind}' and created_by_id = ${userId}`);
  const known = endsOf(world, { hasTexts: true });
  const says = (text: unknown) => wordsIn(String(text), known).length > 0;
  const events = rows('select id, payload from events').filter(({ payload }) => says(payload));
  const eventIds = new Set(events.map(({ id }) => Number(id)));
  const attempts = rows(`select deliveries.event_id from attempts
    join deliveries on deliveries.id = attempts.delivery_id
    where attempts.response_body is not null or attempts.response_headers is not null`);
  const theirs = `from files join blobs on blobs.id = files.blob_id where blobs.created_by_id = ${userId}`;
  const reverted = number(`select count(*) as n ${theirs} and exists (select 1 from file_versions
    join blobs as earlier on earlier.id = file_versions.blob_id
    where file_versions.file_id = files.id and earlier.created_by_id <> ${userId})`);
  const others = rows(`select args, actor_id from notifications where user_id <> ${userId}`);
  return {
    tokens: own('access_tokens'),
    tags: own('user_tags'),
    memberships: own('members'),
    stars: own('stars'),
    follows: own('follows') + own('follows', 'followed_id'),
    subscriptions: own('subscriptions'),
    reactions: own('reactions', 'created_by_id'),
    votes: own('votes'),
    comments: texts('comment'),
    posts: texts('post'),
    messages: texts('message'),
    revisions: own('revisions', 'created_by_id'),
    mentions: rows(`select content from entries where created_by_id <> ${userId}`).filter(({ content }) =>
      String(content).includes(`data-user-id=\\"${userId}\\"`),
    ).length,
    files: number(`select count(*) as n ${theirs}`) - reverted,
    file_versions: number(`select count(*) as n from file_versions
      join blobs on blobs.id = file_versions.blob_id where blobs.created_by_id = ${userId}`),
    file_contents: reverted,
    uploads: number(
      `select count(*) as n from blobs where created_by_id = ${userId} and expires_at is not null`,
    ),
    embeds: own('embeds', 'created_by_id'),
    meetings: own('meetings', 'created_by_id'),
    events: events.length,
    attempts: attempts.filter(({ event_id }) => eventIds.has(Number(event_id))).length,
    notifications: own('notifications'),
    notifications_of_others: others.filter(({ args, actor_id }) => Number(actor_id) === userId || says(args))
      .length,
    kept_answers: own('kept_answers'),
    kept_answers_of_others: rows(`select body from kept_answers where user_id <> ${userId}`).filter(
      ({ body }) => says(body),
    ).length,
  };
}
