import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { listening, runCommand, startCommand } from 'confab-testing/command.ts';
import { poll } from 'confab-testing/poll.ts';
import { type Cluster, startCluster } from 'confab-testing/stores/postgres.ts';
import pg from 'pg';
import { migrations } from '../../../../src/db/migrations/all.ts';
import { migrationsTable } from '../../../../src/db/migrations/migration.ts';
import { postgresDialect } from '../../../../src/db/postgres/schema.ts';
import { sqliteDialect } from '../../../../src/db/sqlite/schema.ts';
import { applyMigrations } from '../../../../src/db/store-address.ts';
import { hashSecret, makeSecret } from '../../../../src/features/credentials/secret-text.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';

const root = mkdtempSync(join(tmpdir(), 'confab-migrate-'));
let cluster: Cluster;
before(async () => {
  cluster = await startCluster();
});
after(async () => {
  await cluster.stop();
  rmSync(root, { recursive: true });
});

/** A store that does not exist yet: the settings that name it, how to make it, and how to ask it. */
type Place = {
  readonly settings: Record<string, string>;
  /** Takes every step in this process, for a test that is not about the command. */
  readonly migrated: () => Promise<unknown>;
  readonly make: (statements: readonly string[]) => Promise<void>;
  readonly ask: (sql: string) => Promise<unknown>;
};

async function onSqlite(name: string): Promise<Place> {
  const folder = join(root, name);
  return {
    settings: { CONFAB_DATA_DIR: folder },
    migrated: async () => await applyMigrations({ folder }, systemClock),
    async make(statements) {
      mkdirSync(folder);
      const database = new DatabaseSync(join(folder, 'confab.db'));
      for (const sql of statements) database.exec(sql);
      database.close();
    },
    async ask(sql) {
      const database = new DatabaseSync(join(folder, 'confab.db'));
      const row = database.prepare(sql).get();
      database.close();
      return row;
    },
  };
}

async function onPostgres(name: string): Promise<Place> {
  const url = await cluster.createDatabase(name);
  return {
    settings: { CONFAB_DATABASE_URL: url, CONFAB_DATA_DIR: join(root, `files-${name}`) },
    migrated: async () => await applyMigrations({ url, isPrepared: true }, systemClock),
    async make(statements) {
      const client = new pg.Client(url);
      await client.connect();
      for (const sql of statements) await client.query(sql);
      await client.end();
    },
    async ask(sql) {
      const client = new pg.Client(url);
      await client.connect();
      const { rows } = await client.query(sql);
      await client.end();
      return rows[0];
    },
  };
}

const places = { SQLite: onSqlite, PostgreSQL: onPostgres };
/** How many processes do the same at once. */
const processCount = 3;

const migrate = (settings: Record<string, string>, what: 'status' | 'up') =>
  runCommand(['migrate', what], settings);
/** The lines below the names of the columns, with one space between cells. */
const linesOf = (stdout: string) =>
  stdout
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(/ +/g, ' '));
const newest = migrations.at(-1)?.id ?? 0;

