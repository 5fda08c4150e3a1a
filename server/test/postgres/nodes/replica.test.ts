import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeBlob, makeComment, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { startTestServer, type TestServer } from 'confab-testing/server.ts';
import { dropDatabaseOf } from 'confab-testing/stores/databases.ts';
import { type ReplicatedCluster, startReplicatedCluster } from 'confab-testing/stores/replica.ts';
import { configFrom } from '../../../src/config/config.ts';

let cluster: ReplicatedCluster;
let folder: string;
let a: TestServer;
let b: TestServer;
let database: string;
/** The warnings of the first node. */
const warned: string[] = [];
/** The name last set without the knowledge of the nodes. */
let names = 0;
/** A member of every app below, whose name every list shows. The member's own name would come with the token. */
let member: { uid: string; id: number; token: string };
/** Lists whose access is checked before they are read, each with an item by the member. */
const lists: string[] = [];
let app: number;

function settings(name = 'confab'): Record<string, string> {
  return {
    CONFAB_DATABASE_URL: database,
    CONFAB_DATABASE_REPLICA_URL: cluster.replicaUrl(name),
    CONFAB_LOG_LEVEL: 'warn',
  };
}

/** Starts a node without background writes, so that the replica lacks nothing else. */
function start(url: Record<string, string>, warnings: string[] = []): Promise<TestServer> {
  const logTo = { write: (line: string) => void warnings.push(JSON.parse(line).reason ?? line) };
  return startTestServer(url, { folder, logTo, isQuiet: true });
}

before(async () => {
  cluster = await startReplicatedCluster();
  database = await cluster.primary.createDatabase('confab');
  folder = mkdtempSync(join(tmpdir(), 'confab-replica-'));
  a = await start(settings(), warned);
  b = await start(settings());
  await fill();
  await settle();
});
after(async () => {
  for (const node of [a, b]) await node?.close();
  await cluster?.stop();
  await dropDatabaseOf(folder);
  rmSync(folder, { recursive: true, force: true });
});

async function fill(): Promise<void> {
  member = await makeUser(a);
  const as = { as: member.token };
  const make = async (type: string) => {
    const { id } = await makeApp(a, { type, access: 'none' });
    await a.call('PUT', `/api/apps/${id}/members/${member.uid}`, { access: 'write' });
    return id;
  };
  app = await make('comments');
  await makeComment(a, app, { text: 'first' }, as);
  const files = await make('files');
  const file = await makeFile(a, files, as);
  const [posts, chat] = [await make('posts'), await make('chat')];
  const post = await makePost(a, posts, as);
  for (const parent of [`files/${file}`, `posts/${post}`])
    assert.equal((await a.call('POST', `/api/${parent}/comments`, { text: 'on it' }, as)).status, 201);
  const message = await a.call(
    'POST',
    `/api/apps/${chat}/messages`,
    { text: 'look', blobs: [await makeBlob(a, as)], options: [{ text: 'yes' }] },
    as,
  );
  assert.equal(message.status, 201, message.text);
  const { id, options } = message.body;
  const option = options[0].id;
  await a.call('POST', `/api/messages/${id}/reactions`, { content: '👍' }, as);
  await a.call('POST', `/api/options/${option}/vote`, undefined, as);
  lists.push(
    `/api/apps/${app}/comments?expand=created_by`,
    `/api/apps/${app}/members`,
    `/api/apps/${files}/files?expand=created_by`,
    `/api/files/${file}/comments?expand=created_by`,
    `/api/files/${file}/versions`,
    `/api/apps/${posts}/posts?expand=created_by`,
    `/api/posts/${post}/comments?expand=created_by`,
    `/api/apps/${chat}/messages?expand=created_by`,
    `/api/messages/${id}/attachments?expand=created_by`,
    `/api/messages/${id}/reactions`,
    `/api/options/${option}/voters`,
  );
}

/** Lets the standby catch up and the nodes look at it. */
async function settle(): Promise<void> {
  await cluster.resume();
  await cluster.caughtUp();
  for (const node of [a, b]) await node.running.db.replica?.look();
}

/** Changes the member's name in the primary without an event, so that the replica lacks it; returns the name. */
async function renameAside(): Promise<string> {
  names += 1;
  const name = `name ${names}`;
  await cluster.ask(database, `update users set display_name = '${name}' where id = ${member.id}`);
  return name;
}

