import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { shipAndLose } from 'confab-testing/backup/lose.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { samplesOf } from 'confab-testing/metrics.ts';
import { startBucket } from 'confab-testing/network/bucket.ts';
import { poll } from 'confab-testing/poll.ts';
import { useServer } from 'confab-testing/server.ts';
import { pino } from 'pino';
import { openBucketPlace } from '../../../../src/backup/bucket-place.ts';
import { createBackup } from '../../../../src/backup/create.ts';
import { openFolderPlace } from '../../../../src/backup/folder-place.ts';
import { listBackups } from '../../../../src/backup/list.ts';
import { pruneBackups } from '../../../../src/backup/prune.ts';
import { restoreBackup } from '../../../../src/backup/restore.ts';
import { lastHead } from '../../../../src/backup/segment.ts';
import { createShipper } from '../../../../src/backup/shipper.ts';
import { verifyBackup } from '../../../../src/backup/verify.ts';
import { SqliteLog } from '../../../../src/db/sqlite/log.ts';
import { openWriter } from '../../../../src/db/sqlite/sqlite.ts';
import { applyMigrations } from '../../../../src/db/store-address.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { openBucketClient } from '../../../../src/storage/bucket-client.ts';

const root = mkdtempSync(join(tmpdir(), 'confab-shipping-'));
after(() => rmSync(root, { recursive: true, force: true }));
let worlds = 0;

/** A store that a server would have, its log being shipped to a folder. */
async function startWorld() {
  worlds += 1;
  const folder = join(root, String(worlds));
  const [data, to] = [join(folder, 'data'), join(folder, 'place')];
  await applyMigrations({ folder: data }, systemClock);
  const database = join(data, 'confab.db');
  const server = openWriter(database);
  server.exec('pragma wal_autocheckpoint = 0');
  const source = { database, readBlob: async () => undefined, keyText: undefined };
  const parts = { clock: systemClock, log: pino({ enabled: false }), passphrase: undefined };

  /** Ships to the folder; `onPut` is called after each file. */
  async function startShipping(onPut: () => void = () => undefined) {
    const held = await openFolderPlace(join(to, 'log'), { isWritten: true });
    const shelf = {
      ...held,
      async put(name: string, path: string) {
        await held.put(name, path);
        onPut();
      },
    };
    const place = await openFolderPlace(to, { isWritten: false });
    const store = new SqliteLog(database);
    const shipper = createShipper({
      ...parts,
      source: { ...source, keyText: () => undefined },
      place,
      shelf,
      store,
    });
    return { ...shipper, store, end: async () => await Promise.all([place.close(), shelf.close()]) };
  }

  return {
    data,
    to,
    database,
    server,
    startShipping,
    log: join(to, 'log'),
    /** Commits rows, of which the newest replaces the page that it is on many times. */
    commit(number: number, bytes = 2000) {
      server
        .prepare(
          'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
        )
        .run(`key-${number % 40}`, `${number} ${'x'.repeat(bytes)}`);
    },
    /** Makes a backup; `onBegin` is called before the copy. */
    async backup(onBegin: () => Promise<unknown> = async () => undefined) {
      const held = await openFolderPlace(to, { isWritten: true });
      const place = {
        ...held,
        async begin(id: string) {
          await held.begin(id);
          await onBegin();
        },
      };
      try {
        return (await createBackup({ ...parts, source, place, version: '1' })).manifest;
      } finally {
        await place.close();
      }
    },
    async read() {
      return await openFolderPlace(to, { isWritten: false });
    },
    async restore(upTo: number, id?: string) {
      const place = await openFolderPlace(to, { isWritten: false });
      const target = join(folder, `restored-${Math.random()}`);
      const [newest = ''] = (await place.ids()).toReversed();
      const options = { place, id: id ?? newest, to: target, passphrase: undefined, bucket: undefined, upTo };
      const { applied } = await restoreBackup(options);
      return { applied, rows: rowsOf(join(target, 'confab.db')) };
    },
    async verify() {
      const place = await openFolderPlace(to, { isWritten: false });
      const [id = ''] = (await place.ids()).toReversed();
      return (await verifyBackup({ place, id, passphrase: undefined })).damage.join('\n');
    },
  };
}

