import assert from 'node:assert/strict';
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { damageWays } from 'confab-testing/backup/damage.ts';
import { compareRestored, startLoad } from 'confab-testing/backup/load.ts';
import { movableClock } from 'confab-testing/clock.ts';
import { runCommand } from 'confab-testing/command.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { samplesOf } from 'confab-testing/metrics.ts';
import { startBucket } from 'confab-testing/network/bucket.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, use, useServer } from 'confab-testing/server.ts';
import { createDataFolder } from 'confab-testing/stores/databases.ts';
import { pino } from 'pino';
import { createBackup } from '../../../../src/backup/create.ts';
import { openFolderPlace } from '../../../../src/backup/folder-place.ts';
import { listBackups } from '../../../../src/backup/list.ts';
import { Damage } from '../../../../src/backup/manifest.ts';
import type { BackupPlace } from '../../../../src/backup/place.ts';
import { pruneBackups } from '../../../../src/backup/prune.ts';
import { restoreBackup } from '../../../../src/backup/restore.ts';
import { verifyBackup } from '../../../../src/backup/verify.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { storedName } from '../../../../src/storage/storage.ts';

const root = mkdtempSync(join(tmpdir(), 'confab-backups-'));
after(() => rmSync(root, { recursive: true, force: true }));
const phrase = 'correct horse battery';

/** Every file and folder below a path with its mode, in octal. */
function modesBelow(folder: string): { [path: string]: string } {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    entries.map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
}

async function backup(args: readonly string[], settings: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCommand(['backup', ...args, '--json'], settings);
  return { code, stderr, value: stdout === '' ? undefined : JSON.parse(stdout) };
}

/** Does `work` with a folder of backups, open for writing. */
async function inPlace<T>(folder: string, work: (place: BackupPlace) => Promise<T>): Promise<T> {
  const place = await openFolderPlace(folder, { isWritten: true });
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}

/** Makes a backup as the command does. */
async function create(dataFolder: string, to: string, phrase?: string) {
  const source = {
    database: join(dataFolder, 'confab.db'),
    readBlob: async (key: string) => createReadStream(join(dataFolder, 'blobs', storedName({ key }))),
    keyText: existsSync(join(dataFolder, 'secrets.key'))
      ? readFileSync(join(dataFolder, 'secrets.key'), 'utf8')
      : undefined,
  };
  const parts = {
    source,
    clock: systemClock,
    log: pino({ enabled: false }),
    version: '1',
    passphrase: phrase,
  };
  return await inPlace(to, async (place) => await createBackup({ ...parts, place }));
}

async function restore(from: string, id: string, options: { to: string; passphrase?: string }) {
  const place = await openFolderPlace(from, { isWritten: false });
  return await restoreBackup({
    place,
    id,
    passphrase: undefined,
    upTo: undefined,
    bucket: undefined,
    ...options,
  });
}

async function verify(folder: string, id: string, phrase?: string): Promise<string> {
  const place = await openFolderPlace(folder, { isWritten: false });
  return await verifyBackup({ place, id, passphrase: phrase }).then(
    ({ damage }) => damage.join('\n'),
    (error: unknown) => (error instanceof Damage ? error.message : Promise.reject(error)),
  );
}

// A backup made while others write has everything that was answered before its moment, and nothing is half there.
describe('a backup under load', () => {
  const server = useServer();

  test('has every acknowledged change and every blob, and the restored store serves them', async () => {
    const place = join(root, 'load');
    const load = await startLoad(server, { writers: 8, random: seededRandom(1) });
    await poll('some changes', () => (load.acknowledged() > 100 ? true : undefined));
    const first = await backup(['create', place], { CONFAB_DATA_DIR: server.folder });
    assert.equal(first.code, 0, first.stderr);
    const before = load.acknowledged();
    await poll('more changes', () => (load.acknowledged() > before + 50 ? true : undefined));
    const second = await backup(['create', place], { CONFAB_DATA_DIR: server.folder });
    assert.equal(second.code, 0, second.stderr);
    const written = await load.stop();
    assert.ok(second.value.copied.blobs < second.value.blobs.count, 'the second copies only new blobs');

    for (const { value: manifest } of [first, second]) {
      const to = join(root, `restored-${manifest.id}`);
      await restore(place, manifest.id, { to });
      const [moment, end] = [Date.parse(manifest.moment.time), Date.parse(manifest.copied_at)];
      const compared = compareRestored(to, written, { moment, end });
      assert.deepEqual(compared.violations, []);
      assert.ok(compared.changes > 50 && compared.blobs > 0);
      assert.ok(Object.values(modesBelow(to)).every((mode) => mode === '600' || mode === '700'));
    }
    assert.ok(Object.values(modesBelow(place)).every((mode) => mode === '600' || mode === '700'));
  });
});

