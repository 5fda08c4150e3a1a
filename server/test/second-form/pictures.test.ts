import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { blobSettings } from 'confab-testing/network/bucket.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { type Caller, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { keptFiles, upload } from 'confab-testing/uploads.ts';
import sharp from 'sharp';

let now = Date.parse('2026-11-28T09:12:00.000Z');
const server = useServer(blobSettings(), { clock: { now: () => now } });
const watch = useStoreWatch(server);

async function portraitOf(by: Caller, background = '#c04020'): Promise<number> {
  const picture = sharp({ create: { width: 400, height: 300, channels: 3, background } }).png();
  return (await upload(by, { bytes: new Uint8Array(await picture.toBuffer()), name: 'room.png' })).id;
}

/** A room of two, and what Ada, who manages it, does with its picture. */
async function roomOfTwo() {
  const [ada, bob] = [await makeUser(server, { name: 'Ada' }), await makeUser(server, { name: 'Bob' })];
  const kit = { ada: inSecondForm(ada), bob: inSecondForm(bob) };
  const room = await kit.ada.create('/api/apps', { members: [bob.id], type: 'chat_room', name: 'Lunch' });
  const change = (body: object, by: keyof typeof kit = 'ada') =>
    kit[by].call('PATCH', `/api/apps/${room.id}`, body);
  return { ada, bob, kit, id: room.id as number, change };
}

const statusOf = async (address: string) => (await fetch(address)).status;
const storedBytes = (id: number) =>
  Number(watch.rows(`select stored_bytes as n from apps where id = ${id}`)[0]?.['n'] ?? 0);

describe('the picture of a room', () => {
  test('is shown to its members in lists, in answers of both forms and in events', async () => {
    const { ada, bob, kit, id, change } = await roomOfTwo();
    const live = await connectLive(server, bob.token);
    await live.subscribe(`a${id}:app_updated`);
    const before = await bob.read(`/api/apps/${id}`);
    assert.equal('avatar_url' in before, false);
    const picture = await portraitOf(ada);
    const { status, body } = await change({ name: 'Dinner', picture });
    assert.deepEqual([status, body.name], [200, 'Dinner']);
    const address = body.avatar_url;
    const event = await live.waitFor(`a${id}:app_updated`);
    assert.equal(event.app.avatar_url, address);
    await live.stop();
    const shown = await fetch(address);
    assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/webp']);
    const list = await kit.bob.read('/api/apps?uid=false&type=chat_room');
    assert.deepEqual(
      list.data.map((app: any) => [app.id, app.avatar_url]),
      [[id, address]],
    );
    const one = await kit.bob.read(`/api/apps/${id}`);
    const conversation = await bob.read(`/api/conversations/${id}`);
    assert.deepEqual([one.avatar_url, conversation.avatar_url], [address, address]);
    assert.ok(storedBytes(id) > 0);
    watch.hasChanged();
    assert.equal((await change({ picture: String(picture) })).body.avatar_url, address);
    assert.equal(watch.hasChanged(), false);
  });

  test('can be replaced and cleared, which sweeps the bytes, and stays when a change leaves it out', async () => {
    const { ada, id, change } = await roomOfTwo();
    const kept = keptFiles(server.folder);
    const first = (await change({ picture: await portraitOf(ada, '#111111') })).body.avatar_url;
    assert.equal((await change({ name: 'Tea' })).body.avatar_url, first);
    const bytes = keptFiles(server.folder).filter((path) => !kept.includes(path));
    assert.ok(bytes.length > 0);
    const second = (await change({ picture: await portraitOf(ada, '#222222') })).body.avatar_url;
    assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200]);
    const cleared = await change({ picture: null });
    assert.deepEqual([cleared.status, 'avatar_url' in cleared.body], [200, false]);
    assert.deepEqual([await statusOf(second), storedBytes(id)], [404, 0]);
    await server.restart(() => {
      now += 120_000;
    });
    await poll(
      'the sweep',
      () => !keptFiles(server.folder).some((path) => bytes.includes(path)) || undefined,
    );
  });

  test('is used: it is not swept, and has an address below the public address', async () => {
    const { ada, id, change } = await roomOfTwo();
    const { avatar_url: address } = (await change({ picture: await portraitOf(ada) })).body;
    await server.restart(
      () => {
        now += 3 * 24 * 3_600_000;
      },
      { CONFAB_PUBLIC_URL: 'https://talk.example.com' },
    );
    const moved = await server.read(`/api/apps/${id}`);
    assert.equal(moved.avatar_url, address.replace(/^http:\/\/[^/]+/, 'https://talk.example.com'));
    await server.restart();
    assert.equal(await statusOf((await server.read(`/api/apps/${id}`)).avatar_url), 200);
  });

  test('is a free picture of the caller, who manages the room', async () => {
    const { ada, bob, id, change } = await roomOfTwo();
    const text = await upload(ada);
    const taken = await portraitOf(ada);
    assert.equal((await change({ picture: taken })).status, 200);
    const other = await roomOfTwo();
    const refused = [
      [await change({ picture: await portraitOf(bob) }), 'not_found'],
      [await change({ picture: 999_999 }), 'not_found'],
      [await change({ picture: text.id }), 'not_picture'],
      [await change({ picture: 'https://example.com/a.png' }), 'invalid'],
      [await other.change({ picture: taken }), 'not_found'],
    ] as const;
    for (const [answer, code] of refused) {
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual(
        answer.body.errors.map((error: any) => [error.pointer, error.code]),
        [['/picture', code]],
      );
    }
    assertProblem(await change({ picture: await portraitOf(bob) }, 'bob'), 403, 'manage_forbidden');
    assertProblem(await change({ picture: null }, 'bob'), 403, 'manage_forbidden');
    const again = await server.read(`/api/apps/${id}`);
    assert.equal(await statusOf(again.avatar_url), 200);
  });

  test('goes with the user who uploaded it', async () => {
    const { ada, kit, id, change } = await roomOfTwo();
    const address = (await change({ picture: await portraitOf(ada) })).body.avatar_url;
    const erasure = await server.call('DELETE', `/api/users/${ada.id}`);
    assert.ok(erasure.status < 300, erasure.text);
    await poll('the erasure', async () => {
      const { state } = await server.read(`/api/erasures/${erasure.body.id}`);
      return state === 'finished' || undefined;
    });
    const room = await kit.bob.read(`/api/apps/${id}`);
    assert.deepEqual(['avatar_url' in room, await statusOf(address)], [false, 404]);
    assert.deepEqual(watch.actionsOf('app', id), ['app_created', 'app_updated', 'app_updated']);
    assert.equal(watch.rows(`select id from blobs where created_by_id = ${ada.id}`).length, 0);
  });

  test('is hidden with a room in the trash and freed with a deleted one', async () => {
    const { ada, id, change } = await roomOfTwo();
    const picture = await portraitOf(ada);
    const address = (await change({ picture })).body.avatar_url;
    await server.call('POST', `/api/apps/${id}/trash`);
    assert.equal(await statusOf(address), 404);
    await server.call('POST', `/api/apps/${id}/restore`);
    assert.equal(await statusOf(address), 200);
    assert.equal((await server.call('DELETE', `/api/apps/${id}`)).status, 204);
    assert.equal(await statusOf(address), 404);
    const isUsed = watch.rows(`select id from blobs where id = ${picture} and expires_at is null`);
    assert.deepEqual(isUsed, []);
  });
});
