/**
 * Proves backups and measures what they cost: `npx node proof/backup.ts`.
 *
 * - `load`: 16 clients write comments, edits and attachments while `confab backup create` runs `--backups` times. Each
 *   backup is restored to another folder and held against every acknowledged change and every attachment; the last one
 *   is served by a server. Prints how long changes took with and without a backup.
 * - `lose`: `--kills` times, clients write to a server that ships its log, it is killed and its disk is taken away, and a
 *   store is restored from the place. Every other time the server is restarted before. Prints how many seconds of
 *   acknowledged changes are lost.
 * - `damage`: damages a copy of such a backup in each way of `backup/damage.ts`, which verification must refuse with a
 *   sentence that names the file.
 * - `size`: makes a store of `--comments` comments, and prints time and size of a backup, a second one, `verify` and
 *   `restore`, alone and while clients write.
 *
 * `--only` selects parts, `--seed` repeats the requests.
 */

import { cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openFolderPlace } from 'confab-server/src/backup/folder-place.ts';
import { Damage, type Manifest } from 'confab-server/src/backup/manifest.ts';
import { verifyBackup } from 'confab-server/src/backup/verify.ts';
import { damageWays } from 'confab-testing/backup/damage.ts';
import { compareRestored, startLoad } from 'confab-testing/backup/load.ts';
import { shipAndLose } from 'confab-testing/backup/lose.ts';
import { Client } from 'confab-testing/harness/client.ts';
import { mustConfab } from 'confab-testing/harness/confab-command.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { quantile } from 'confab-testing/harness/figures.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { largeStore } from './bench/large-store.ts';

const { backups, comments, kills, only, seed } = readFlags({
  backups: 6,
  kills: 20,
  comments: 1_000_000,
  only: '',
  seed: anySeed,
});
const suite = new Suite('backup');
const { folder } = suite;
const writers = 16;
const passphrase = 'a passphrase of the suite';

type Result = Manifest & { readonly copied: { readonly blobs: number } };

/** Runs `confab backup` and returns its JSON with the seconds that it took. */
async function backup(args: readonly string[], dataFolder?: string) {
  const { stdout, seconds } = await mustConfab(['backup', ...args, '--json'], {
    CONFAB_BACKUP_PASSPHRASE: passphrase,
    ...(dataFolder === undefined ? {} : { CONFAB_DATA_DIR: dataFolder }),
  });
  return { value: JSON.parse(stdout) as Result, seconds };
}

function show(name: string, latencies: readonly number[]): void {
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantile(latencies, part).toFixed(0));
  console.log(`  ${name}: ${latencies.length} changes, p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`);
}

async function loaded(): Promise<void> {
  console.log(`seed ${seed}: ${backups} backups while ${writers} clients write`);
  const place = join(folder, 'load-backups');
  const data = join(folder, 'load/data');
  const server = await startConfab({ folder: join(folder, 'load'), settings: { CONFAB_LOG_LEVEL: 'warn' } });
  const client = new Client(server);
  const hook = {
    payload_url: 'https://example.com/hook',
    triggers: ['app_created'],
    secret: 'a secret text',
  };
  await client.must('POST', '/api/webhooks', hook);
  await client.close();
  const load = await startLoad(server, { writers, random: seededRandom(seed) });
  const [alone, during]: [number[], number[]] = [[], []];
  const made: Result[] = [];
  for (let number = 0; number < backups; number += 1) {
    load.takeLatencies();
    await pause(2000);
    alone.push(...load.takeLatencies());
    const { value, seconds } = await backup(['create', place], data);
    during.push(...load.takeLatencies());
    made.push(value);
    console.log(
      `  ${value.id}: ${seconds.toFixed(1)} s, position ${value.moment.position}, ${value.blobs.count} blobs, ${value.copied.blobs} of them new`,
    );
  }
  const written = await load.stop();
  await server.stop();
  show('without a backup', alone);
  show('during a backup', during);
  let [changes, blobs] = [0, 0];
  for (const { id, moment, copied_at } of made) {
    const to = join(folder, `restored-${id}`);
    await backup(['restore', place, '--backup', id, '--to', to]);
    const times = { moment: Date.parse(moment.time), end: Date.parse(copied_at) };
    const compared = compareRestored(to, written, times);
    if (compared.violations.length > 0) suite.fail(`the backup ${id} is not whole`, compared.violations);
    changes += compared.changes;
    blobs += compared.blobs;
    if (id === made.at(-1)?.id) await serve(to, server.key);
    rmSync(to, { recursive: true });
  }
  console.log(
    `${changes} acknowledged changes and ${blobs} blobs were found in ${made.length} restored stores`,
  );
}