// Whatever happens to a backup, verification refuses it with a sentence that names the file, and a restore makes nothing.
describe('a damaged backup', () => {
  const server = useServer();
  const whole = join(root, 'whole');
  let id = '';

  before(async () => {
    await server.create('/api/webhooks', {
      payload_url: 'https://example.com/hook',
      triggers: ['app_created'],
      secret: 'a secret of this webhook',
    });
    const app = await server.create('/api/apps', { uid: 'kept', type: 'comments' });
    for (const text of ['one', 'two']) {
      const form = new FormData();
      form.set('blob', new Blob([`the file ${text}`]), `${text}.txt`);
      const { id: blob } = await server.create('/api/blobs', form);
      await server.create(`/api/apps/${app.id}/comments`, { text, blobs: [blob] });
    }
    const { manifest } = await create(server.folder, whole, phrase);
    assert.equal(manifest.key, 'sealed');
    ({ id } = manifest);
  });

  for (const { name, apply, names } of damageWays)
    test(`${name}: is refused`, async () => {
      const folder = join(root, 'damaged');
      rmSync(folder, { recursive: true, force: true });
      cpSync(whole, folder, { recursive: true });
      apply({ folder, id });
      assert.match(await verify(folder, id), names);
    });

  test('whole, it is accepted, with the key as well', async () => {
    assert.equal(await verify(whole, id, phrase), '');
    await assert.rejects(verify(whole, id, 'another passphrase'), /sealed with another passphrase/);
  });

  test('it is not restored, and leaves no folder', async () => {
    const folder = join(root, 'not-restored');
    cpSync(whole, folder, { recursive: true });
    damageWays.find(({ name }) => name === 'a blob with a changed bit')?.apply({ folder, id });
    await assert.rejects(restore(folder, id, { to: join(root, 'never') }), /blobs\/\S+ differs/);
    assert.deepEqual(
      readdirSync(root).filter((name) => name.startsWith('never')),
      [],
    );
  });

  test('the key is restored with the passphrase alone', async () => {
    const [opened, closed] = [join(root, 'opened'), join(root, 'closed')];
    assert.equal((await restore(whole, id, { to: opened, passphrase: phrase })).hasKey, true);
    assert.equal(
      readFileSync(join(opened, 'secrets.key'), 'utf8'),
      readFileSync(join(server.folder, 'secrets.key'), 'utf8'),
    );
    assert.equal((await restore(whole, id, { to: closed })).hasKey, false);
    assert.deepEqual(readdirSync(closed).toSorted(), ['blobs', 'confab.db']);
    await assert.rejects(restore(whole, id, { to: closed }), /is not empty/);
  });

  test('pruning keeps the newest, and the blobs that it has', async () => {
    const folder = join(root, 'pruned');
    const made: string[] = [];
    for (const _ of [1, 2, 3]) made.push((await create(server.folder, folder)).manifest.id);
    rmSync(join(folder, made[1] ?? '', 'manifest.json'));
    const states = await inPlace(folder, listBackups);
    assert.deepEqual(
      states.map(({ state }) => state),
      ['whole', 'unfinished', 'whole'],
    );
    const pruned = await inPlace(folder, async (place) => await pruneBackups(place, 1));
    assert.deepEqual(pruned, { removed: made.slice(0, 2), kept: made.slice(2), removedBlobs: 0 });
    assert.equal(await verify(folder, made[2] ?? ''), '');
  });
});