for (const [engine, placeOf] of Object.entries(places)) {
  /** An operator sees which steps a store has taken, and takes the others when it suits. */
  describe(`confab migrate on ${engine}`, () => {
    it('lists pending steps, applies them, and shows when they were applied', async () => {
      const { settings } = await placeOf('listed');
      const pending = await migrate(settings, 'status');
      assert.deepEqual(
        linesOf(pending.stdout),
        migrations.map(({ id, name }) => `${id} ${name} pending`),
      );
      assert.ok(!existsSync(settings['CONFAB_DATA_DIR'] ?? ''));

      const taken = await migrate(settings, 'up');
      assert.equal(taken.code, 0, taken.stderr);
      assert.equal(linesOf(taken.stdout).length, migrations.length);
      for (const line of linesOf(taken.stdout))
        assert.match(line, /^\d+ [a-z-]+ applied \d{4}-\d\d-\d\dT[\d:.]+Z$/);
      assert.equal((await migrate(settings, 'status')).stdout, taken.stdout);
      const again = await migrate(settings, 'up');
      assert.deepEqual([again.code, again.stdout, again.stderr], [0, '', 'Nothing is pending.\n']);
    });

    it('applies each step once when several processes run it at once', async () => {
      const { settings, ask } = await placeOf('together');
      const runs = await Promise.all(Array.from({ length: processCount }, () => migrate(settings, 'up')));
      for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
      assert.equal(runs.flatMap(({ stdout }) => linesOf(stdout)).length, migrations.length);
      const { n } = (await ask('select count(*) as n from migrations')) as { n: unknown };
      assert.equal(Number(n), migrations.length);
    });
  });

  /** The nodes of one release run on beside the next one, until a step says that it breaks them. */
  describe(`a schema newer than the program on ${engine}`, () => {
    it('is accepted while no step of it breaks the program', async () => {
      const { settings, ask, migrated } = await placeOf('expanded');
      await migrated();
      await ask(
        `insert into migrations (id, name, applied_at, breaks_before) values (${newest + 1}, 'expands', 0, ${newest})`,
      );
      const { code, stdout, stderr } = await runCommand(['key', 'create'], settings);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^wys_/);
      assert.match(
        (await migrate(settings, 'status')).stdout,
        new RegExp(`^${newest + 1} +expands +applied 1970-.*, of a newer Confab$`, 'm'),
      );
    });

    it('is refused from the step on that breaks the program', async () => {
      const { settings, ask, migrated } = await placeOf('contracted');
      await migrated();
      await ask(
        `insert into migrations (id, name, applied_at, breaks_before) values (${newest + 2}, 'contracts', 0, ${newest + 1})`,
      );
      for (const args of [
        ['serve', '--port', '0'],
        ['key', 'create'],
        ['migrate', 'up'],
      ]) {
        const { code, stderr } = await runCommand(args, settings);
        assert.equal(code, 1);
        assert.match(
          stderr,
          /^confab: the store is of a newer Confab: its step \d+ \(contracts\) needs a program/m,
        );
      }
    });
  });
}

/** The statements that make an empty store of 0.1.0, which knew eleven steps. */
function stepsOfFirstRelease(engine: string): string[] {
  const words = engine === 'SQLite' ? sqliteDialect : postgresDialect;
  return [
    migrationsTable(words),
    ...migrations
      .filter(({ id }) => id <= 11)
      .flatMap(({ id, name, up }) => [
        ...up(words),
        `insert into migrations (id, name, applied_at, breaks_before) values (${id}, '${name}', 0, 0)`,
      ]),
  ];
}

/** What a store of 0.1.0 says of people is found in the way of the new release as soon as the store is opened. */
for (const [engine, placeOf] of Object.entries(places))
  describe(`the step about the visibility of users on ${engine}`, () => {
    it('fills the words, and ends the memberships of the built-in user', async () => {
      const { ask, make, migrated } = await placeOf('people');
      await make([
        ...stepsOfFirstRelease(engine),
        `insert into users (uid, display_name, nickname, email, tags, is_bot, created_at)
           values ('ada', 'Ada', 'Élan', 'hidden@example.com', '[]', 0, 0)`,
        `insert into apps (type, uid, access, tags, created_at, created_by_id) values ('comments', 'by-key', 'none', '[]', 0, 1)`,
        `insert into apps (type, uid, access, tags, created_at, created_by_id) values ('comments', 'by-ada', 'none', '[]', 0, 2)`,
        `insert into members (app_id, user_id, access, created_at) select 2, id, 'write', 0 from users`,
        `insert into tallies (parent_type, parent_id, kind, app_id, live, trashed, is_hidden) values ('app', 2, 'member', 2, 2, 0, 0)`,
      ]);
      await migrated();
      const one = async (sql: string) => Object.values((await ask(sql)) as object).map(Number);
      assert.deepEqual(await one('select count(*), max(user_id) from members'), [1, 2]);
      assert.deepEqual(await one("select live from tallies where kind = 'member'"), [1]);
      assert.deepEqual(await one("select min(by_key), max(by_key) from apps where uid = 'by-key'"), [1, 1]);
      assert.deepEqual(await one("select by_key from apps where uid = 'by-ada'"), [0]);
      const found = (word: string) =>
        engine === 'SQLite'
          ? `select count(*) from public_user_search where public_user_search match '"${word}"'`
          : `select count(*) from public_user_search where lexemes @@ '${word}'::tsquery`;
      assert.deepEqual(await one(found('elan')), [1]);
      assert.deepEqual(await one(found('hidden')), [0]);
      assert.deepEqual(await one(found('system')), [0]);
    });
  });