/** Starts a server on a restored folder, which must answer and be able to open its sealed secrets. */
async function serve(data: string, key: string): Promise<void> {
  const home = join(folder, 'restored');
  cpSync(data, join(home, 'data'), { recursive: true });
  const server = await startConfab({ folder: home, key, settings: { CONFAB_LOG_LEVEL: 'warn' } });
  const client = new Client(server);
  const { data: webhooks } = await client.must('GET', '/api/webhooks');
  if (!Array.isArray(webhooks) || webhooks.length !== 1) suite.fail('the restored store lost its webhook');
  await client.close();
  await server.stop();
}

async function lost(): Promise<void> {
  console.log(
    `seed ${seed}: a server that ships its log is killed ${kills} times, and its disk is taken away`,
  );
  const random = seededRandom(seed);
  const seconds: number[] = [];
  let changes = 0;
  for (let number = 0; number < kills; number += 1) {
    const found = await shipAndLose({
      folder: join(folder, 'lose'),
      random,
      graceMs: 5000,
      runMs: 4000,
      isRestarted: number % 2 === 1,
    });
    if (found.violations.length > 0)
      suite.fail(`kill ${number}: the restored store is not whole`, found.violations);
    seconds.push(found.lostMs / 1000);
    changes += found.changes;
  }
  const [p50, most] = [0.5, 1].map((part) => quantile(seconds, part).toFixed(1));
  console.log(
    `  lost before the kill: p50 ${p50} s, most ${most} s; ${changes} earlier changes were all there`,
  );
}

async function damaged(): Promise<void> {
  const whole = join(folder, 'load-backups');
  const place = await openFolderPlace(whole, { isWritten: false });
  const id = (await place.ids()).at(-1) ?? '';
  let refused = 0;
  for (const { name, apply, names } of damageWays) {
    const target = join(folder, 'damaged');
    cpSync(whole, target, { recursive: true });
    apply({ folder: target, id });
    const found = await verifyBackup({
      place: await openFolderPlace(target, { isWritten: false }),
      id,
      passphrase: undefined,
    }).then(
      ({ damage }) => damage.join('\n'),
      (error: unknown) => (error instanceof Damage ? error.message : Promise.reject(error)),
    );
    if (names.test(found)) refused += 1;
    else suite.fail(`${name}: ${found === '' ? 'it was accepted' : found.slice(0, 300)}`);
    rmSync(target, { recursive: true });
  }
  console.log(`${refused} of ${damageWays.length} ways of damage were refused with the name of the file`);
}

async function sized(): Promise<void> {
  const store = join(folder, 'large');
  await largeStore(store, comments / 2);
  const [data, place, to] = [
    join(store, 'data'),
    join(folder, 'large-backups'),
    join(folder, 'large-restored'),
  ];
  const megabytes = statSync(join(data, 'confab.db')).size / 1e6;
  console.log(`${comments} comments: the database has ${megabytes.toFixed(0)} MB`);
  const server = await startConfab({ folder: store, settings: { CONFAB_LOG_LEVEL: 'warn' } });
  const alone = await backup(['create', place], data);
  console.log(`  create: ${alone.seconds.toFixed(1)} s`);
  const load = await startLoad(server, { writers, random: seededRandom(seed) });
  await pause(5000);
  show('without a backup', load.takeLatencies());
  const during = await backup(['create', place], data);
  show('during a backup', load.takeLatencies());
  console.log(
    `  create while ${writers} clients write: ${during.seconds.toFixed(1)} s; the write-ahead log grew to ${(statSync(join(data, 'confab.db-wal')).size / 1e6).toFixed(0)} MB`,
  );
  await load.stop();
  await server.stop();
  const verified = await backup(['verify', place]);
  const restored = await backup(['restore', place, '--to', to]);
  console.log(`  verify: ${verified.seconds.toFixed(1)} s; restore: ${restored.seconds.toFixed(1)} s`);
}

await suite.run({ load: loaded, lose: lost, damage: damaged, size: sized }, only);