// A bucket is a place like a folder; a command fails with one line and an exit code, and says what it leaves out.
describe('confab backup with a bucket', () => {
  const server = useServer();
  const bucket = use(startBucket);
  after(() => bucket.close());

  test('makes, checks and removes backups', async () => {
    const form = new FormData();
    form.set('blob', new Blob(['the file']), 'a.txt');
    await server.create('/api/blobs', form);
    const hook = { payload_url: 'https://example.com/hook', triggers: ['app_created'] };
    await server.create('/api/webhooks', { ...hook, secret: 'a secret of this webhook' });
    const settings = {
      ...bucket.settings,
      CONFAB_DATA_DIR: server.folder,
      CONFAB_S3_BUCKET: '',
      CONFAB_BACKUP_TO: 's3://confab-test/nightly',
    };
    const made = await backup(['create'], settings);
    assert.equal(made.code, 0, made.stderr);
    assert.equal(made.value.blobs.count, 1);
    assert.equal(made.value.key, 'left out');
    assert.match(made.stderr, /is not in the backup: keep it elsewhere/);
    assert.ok(bucket.names().includes(`nightly/${made.value.id}/manifest.json`));
    truncateSync(bucket.pathOf(`nightly/${made.value.id}/blobs.tsv`), 5);
    const verified = await backup(['verify'], settings);
    assert.equal(verified.code, 1);
    assert.match(verified.stderr, /^confab: .*\n$/);
    const again = await backup(['create', '--keep', '1'], settings);
    assert.deepEqual(again.value.removed, [made.value.id]);
    assert.ok(!bucket.names().some((name) => name.includes(made.value.id)));
  });
});

// A server makes its own backups, and an operator sees when the last one was finished.
describe('a server with a place of backups', () => {
  const clock = movableClock();
  const settingsFor = (name: string) => ({
    CONFAB_BACKUP_TO: join(root, name),
    CONFAB_BACKUP_EVERY: '1h',
    CONFAB_BACKUP_KEEP: '1',
  });
  const idsAt = async (name: string) =>
    await (await openFolderPlace(join(root, name), { isWritten: false })).ids();
  const server = useServer(settingsFor('own'), { clock });

  test('makes a backup at its start, which /readyz shows, and says how old it is', async () => {
    const headers = { authorization: `Bearer ${server.key}` };
    const last = await poll('the backup', async () => {
      const answer = await fetch(`${server.url}/readyz`, { headers });
      const { checks } = (await answer.json()) as {
        checks: { backups: { last: string; is_late: boolean } };
      };
      return checks.backups.is_late ? undefined : checks.backups.last;
    });
    const [id] = await idsAt('own');
    assert.ok(id !== undefined && Date.parse(last) > 0);
    assert.equal(await verify(join(root, 'own'), id), '');
    clock.move(1_800_000);
    const age = await poll('the age of the backup', async () => {
      const seconds = (await samplesOf(server)).get('confab_backup_age_seconds');
      return seconds !== undefined && seconds >= 1800 ? seconds : undefined;
    });
    assert.ok(age < 1800 + 300, `${age} s`);
  });

  test('makes the next one when it is due, and removes what it does not keep', async () => {
    const folder = await createDataFolder();
    const first = await startTestServer(settingsFor('next'), { folder, clock });
    const [id] = await poll('the first backup', async () => {
      const ids = existsSync(join(root, 'next')) ? await idsAt('next') : [];
      return ids.length === 1 ? ids : undefined;
    });
    await first.close();
    clock.move(3_600_000);
    const second = await startTestServer(settingsFor('next'), { folder, clock });
    const [next] = await poll('the second backup alone', async () => {
      const ids = await idsAt('next');
      return ids.length === 1 && ids[0] !== id ? ids : undefined;
    });
    assert.equal(await verify(join(root, 'next'), String(next)), '');
    await second.close();
    rmSync(folder, { recursive: true });
  });
});
