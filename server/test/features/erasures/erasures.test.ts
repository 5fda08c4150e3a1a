import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Erasure } from 'confab-contract/erasures.ts';
import { endsOf, expectedCounts, wordsIn } from 'confab-testing/erase/counts.ts';
import { startSite } from 'confab-testing/erase/site.ts';
import { type Made, makeWorld, type World, type WorldClient } from 'confab-testing/erase/world.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type TestServer, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { register } from 'confab-testing/webhooks.ts';

const server = useServer();
const watch = useStoreWatch(server);
const receiver = useReceiver();
const site = use(startSite);
after(() => site.close());

const clientOf = (on: TestServer): WorldClient => ({
  async must(method, path, body, as, key) {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const answer = await on.call(method, path, body, { ...(as === undefined ? {} : { as }), headers });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body as Made;
  },
  async upload(name, text, as) {
    const form = new FormData();
    form.set('blob', new Blob([text], { type: 'text/plain' }), name);
    return (await on.create('/api/blobs', form, as === undefined ? {} : { as })) as unknown as Made;
  },
});

async function finished(id: number): Promise<Erasure> {
  const state = async () => {
    const body = await server.read(`/api/erasures/${id}`);
    return body.state === 'finished' ? body : undefined;
  };
  return await poll(`erasure ${id} to finish`, state);
}

/** The tables in which a word of the world is left, with one of the words. */
function leftIn(world: World, { hasTexts }: { readonly hasTexts: boolean }): string[] {
  const ends = endsOf(world, { hasTexts });
  return watch.tables().flatMap((table) => {
    const found = watch.rows(`select * from "${table}"`).flatMap((row) => wordsIn(textOf(row), ends));
    return found.length === 0 ? [] : [`${table}: ${found[0]}`];
  });
}

function textOf(row: Record<string, unknown>): string {
  return Object.values(row)
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    .join('\n');
}

function storedBytes(): string {
  const folder = join(server.folder, 'blobs');
  if (!existsSync(folder)) return '';
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** Makes a world and a webhook whose receiver answers with what it gets. */
async function prepared(seed: number): Promise<World> {
  receiver.decide('/echo', ({ body }) => ({ status: 200, body }));
  const payload_url = `${receiver.url}/echo`;
  await register(server, {
    payload_url,
    triggers: ['comments', 'posts', 'files', 'polls', 'notifications', 'members'],
  });
  const world = await makeWorld(clientOf(server), { seed, items: 80, site: site.url });
  await settledLog(server);
  await poll('every delivery to end', () => {
    const [row] = watch.rows('select count(*) as n from deliveries where due_at is not null');
    return Number(row?.n) === 0 ? true : undefined;
  });
  return world;
}

// Nothing of an erased user is left in any table or file, and the receipt counts exactly what there was.
describe('erasing a user with content of every kind', () => {
  test('leaves nothing, and counts what there was', async () => {
    const world = await prepared(1);
    const expected = expectedCounts(watch.rows, world);
    assert.ok(
      Object.values(expected).every((number) => number > 0),
      JSON.stringify(expected),
    );
    const answer = await server.call('DELETE', `/api/users/${world.userId}`);
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.headers.get('location'), `/api/erasures/${answer.body.id}`);
    const receipt = await finished(answer.body.id);
    assert.deepEqual(receipt.counts, expected);
    assert.deepEqual(leftIn(world, { hasTexts: true }), []);
    assert.deepEqual(wordsIn(storedBytes(), endsOf(world, { hasTexts: true })), []);
    assert.deepEqual(watch.brokenReferences(), []);
  });
});

// Texts stay on request, without anything that says whose they were; files go in either case.
describe('erasing a user whose texts stay', () => {
  test('leaves the texts alone, without their author', async () => {
    const app = await makeApp(server, { access: 'write' });
    const ada = await makeUser(server, { name: 'Ada Kept', email: 'kept@example.com' }, 'ada-kept');
    const bob = await makeUser(server, { name: 'Bob' });
    const as = { as: ada.token };
    const own = await makeComment(server, app.id, { text: 'stays as it is', tags: ['stays'] }, as);
    const told = await makeComment(bob, app.id, { text: `[Ada Kept](@u${ada.id}) knows` });
    const { body } = await server.call('DELETE', '/api/users/ada-kept?content=keep');
    assert.equal(body.user_id, ada.id);
    const receipt = await finished(body.id);
    assert.deepEqual([receipt.content, receipt.counts.comments, receipt.counts.mentions], ['keep', 1, 1]);
    const kept = await server.read(`/api/comments/${own.id}`);
    assert.deepEqual([kept.text, kept.tags], ['stays as it is', ['stays']]);
    assert.equal(kept.created_by?.display_name, 'Deleted user');
    assert.equal((await server.read(`/api/comments/${told.id}`)).text, 'Deleted user knows');
    const found = await server.call('GET', `/api/apps/${app.id}/comments?q=deleted+user+knows`);
    assert.equal(found.body.count, 1);
    for (const table of ['users', 'entries', 'events', 'notifications', 'erasures'])
      assert.doesNotMatch(
        watch.rows(`select * from ${table}`).map(textOf).join('\n'),
        /Ada Kept|ada-kept|kept@/,
        table,
      );
  });
});

