import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { moveStore } from 'confab-server/src/db/move/move.ts';
import { systemClock } from 'confab-server/src/kernel/clock.ts';
import { readDiskLog } from 'confab-testing/disk/shim.ts';
import { Client } from 'confab-testing/harness/client.ts';
import { startLocal } from 'confab-testing/harness/local-server.ts';
import { freshTally, Model, type Tally, type Tracked, type Violation } from 'confab-testing/harness/model.ts';
import type { Random } from 'confab-testing/harness/random.ts';
import { factsOf } from '../crash/facts.ts';
import { settle } from '../crash/settle.ts';
import { StoreCheck } from '../crash/store-check.ts';
import type { PostgresHome } from './postgres.ts';
import type { Recording } from './recording.ts';

/** What the cuts of one recording, or of several, have shown. */
export type Findings = {
  cuts: number;
  /** The acknowledged writes before each cut, summed up. */
  acknowledged: number;
  /** The requests whose answer had not come, summed up. */
  unknown: number;
  /** The changes of the disk that a cut could take, summed up. */
  unsynced: number;
  lost: number;
  readonly violations: Violation[];
};

/** How to cut the power of a recording. The findings are added to `findings`. */
export type CutOptions = {
  readonly cuts: number;
  readonly folder: string;
  readonly random: Random;
  readonly findings: Findings;
  readonly postgres?: PostgresHome | undefined;
};

/** The findings before the first cut. */
export const noFindings = (): Findings => ({
  cuts: 0,
  acknowledged: 0,
  unknown: 0,
  unsynced: 0,
  lost: 0,
  violations: [],
});

/** Files that PostgreSQL writes through stdio, which is not recorded, and makes again when they are not there. */
const rebuiltByPostgres = /postgres\/.*(pg_internal\.init|pgstat\.stat|postmaster\.opts) /;
/** One in this many cuts is before the world is complete: the store is created and migrated then. */
const earlyEvery = 10;

/**
 * Cuts the power at `cuts` drawn moments of a recording, every other time torn. Each time it starts a server on what is
 * left, and compares its API and its store with what the clients knew at that moment; while the world is incomplete it
 * must only take writes. The folders of cuts that found a violation are kept in `folder`.
 */
export async function cutRecording(
  recording: Recording,
  { cuts, folder, random, findings, postgres }: CutOptions,
): Promise<void> {
  const { disk, beganAt } = recording;
  findings.violations.push(...recording.violations);
  const records = [...readDiskLog(recording.log)];
  const later = records.findIndex(({ end }) => end > beganAt);
  const moments = Array.from({ length: cuts }, (_, n) =>
    n % earlyEvery === 0 ? random.integer(0, later - 1) : random.integer(later, records.length - 1),
  )
    .map((index) => records[index]?.end ?? 0)
    .sort((a, b) => a - b);
  let applied = 0;
  const applyUntil = (moment: number) => {
    for (let next = records[applied]; next !== undefined && next.end <= moment; next = records[applied]) {
      disk.apply(next);
      applied += 1;
    }
  };
  for (const [index, moment] of moments.entries()) {
    applyUntil(moment);
    const target = join(folder, `cut-${index}`);
    mkdirSync(target, { recursive: true });
    findings.unsynced += disk.cutPower(index % 2 === 0 ? 'clean' : 'torn', target, random);
    const { violations, tally } = await check(target, recording, { moment, postgres });
    findings.cuts += 1;
    findings.acknowledged += tally.acknowledged;
    findings.unknown += tally.unknown;
    findings.lost += violations.filter(({ what }) => what === 'lost write').length;
    findings.violations.push(...violations);
    if (violations.length === 0) rmSync(target, { recursive: true });
  }
  applyUntil(Number.POSITIVE_INFINITY);
  const differences = disk.differences().filter((each) => !rebuiltByPostgres.test(each));
  for (const detail of differences) findings.violations.push({ what: 'store', detail });
}

/** What the clients knew at a moment. */
async function modelAt({ world, entries }: Recording, moment: number): Promise<Model> {
  const model = new Model(factsOf, freshTally());
  for (const { home } of [...world.writers, { home: { shared: world.shared } }])
    for (const app of Object.values(home)) {
      const copy = model.track('app', app.marker);
      model.learnId(copy, app.id ?? 0);
      copy.possible = app.possible.map(({ facts }) => ({ facts, events: ['app_created'] }));
      copy.isTouched = true;
    }
  const copyOf = ({ kind, marker }: Tracked) => model.objects.get(marker) ?? model.track(kind, marker);
  for (const { operation, sentAt, answeredAt, answer } of entries) {
    if (sentAt >= moment) continue;
    const effects = operation.effects.map((effect) => ({ ...effect, object: copyOf(effect.object) }));
    await model.perform(
      { send: async () => (answeredAt <= moment ? answer : undefined) },
      { ...operation, effects },
    );
  }
  return model;
}

/** Starts a server on what a cut left, and returns what is wrong with it. */
async function check(
  folder: string,
  recording: Recording,
  { moment, postgres }: { moment: number; postgres: PostgresHome | undefined },
): Promise<{ violations: readonly Violation[]; tally: Tally }> {
  const model = await modelAt(recording, moment);
  const { world } = recording;
  const isEarly = moment < recording.beganAt;
  try {
    if (postgres !== undefined) await moveFromPostgres(folder, recording, { postgres, isEarly });
    if (postgres === undefined || !isEarly)
      await withServer({ folder, recording }, async (client) => {
        if (isEarly) await client.must('PUT', '/api/apps/first', { type: 'comments' });
        else await settle(model, new StoreCheck(folder, model, world).look(), client);
      });
  } catch (error) {
    model.violate('store', `the server does not run on what is left: ${error}`);
  }
  return model;
}

/** Starts a server on PostgreSQL, and then moves its store to SQLite, where everything is compared. */
async function moveFromPostgres(
  folder: string,
  recording: Recording,
  { postgres, isEarly }: { postgres: PostgresHome; isEarly: boolean },
): Promise<void> {
  const engine = await postgres.start(join(folder, 'postgres'));
  try {
    await withServer({ folder, recording, databaseUrl: engine.url }, async (client) => {
      if (isEarly) await client.must('PUT', '/api/apps/first', { type: 'comments' });
      else await client.must('GET', '/api/apps');
    });
    const from = { url: engine.url, isPrepared: true };
    const to = { folder: join(folder, 'data') };
    if (!isEarly) await moveStore({ from, to, clock: systemClock, onTable: () => undefined });
  } finally {
    await engine.stop();
  }
}

async function withServer(
  { folder, recording, databaseUrl }: { folder: string; recording: Recording; databaseUrl?: string },
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const database = databaseUrl === undefined ? {} : { CONFAB_DATABASE_URL: databaseUrl };
  await using server = await startLocal({
    folder: join(folder, 'data'),
    key: recording.world.key,
    settings: { CONFAB_EGRESS_ALLOW: '127.0.0.0/8', ...database },
    // Texts of deleted items are removed a minute later, which is not to be checked here.
    parts: { isQuiet: true, clock: { now: () => recording.endedAt } },
  });
  await using client = new Client(server);
  await work(client);
}