/** Where each list was read: the primary if it shows the name that only the primary has. */
async function sources(name: string, node = a): Promise<string[]> {
  const answers = await Promise.all(lists.map((path) => node.call('GET', path)));
  return answers.map(({ status, text }, index) => {
    assert.equal(status, 200, text);
    assert.match(text, /"display_name":"name \d+"/, `${lists[index]}`);
    return text.includes(name) ? 'primary' : 'replica';
  });
}

const every = (source: string) => lists.map(() => source);

async function stateOf(node: TestServer) {
  const answer = await fetch(`${node.url}/readyz`, { headers: { authorization: `Bearer ${node.key}` } });
  return { status: answer.status, replica: JSON.parse(await answer.text()).checks.replica };
}

async function texts(node: TestServer, as: string): Promise<{ status: number; texts: string[] }> {
  const { status, body } = await node.call('GET', `/api/apps/${app}/comments`, undefined, { as });
  return { status, texts: body.data?.map(({ text }: { text: string }) => text) };
}

// Lists below a visible object are read from the replica; access is never checked there.
describe('a replica', () => {
  test('serves only lists whose access was checked before', async () => {
    await renameAside();
    await settle();
    await cluster.pause();
    const name = await renameAside();
    assert.deepEqual(await sources(name), every('replica'));
    for (const path of ['/api/comments?expand=created_by', `/api/users/${member.id}`]) {
      const { text } = await a.call('GET', path);
      assert.ok(text.includes(name), path);
    }
    assert.deepEqual(await stateOf(a), {
      status: 200,
      replica: { ok: true, is_used: true, behind_events: 0 },
    });
  });

  test('counts as lists do', async () => {
    const path = `/api/apps/${app}/comments?count_only=true`;
    assert.equal((await a.call('GET', path, undefined, { as: member.token })).body.count, 1);
  });
});

// However far the replica lags, a list contains everything that any node wrote before the request.
describe('a replica that is behind', () => {
  test('is skipped from the first write it lacks, on every node, until it has caught up', async () => {
    await settle();
    await cluster.pause();
    const name = await renameAside();
    assert.deepEqual(
      [...(await sources(name, a)), ...(await sources(name, b))],
      [...every('replica'), ...every('replica')],
    );
    await makeComment(a, app, { text: 'second' }, { as: member.token });
    for (const node of [a, b]) {
      assert.deepEqual((await texts(node, member.token)).texts, ['first', 'second']);
      assert.deepEqual(await sources(name, node), every('primary'));
    }
    await settle();
    await cluster.pause();
    const next = await renameAside();
    assert.deepEqual(await sources(next, b), every('replica'));
    assert.deepEqual((await texts(b, member.token)).texts, ['first', 'second']);
  });

  test('decides every access exactly as the primary does', async () => {
    await settle();
    const other = await makeUser(a);
    await a.call('PUT', `/api/apps/${app}/members/${other.uid}`, { access: 'read' });
    const secret = await makeComment(a, app, { text: 'secret' });
    await settle();
    assert.deepEqual((await texts(a, other.token)).texts, ['first', 'second', 'secret']);
    await cluster.pause();
    const removed = await a.call('DELETE', `/api/apps/${app}/members/${other.uid}`);
    assert.equal(removed.status, 204);
    const there = `select * from members where app_id = ${app} and user_id = ${other.id}`;
    assert.equal((await cluster.ask(cluster.replicaUrl('confab'), there)).length, 1);
    for (const node of [a, b]) assert.equal((await texts(node, other.token)).status, 404);
    assert.equal((await a.call('POST', `/api/comments/${secret.id}/trash`)).status, 200);
    await a.call('PUT', `/api/apps/${app}/members/${other.uid}`, { access: 'read' });
    for (const node of [a, b]) assert.deepEqual((await texts(node, other.token)).texts, ['first', 'second']);
  });

  test('gets no queries between checks, reports its lag, and does not affect readiness', async () => {
    warned.length = 0;
    await settle();
    assert.deepEqual(warned, []);
    await cluster.pause();
    await makeComment(b, app, { text: 'third' });
    for (let looks = 0; looks < 2; looks += 1) await a.running.db.replica?.look();
    const { status, replica } = await stateOf(a);
    assert.equal(status, 200);
    assert.deepEqual(
      { ...replica, behind_events: replica.behind_events > 0 },
      { ok: true, is_used: false, behind_events: true, detail: 'it is too far behind' },
    );
    const name = await renameAside();
    assert.deepEqual(await sources(name), every('primary'));
    for (let looks = 0; looks < 3; looks += 1) await a.running.db.replica?.look();
    assert.deepEqual(warned, ['it is too far behind']);
    await settle();
    assert.equal((await stateOf(a)).replica.is_used, true);
  });
});