// What others were told can name the user: here the name of an app does.
describe('erasing a user out of the notifications of others', () => {
  for (const name of ['Anne-Marie', 'a.b*c+d?', '(x|y)', '[z]{2}', 'back\\slash', '^$& $1', 'ad/a', "d'Ada"])
    test(`ends for ${name}`, async () => {
      const [ada, bob, eve] = [
        await makeUser(server, { name }),
        await makeUser(server),
        await makeUser(server),
      ];
      const app = await makeApp(server, { access: 'write', name: `For ${name}` });
      await makeComment(bob, app.id, { text: `[eve](@u${eve.id})` });
      await settledLog(server);
      const told = () => watch.rows(`select args from notifications where user_id = ${eve.id}`).map(textOf);
      assert.deepEqual(told(), [JSON.stringify([bob.uid, `For ${name}`, 'eve'])]);
      const { body } = await server.call('DELETE', `/api/users/${ada.id}`);
      assert.equal((await finished(body.id)).counts.notifications_of_others, 1);
      assert.deepEqual(told(), [JSON.stringify([bob.uid, 'For Deleted user', 'eve'])]);
    });
});

// Nobody finds an erased user, who can do nothing, from the moment of the answer on.
describe('an erased user', () => {
  test('is found nowhere, and the uid is free', async () => {
    const ada = await makeUser(server, { name: 'Ada Gone' });
    const erase = await server.call('DELETE', `/api/users/${ada.uid}`);
    assert.equal(erase.status, 202);
    assertProblem(await ada.call('GET', '/api/user'), 401, 'invalid_credential');
    for (const name of [ada.uid, `${ada.id}`, `${ada.id}?trashed=true`, `erased%20${ada.id}`])
      assertProblem(await server.call('GET', `/api/users/${name}`), 404, 'not_found');
    assertProblem(await server.call('POST', `/api/users/${ada.id}/restore`), 404, 'not_found');
    assertProblem(await server.call('POST', `/api/users/${ada.id}/tokens`), 404, 'not_found');
    const headers = { 'x-confab-user': `${ada.id}` };
    assertProblem(await server.call('GET', '/api/apps', undefined, { headers }), 401, 'invalid_credential');
    const body = await server.read('/api/users?trashed=null&suspended=null&top=100');
    assert.equal(
      body.data?.some(({ id }) => id === ada.id),
      false,
    );
    assert.notEqual((await server.create('/api/users', { uid: ada.uid })).id, ada.id);
  });

  test('has one receipt, however often it is asked for', async () => {
    const ada = await makeUser(server);
    const { body: first } = await server.call('DELETE', `/api/users/${ada.uid}`);
    assert.deepEqual((await server.call('DELETE', `/api/users/${ada.id}?content=keep`)).body.id, first.id);
    assertProblem(await server.call('DELETE', `/api/users/${ada.uid}`), 404, 'not_found');
    assertProblem(await server.call('GET', '/api/erasures/987654'), 404, 'not_found');
    const system = await server.call('DELETE', '/api/users/1');
    assertProblem(system, 400, 'validation_failed');
  });
});

// Whoever has the public key of the server can tell that a receipt is what the server wrote.
describe('a receipt', () => {
  test('is signed, and a changed one is not', async () => {
    const ada = await makeUser(server);
    const { body } = await server.call('DELETE', `/api/users/${ada.uid}`);
    const { signature, ...receipt } = await finished(body.id);
    const [header = '', payload = '', proof = ''] = (signature ?? '').split('.');
    assert.deepEqual(JSON.parse(Buffer.from(payload, 'base64url').toString()), receipt);
    const { jwk } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const isSigned = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(proof, 'base64url'));
    assert.equal(isSigned(`${header}.${payload}`), true);
    const other = Buffer.from(JSON.stringify({ ...receipt, user_id: 1 })).toString('base64url');
    assert.equal(isSigned(`${header}.${other}`), false);
  });
});