type World = Awaited<ReturnType<typeof startWorld>>;

function rowsOf(file: string): unknown[] {
  const database = new DatabaseSync(file);
  const rows = database
    .prepare("select name, value from settings where name like 'key-%' order by name")
    .all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

/** Writes, ships, and lets other processes copy the log back, in a random order. */
async function disturb(world: World, seed: number): Promise<void> {
  const random = seededRandom(seed);
  // The server goes on writing while what was captured is put.
  let [isWriting, puts] = [true, 0];
  const shipping = await world.startShipping(() => {
    puts += 1;
    if (isWriting && puts % 3 > 0) world.commit(puts);
  });
  await shipping.step();
  const other = new DatabaseSync(world.database, { timeout: 0 });
  const reading = new DatabaseSync(world.database, { readOnly: true, timeout: 0 });
  const actions: (() => Promise<unknown>)[] = [
    async () => world.commit(random.integer(0, 1000), random.integer(10, 40_000)),
    async () => world.commit(random.integer(0, 1000)),
    async () =>
      void other
        .prepare(`pragma wal_checkpoint(${random.pick(['passive', 'full', 'restart', 'truncate'])})`)
        .get(),
    () => shipping.step(),
    () => shipping.empty(),
    async () => reading.exec(reading.isTransaction ? 'commit' : 'begin; select 1 from settings'),
  ];
  await world.backup();
  for (let count = 0; count < 40; count += 1) {
    await Promise.all([random.pick(actions)?.()]);
    if (count === 20) await world.backup();
  }
  if (reading.isTransaction) reading.exec('commit');
  isWriting = false;
  const before = await lastHead((await world.read()).log);
  await shipping.step();
  assert.equal((await shipping.step()).run, before?.run, 'the run has no gap');
  for (const database of [other, reading]) database.close();
  await shipping.end();
}

// Whatever other processes do to the log of a store, what was shipped is what was committed.
describe('the shipped log', () => {
  for (const seed of [2])
    test(`has every commit while others read and copy the log back, seed ${seed}`, async () => {
      const world = await startWorld();
      await disturb(world, seed);
      const rows = rowsOf(world.database);
      const [first] = await (await world.read()).ids();
      for (const id of [undefined, first]) {
        const restored = await world.restore(Number.POSITIVE_INFINITY, id);
        assert.ok((restored.applied?.segments ?? 0) > 0);
        assert.deepEqual(restored.rows, rows);
      }
      assert.equal(await world.verify(), '');
      world.server.close();
    });

  test('goes on after a restart where nothing was lost, and begins a new run where something may be', async () => {
    const world = await startWorld();
    const first = await world.startShipping();
    world.commit(1);
    const { run } = await first.step();
    await first.end();
    world.commit(2);
    const second = await world.startShipping();
    assert.equal((await second.step()).run, run);
    await second.end();
    await world.backup();
    // Both shippers are gone; without them nothing keeps the log from starting again.
    for (const { store } of [first, second]) store.close();
    world.commit(3);
    world.server.exec('pragma wal_checkpoint(truncate)');
    world.commit(4);
    const third = await world.startShipping();
    const { run: next } = await third.step();
    assert.notEqual(next, run);
    assert.notEqual(
      JSON.stringify((await world.restore(Number.POSITIVE_INFINITY)).rows),
      JSON.stringify(rowsOf(world.database)),
    );
    await world.backup();
    assert.deepEqual((await world.restore(Number.POSITIVE_INFINITY)).rows, rowsOf(world.database));
    await third.end();
    world.server.close();
  });

  test('restores a moment, and the moment before damage', async () => {
    const world = await startWorld();
    const shipping = await world.startShipping();
    await shipping.step();
    await world.backup();
    const states: { readonly at: number; readonly rows: unknown[] }[] = [];
    for (let number = 0; number < 5; number += 1) {
      world.commit(number);
      await shipping.step();
      states.push({ at: Date.now(), rows: rowsOf(world.database) });
      // The next segment ends later.
      while (Date.now() === states.at(-1)?.at);
    }
    for (const { at, rows } of states) assert.deepEqual((await world.restore(at)).rows, rows);
    assert.equal(await shipping.empty(), true);
    assert.equal(statSync(`${world.database}-wal`).size, 0);
    const [run = ''] = readdirSync(world.log).filter((name) => name.startsWith('20'));
    const damaged = join(world.log, run, '000000004');
    const whole = readFileSync(damaged);
    appendFileSync(damaged, 'x');
    assert.match(await world.verify(), /^log\/\S+000000004 differs from its checksum; .*--at \d{4}-/);
    const [, at = ''] = /--at (\S+)/.exec(await world.verify()) ?? [];
    assert.deepEqual((await world.restore(Date.parse(at))).rows, states[2]?.rows);
    await assert.rejects(world.restore(Number.POSITIVE_INFINITY), /000000004 differs/);
    rmSync(damaged);
    assert.match(await world.verify(), /000000004 is missing/);
    writeFileSync(damaged, readFileSync(join(world.log, run, '000000003')));
    assert.match(await world.verify(), /000000004 is the segment 3/);
    writeFileSync(damaged, whole);
    assert.equal(await world.verify(), '');
    await shipping.end();
    world.server.close();
  });

  test('goes to a bucket, with the uploads that came into use and the keys', async () => {
    const world = await startWorld();
    const bucket = await startBucket();
    const [name = ''] = [bucket.settings.CONFAB_S3_BUCKET];
    const client = await openBucketClient(
      {
        bucket: name,
        endpoint: bucket.url,
        region: 'us-east-1',
        credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
        isPathStyle: true,
        publicEndpoint: undefined,
      },
      { log: pino({ enabled: false }), clock: systemClock, limits: { waitMs: 10_000 } },
    );
    const place = await openBucketPlace(client, 'kept/');
    const source = {
      database: world.database,
      readBlob: async (key: string) => Readable.from([Buffer.from(`bytes of ${key}`)]),
      keyText: () => `${'k'.repeat(43)}=\n`,
    };
    const parts = { clock: systemClock, log: pino({ enabled: false }), passphrase: 'a long passphrase' };
    const store = new SqliteLog(world.database);
    const shipper = createShipper({ ...parts, source, place, shelf: place.log, store });
    const upload = (key: string, expiresAt: number | null) =>
      world.server
        .prepare(
          "insert into blobs (key, name, media_type, size, created_at, created_by_id, expires_at) values (?, 'a', 'text/plain', ?, 1, 1, ?)",
        )
        .run(key, `bytes of ${key}`.length, expiresAt);
    upload('aa-late', 9e15);
    await shipper.step();
    await createBackup({ ...parts, source: { ...source, keyText: undefined }, place, version: '1' });
    const stored = () => bucket.names().filter((each) => each.startsWith('kept/blobs/'));
    upload('bb-used', null);
    upload('cc-unused', 9e15);
    await shipper.step();
    assert.ok(!stored().includes('kept/blobs/cc/cc-unused') && stored().includes('kept/blobs/bb/bb-used'));
    world.server.exec("update blobs set expires_at = null where key in ('aa-late', 'cc-unused')");
    await shipper.step();
    const [id = ''] = await place.ids();
    const to = join(world.data, '../from-bucket');
    const upTo = Number.POSITIVE_INFINITY;
    const { hasKey } = await restoreBackup({
      place,
      id,
      to,
      passphrase: parts.passphrase,
      bucket: undefined,
      upTo,
    });
    assert.equal(readFileSync(join(to, 'blobs/cc/cc-unused'), 'utf8'), 'bytes of cc-unused');
    assert.equal(readFileSync(join(to, 'blobs/aa/aa-late'), 'utf8'), 'bytes of aa-late');
    assert.ok(hasKey);
    await place.remove('blobs/bb/bb-used');
    const { damage } = await verifyBackup({ place, id, passphrase: parts.passphrase });
    assert.deepEqual(damage, ['blobs/bb/bb-used is missing']);
    await place.close();
    await bucket.close();
    store.close();
    world.server.close();
  });

  test('is not applied to a copy that it does not reach', async () => {
    const world = await startWorld();
    const shipping = await world.startShipping();
    await shipping.step();
    await world.backup(async () => {
      for (let number = 0; number < 40; number += 1) world.commit(number, 20_000);
      await shipping.step();
      for (let number = 0; number < 40; number += 1) world.commit(number + 40, 10);
    });
    const rows = rowsOf(world.database);
    const { applied, rows: restored } = await world.restore(Number.POSITIVE_INFINITY);
    assert.deepEqual([applied?.hasReached, applied?.segments], [false, 0]);
    assert.deepEqual(restored, rows);
    await shipping.step();
    assert.ok(((await world.restore(Number.POSITIVE_INFINITY)).applied?.segments ?? 0) > 1);
    await shipping.end();
    world.server.close();
  });

  test('loses its segments with the backups that they go on from', async () => {
    const world = await startWorld();
    const shipping = await world.startShipping();
    await shipping.step();
    await world.backup();
    for (const number of [1, 2, 3]) {
      world.commit(number);
      await shipping.step();
    }
    await world.backup();
    world.commit(4);
    await shipping.step();
    const place = await openFolderPlace(world.to, { isWritten: true });
    await pruneBackups(place, 1);
    const [kept] = await listBackups(place);
    await place.close();
    assert.ok(kept?.until !== undefined);
    const [run = ''] = readdirSync(world.log).filter((name) => name.startsWith('20'));
    const left = readdirSync(join(world.log, run)).filter((name) => /^\d+$/.test(name));
    assert.ok(!left.includes('000000003') && left.length > 0, left.join());
    assert.equal(await world.verify(), '');
    assert.deepEqual((await world.restore(Number.POSITIVE_INFINITY)).rows, rowsOf(world.database));
    await shipping.end();
    world.server.close();
  });
});

// A server that is killed together with its disk loses the last seconds at most.
describe('a server that ships its log', () => {
  test('is restored from the place with all that was acknowledged three seconds before it was killed', async () => {
    const folder = join(root, 'killed');
    const { violations, changes, lostMs } = await shipAndLose({
      folder,
      random: seededRandom(1),
      graceMs: 3000,
      // Half of it is the least that clients write, which has to be longer than what may be lost.
      runMs: 7000,
      isRestarted: false,
    });
    assert.deepEqual(violations, []);
    assert.ok(changes > 0 && lostMs < 3000);
  });
});

// What an alert is made of has to grow when shipping stops, and to fall when it goes on.
describe('the lag of a log that is shipped', () => {
  const clock = movableClock();
  const server = useServer({ CONFAB_BACKUP_TO: join(root, 'lag'), CONFAB_BACKUP_LOG: 'yes' }, { clock });
  const lag = async (isExpected: (seconds: number) => boolean) =>
    await poll('the lag', async () => {
      const seconds = (await samplesOf(server)).get('confab_backup_log_lag_seconds');
      return seconds !== undefined && isExpected(seconds) ? seconds : undefined;
    });

  test('is the age of the newest change that is surely at the place', async () => {
    await lag((seconds) => seconds < 10);
    clock.move(3_600_000);
    assert.ok((await lag((seconds) => seconds > 3590)) < 3700);
    clock.move(-3_600_000);
    await lag((seconds) => seconds < 10);
  });
});