// A setting that would have no effect is refused.
describe('a replica of nothing', () => {
  test('is not a valid configuration', () => {
    assert.throws(
      () => configFrom({ CONFAB_DATABASE_REPLICA_URL: 'postgres://localhost/confab' }),
      /^Error: CONFAB_DATABASE_REPLICA_URL is set and CONFAB_DATABASE_URL is not$/,
    );
  });
});

// A replica that fails or is misconfigured causes no errors in lists, and is used again once it works.
describe('a replica that fails', () => {
  test('in the middle of lists leaves them to the primary', async () => {
    await settle();
    let isOver = false;
    const cuts = (async () => {
      for (let n = 0; n < 20; n += 1) {
        const sql = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'confab'`;
        await cluster.ask(cluster.replicaUrl('confab'), sql);
        await a.running.db.replica?.look();
      }
      isOver = true;
    })();
    let rounds = 0;
    for (; !isOver; rounds += 1) await sources('none');
    await cuts;
    assert.ok(rounds > 0);
  });

  test('to respond within a second leaves lists to the primary', async () => {
    await settle();
    await cluster.pause();
    const name = await renameAside();
    assert.deepEqual(await sources(name), every('replica'));
    const sessions = await cluster.ask<{ pid: number }>(
      cluster.replicaUrl('confab'),
      `select pid from pg_stat_activity where application_name = 'confab'`,
    );
    for (const { pid } of sessions) process.kill(pid, 'SIGSTOP');
    try {
      assert.deepEqual(await sources(name), every('primary'));
      const began = performance.now();
      assert.deepEqual(await sources(name), every('primary'));
      assert.ok(performance.now() - began < 1000, 'lists go on waiting for it');
    } finally {
      for (const { pid } of sessions) process.kill(pid, 'SIGCONT');
    }
  });

  test('is not used until it is back', async () => {
    await settle();
    warned.length = 0;
    await cluster.kill();
    const name = await renameAside();
    assert.deepEqual(await sources(name), every('primary'));
    for (let looks = 0; looks < 3; looks += 1) await a.running.db.replica?.look();
    const { status, replica } = await stateOf(a);
    assert.deepEqual(
      [status, replica.is_used, replica.detail],
      [200, false, 'it does not answer as it should'],
    );
    assert.deepEqual(await sources(name), every('primary'));
    assert.deepEqual(warned, ['it does not answer as it should']);
    const c = await start(settings());
    assert.deepEqual(await sources(name, c), every('primary'));
    await c.close();
    await cluster.revive();
    await settle();
    await cluster.pause();
    const next = await renameAside();
    assert.deepEqual(await sources(next), every('replica'));
  });

  test('to be a replica of this store is not used', async () => {
    await settle();
    // The same database at an earlier point, with different events since.
    await b.close();
    await a.close();
    await cluster.primary.createDatabase('clone', 'confab');
    await cluster.ask(
      cluster.primary.url('clone'),
      `update events set payload = 'x' where id = (select max(id) from events)`,
    );
    await cluster.caughtUp();
    a = await start(settings('clone'));
    await a.running.db.replica?.look();
    assert.equal((await stateOf(a)).replica.detail, 'its events are not those of this store');
    await a.close();
    a = await start({ ...settings(), CONFAB_DATABASE_REPLICA_URL: database });
    await a.running.db.replica?.look();
    const detail = 'it follows no other server: it was promoted, or never was a replica';
    assert.equal((await stateOf(a)).replica.detail, detail);
    await a.close();
    a = await start(settings());
    b = await start(settings());
    await settle();
    assert.equal((await stateOf(a)).replica.is_used, true);
  });

  test('to stay a replica is not used from that moment', async () => {
    await settle();
    await cluster.promote();
    const name = await renameAside();
    assert.deepEqual(await sources(name), every('primary'));
    assert.match((await stateOf(a)).replica.detail, /it was promoted/);
    await cluster.ask(cluster.replicaUrl('confab'), 'delete from members');
    assert.deepEqual(await sources(name, b), every('primary'));
  });
});