/** Hosts use the keys they have through an upgrade, without noticing it. */
for (const [engine, placeOf] of Object.entries(places))
  describe(`the API keys of a store of 0.1.0 on ${engine}`, () => {
    it('work as before after the upgrade, and revoked ones stay revoked', async () => {
      const { settings, make } = await placeOf('keys');
      const [kept, revoked] = [makeSecret('key'), makeSecret('key')];
      const rowOf = (secret: string, name: string, revokedAt: string) => {
        const hex = Buffer.from(hashSecret(secret)).toString('hex');
        const bytes = engine === 'SQLite' ? `x'${hex}'` : `decode('${hex}', 'hex')`;
        return `(${bytes}, '${name}', '${secret.slice(-4)}', 1750000000000, ${revokedAt})`;
      };
      await make([
        ...stepsOfFirstRelease(engine),
        `insert into api_keys (hash, name, hint, created_at, revoked_at)
           values ${rowOf(kept, 'site', 'null')}, ${rowOf(revoked, 'old', '1760000000000')}`,
      ]);
      const { child, ended, said, url } = await listening(
        await startCommand(['serve', '--port', '0'], settings),
      );
      // A read and a change of each thing that a key of one scope could not do.
      const call = async (key: string, method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const sent =
          body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
        return (await fetch(url + path, sent)).status;
      };
      const hook = { payload_url: 'https://example.com/', triggers: ['apps'] };
      const statuses = [
        await call(kept, 'GET', '/api/apps'),
        await call(kept, 'PUT', '/api/users/ada', {}),
        await call(kept, 'POST', '/api/apps', { uid: 'made', type: 'comments' }),
        await call(kept, 'POST', '/api/webhooks', hook),
        await call(revoked, 'GET', '/api/apps'),
      ];
      child.kill('SIGTERM');
      assert.equal(await ended, 0);
      assert.deepEqual(statuses, [200, 201, 201, 201, 401]);
      assert.doesNotMatch(said.stdout, /wys_/);
      const { stdout } = await runCommand(['key', 'list'], settings);
      assert.match(stdout, /^1 +site +.* +all +/m);
    });
  });

/** A cluster of nodes is started by starting the nodes, on a database that nobody has prepared. */
describe('nodes that start on an empty database at once', () => {
  it('all come up, with the schema once and one first key', async () => {
    const { settings, ask } = await onPostgres('nodes');
    const nodes = await Promise.all(
      Array.from({ length: processCount }, () => startCommand(['serve', '--port', '0'], settings)),
    );
    let ready: number[];
    try {
      ready = await Promise.all(
        nodes.map(async ({ said }) => {
          const find = () => /listens on (http:\S+)\n/.exec(said.stdout)?.[1];
          // The processes share the machine, and the migration is done by one after the other.
          const url = await poll('the address of a node', find);
          return (await fetch(`${url}/readyz`)).status;
        }),
      );
    } finally {
      for (const { child } of nodes) child.kill('SIGTERM');
    }
    assert.deepEqual(await Promise.all(nodes.map(({ ended }) => ended)), Array(processCount).fill(0));
    assert.deepEqual(ready, Array(processCount).fill(200));
    const { n } = (await ask('select count(*) as n from migrations')) as { n: unknown };
    assert.equal(Number(n), migrations.length);
    assert.equal(nodes.filter(({ said }) => said.stdout.includes('API key: ')).length, 1);
  });
});

/** A store of the first release has no column for what a step breaks. */
describe('the table of steps of an early store', () => {
  it('gets its column when the store is opened', async () => {
    const { settings, ask, migrated } = await onSqlite('early');
    await migrated();
    await ask('alter table migrations drop column breaks_before');
    assert.equal(linesOf((await migrate(settings, 'status')).stdout).length, migrations.length);
    assert.equal((await runCommand(['key', 'create'], settings)).code, 0);
    assert.deepEqual(
      { ...((await ask('select max(breaks_before) as most from migrations')) as object) },
      { most: 0 },
    );
  });
});
