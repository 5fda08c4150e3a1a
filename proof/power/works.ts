import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Cut, Disk } from 'confab-testing/disk/disk.ts';
import { readDiskLog, shimEnvironment } from 'confab-testing/disk/shim.ts';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { type Body, Client, issueToken, uploadOf } from 'confab-testing/harness/client.ts';
import { freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import { startLocal } from 'confab-testing/harness/local-server.ts';
import type { Random } from 'confab-testing/harness/random.ts';
import { poll } from 'confab-testing/poll.ts';
import { storeRules } from '../crash/store-rules.ts';

/**
 * Work of several transactions that a kill or a power cut ends at a change of the disk, and that the next server has to
 * bring to the same end: nothing missing, nothing twice.
 */

/** A fact that a client learned from a response: the statement returns a row from then on. */
type Learn = (sql: string) => void;

/** A kind of work. */
type Work = {
  /** Fills the store on which the work is done. */
  readonly prepare?: (client: Client) => Promise<void>;
  /** Does the work, or whatever is left of it, up to its end. */
  readonly perform: (client: Client, learn: Learn) => Promise<void>;
};

/** What the ends have shown. */
export type Ends = {
  ends: number;
  kills: number;
  /** How often the work was unfinished on what was left. */
  unfinished: number;
  readonly violations: string[];
};

const importedComments = 400;
const erasedComments = 150;
const loggedComments = 400;
/** The length of a comment whose pages make the write-ahead log grow. */
const longText = 'a line of a comment that takes some room '.repeat(150);
/** The lease of the server that has ended is over for the next one. */
const laterMs = 600_000;

/** Imports an export, or brings the import that is there to its end. */
export async function importDone(client: Client, learn: Learn): Promise<void> {
  const [known] = (await client.must('GET', '/api/imports'))['data'] as Body[];
  if (known === undefined) {
    const blob = await client.create(
      '/api/blobs',
      uploadOf('disqus.xml', disqusExport(importedComments, { authors: 7 })),
    );
    await client.must('POST', '/api/imports', { kind: 'disqus', blob_id: blob });
    learn('select 1 from import_runs');
  }
  const path = '/api/imports/1';
  const reached = async (...states: readonly string[]) =>
    await poll(`the import to be ${states.join(' or ')}`, async () => {
      const { state, error } = await client.must('GET', path);
      if (state === 'failed') throw new Error(`the import failed: ${error}`);
      return states.includes(String(state)) ? state : undefined;
    });
  if ((await reached('ready', 'finished')) === 'ready') {
    await client.must('POST', `${path}/run`);
    learn("select 1 from import_runs where state in ('running', 'finished')");
  }
  await reached('finished');
  learn("select 1 from import_runs where state = 'finished'");
}

async function importUndone(client: Client, learn: Learn): Promise<void> {
  const path = '/api/imports/1';
  const { state } = await client.must('GET', path);
  if (state === 'finished') {
    await client.must('POST', `${path}/undo`);
    learn("select 1 from import_runs where state in ('undoing', 'undone')");
  }
  await poll('the import to be undone', async () =>
    (await client.must('GET', path))['state'] === 'undone' ? true : undefined,
  );
  learn("select 1 from import_runs where state = 'undone'");
}

/** Comments with long texts, each under a key of its own, so that one that is there is not made again. */
async function longComments(client: Client, learn: Learn): Promise<void> {
  await client.must('PUT', '/api/apps/log', { type: 'comments' });
  for (let number = 0; number < loggedComments; number += 1) {
    const body = { text: `${number} ${longText}` };
    await client.must('POST', '/api/apps/log/comments', body, undefined, `log-${number}`);
    learn(`select 1 from entries where json_extract(content, '$.text') like '${number} %'`);
  }
}

/** Comments and reactions of a user who is to be erased, between those of the API key. */
async function commentsOfDoomed(client: Client): Promise<void> {
  await client.must('PUT', '/api/users/doomed', { name: 'Doomed' });
  await client.must('PUT', '/api/apps/erased', { type: 'comments', access: 'write' });
  const token = await issueToken(client, 'doomed');
  for (let number = 0; number < erasedComments; number += 1) {
    const sender = number % 3 === 0 ? undefined : token;
    const id = await client.create('/api/apps/erased/comments', { text: `comment ${number}` }, sender);
    if (number % 5 === 0)
      await client.must('POST', `/api/comments/${id}/reactions`, { content: '👍' }, token);
  }
}

async function erased(client: Client, learn: Learn): Promise<void> {
  const doomed = await client.send('GET', '/api/users/doomed');
  if (doomed?.status === 200) await client.must('DELETE', `/api/users/${doomed.body['id']}`);
  learn('select 1 from erasures');
  await poll('the erasure to end', async () =>
    (await client.must('GET', '/api/erasures/1'))['state'] === 'finished' ? true : undefined,
  );
  learn('select 1 from erasures where finished_at is not null');
}

/** The kinds of work by name. */
const works: { readonly [name: string]: Work } = {
  import: { perform: importDone },
  'import undone': {
    prepare: async (client) => await importDone(client, () => undefined),
    perform: importUndone,
  },
  erasure: { prepare: commentsOfDoomed, perform: erased },
  'copying back': { perform: longComments },
};

/** What an end must leave as it would have been without it: nothing that is drawn or timed. */
const outcomeSql = [
  `select action, count(*) as n from events where action not like 'notification%' group by action order by action`,
  `select kind, json_extract(content, '$.text') as text, trashed_at is null as is_live, reaction_count
     from entries order by kind, text`,
  'select uid, trashed_at is null as is_live from apps order by uid',
  'select uid, display_name, trashed_at is null as is_live from users order by uid',
  `select kind, sum(live) as live, sum(trashed) as trashed from tallies
     where kind in ('comment', 'member') group by kind order by kind`,
  'select state, made, undone from import_runs order by id',
  'select counts, finished_at is not null as is_finished from erasures order by id',
];

/** What works have left in the store of a data folder. */
export function outcomeOf(data: string): string {
  using database = new DatabaseSync(join(data, 'confab.db'), { readOnly: true });
  return JSON.stringify(outcomeSql.map((sql) => database.prepare(sql).all()));
}

type Place = { readonly folder: string; readonly shim: string; readonly key: string };

/** Does a work from its beginning to its end, and records every change of the disk. */
async function recordWork({ prepare, perform }: Work, { folder, shim, key }: Place, bug?: string) {
  const [home, root, log] = [join(folder, 'before'), join(folder, 'disk'), join(folder, 'disk.log')];
  const data = join(root, 'data');
  mkdirSync(root, { recursive: true });
  const settings = { CONFAB_LOG_LEVEL: 'warn' };
  const first = await startConfab({ folder: home, key, settings });
  const filling = new Client(first);
  await prepare?.(filling);
  await filling.close();
  await first.stop();
  cpSync(join(home, 'data'), data, { recursive: true });
  writeFileSync(log, '');
  const disk = new Disk(root);
  const facts: { readonly sql: string; readonly at: number }[] = [];
  const own = { CONFAB_DATA_DIR: data, ...shimEnvironment(shim, { root, log }) };
  await using server = await startConfab({ folder, key, plant: bug, settings: { ...settings, ...own } });
  await using client = new Client(server);
  await perform(client, (sql) => facts.push({ sql, at: statSync(log).size }));
  await server.stop();
  return { disk, records: [...readDiskLog(log)], facts, outcome: outcomeOf(data) };
}

type Recorded = Awaited<ReturnType<typeof recordWork>>;

/** Starts a server on what an end left, which must know what was learned until then and bring the work to its end. */
async function finishWork(
  { perform }: Work,
  { target, key, recorded, at }: { target: string; key: string; recorded: Recorded; at: number },
): Promise<{ readonly isUnfinished: boolean; readonly wrong: string[] }> {
  const data = join(target, 'data');
  const wrong: string[] = [];
  let isUnfinished = false;
  try {
    await using server = await startLocal({
      folder: data,
      key,
      parts: { clock: { now: () => Date.now() + laterMs } },
    });
    using database = new DatabaseSync(join(data, 'confab.db'), { readOnly: true });
    for (const fact of recorded.facts)
      if (fact.at <= at && database.prepare(fact.sql).get() === undefined) wrong.push(`lost: ${fact.sql}`);
    isUnfinished = outcomeOf(data) !== recorded.outcome;
    await using client = new Client(server);
    await perform(client, () => undefined);
  } catch (error) {
    return { isUnfinished, wrong: [...wrong, `the work does not come to its end: ${error}`] };
  }
  const outcome = outcomeOf(data);
  if (outcome !== recorded.outcome) wrong.push(`the outcome is ${outcome}, not ${recorded.outcome}`);
  using database = new DatabaseSync(join(data, 'confab.db'), { readOnly: true });
  for (const { rule, sql } of storeRules)
    if (database.prepare(sql).get() !== undefined) wrong.push(`not so: ${rule}`);
  return { isUnfinished, wrong };
}

const cuts: readonly Cut[] = ['kill', 'clean', 'kill', 'torn'];

/** Ends each of the works, or those of `only`, `each` times. `bug` is planted in the server that is recorded. */
export async function endWorks({
  folder,
  shim,
  each,
  random,
  only = Object.keys(works),
  bug,
}: {
  readonly folder: string;
  readonly shim: string;
  readonly each: number;
  readonly random: Random;
  readonly only?: readonly string[];
  readonly bug?: string;
}): Promise<Ends> {
  const found: Ends = { ends: 0, kills: 0, unfinished: 0, violations: [] };
  const key = freshKey();
  for (const name of only) {
    const work = works[name];
    if (work === undefined) throw new RangeError(`there is no work "${name}"`);
    const own = join(folder, name.replaceAll(' ', '-'));
    const recorded = await recordWork(work, { folder: own, shim, key }, bug);
    const { disk, records } = recorded;
    const moments = Array.from({ length: each }, () => random.integer(0, records.length)).sort(
      (a, b) => a - b,
    );
    let applied = 0;
    let violations = 0;
    for (const [index, moment] of moments.entries()) {
      for (const record of records.slice(applied, moment)) disk.apply(record);
      applied = moment;
      const cut = cuts[index % cuts.length] ?? 'kill';
      const target = join(own, `end-${index}`);
      mkdirSync(target);
      disk.cutPower(cut, target, random);
      const at = records[moment - 1]?.end ?? 0;
      const { isUnfinished, wrong } = await finishWork(work, { target, key, recorded, at });
      found.ends += 1;
      if (cut === 'kill') found.kills += 1;
      if (isUnfinished) found.unfinished += 1;
      violations += wrong.length;
      found.violations.push(...wrong.map((what) => `${name}, ${cut} after change ${moment}: ${what}`));
      if (wrong.length === 0) rmSync(target, { recursive: true });
    }
    if (violations === 0) rmSync(own, { recursive: true });
  }
  return found;
}

/** The names of the kinds of work. */
export const workNames: readonly string[] = Object.keys(works);
