import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeFile, makeUser } from 'confab-testing/fixtures.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import fc from 'fast-check';

const server = useServer();

/** Names in order: by letters first, then by case and accents. */
const inOrder = [
  '(draft)',
  '10 things',
  'Apple',
  'Äpple',
  'apple pie',
  'apricot',
  'banana',
  'Eclair',
  'eclair',
  'Éclair',
  'éclair',
  'Maße',
  'Masse 2',
  'Zebra',
  'Ελλάδα',
  'ёлка',
  'Жук',
  '日本',
  '😀',
].sort((a, b) => (fold(a) === fold(b) ? bytes(a, b) : bytes(fold(a), fold(b))));

/** The sort key, written a second time and plainly. */
function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss');
}

function bytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The same names, shuffled. */
function shuffled<T>(items: readonly T[]): T[] {
  return (
    fc.sample(fc.shuffledSubarray([...items], { minLength: items.length }), { seed: 7, numRuns: 1 })[0] ?? []
  );
}

async function listed(path: string, as = server.key): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  // Read page by page, so that a gap or an overlap would show.
  for (;;) {
    const page = `${path}${path.includes('?') ? '&' : '?'}top=4&skip=${found.length}`;
    const answer = await server.call('GET', page, undefined, { as });
    assert.equal(answer.status, 200, answer.text);
    found.push(...answer.body.data);
    if (answer.body.data.length === 0) return found;
  }
}

async function names(path: string, field = 'name'): Promise<unknown[]> {
  const up = await listed(path);
  const down = await listed(`${path}+desc`);
  assert.deepEqual(
    down.map(({ id }) => id),
    up.map(({ id }) => id).toReversed(),
  );
  return up.map((item) => item[field]);
}

// Names are sorted by their letters, regardless of case and accents, in the same way on both engines.
describe('the order of names', () => {
  test('is the natural one', () => {
    const known = ['Apple', 'apricot', 'banana', 'Éclair', 'Zebra'];
    assert.deepEqual(
      inOrder.filter((name) => known.includes(name)),
      known,
    );
  });

  test('holds for apps, where one without a name comes first by name and by its uid by display name', async () => {
    const tag = freshUid('names');
    for (const name of shuffled(inOrder)) await makeApp(server, { name, tags: [tag] });
    const bare = await makeApp(server, { uid: `Blue-${tag}`, tags: [tag] });
    assert.deepEqual(await names(`/api/apps?tag=${tag}&order_by=name`), [undefined, ...inOrder]);
    const shown = await names(`/api/apps?tag=${tag}&order_by=display_name`, 'display_name');
    assert.deepEqual(
      shown,
      [...inOrder, bare.uid].sort((a, b) => bytes(fold(a), fold(b)) || bytes(a, b)),
    );
    assert.deepEqual(await names(`/api/apps?tag=${tag}&orderby=DisplayName`, 'display_name'), shown);
  });

  test('follows a change of the name', async () => {
    const tag = freshUid('renamed');
    const made = [];
    for (const name of ['banana', 'Cherry', 'apple']) made.push(await makeApp(server, { name, tags: [tag] }));
    await server.call('PATCH', `/api/apps/${made[0]?.id}`, { name: 'damson' });
    assert.deepEqual(await names(`/api/apps?tag=${tag}&order_by=name`), ['apple', 'Cherry', 'damson']);
    await server.call('PATCH', `/api/apps/${made[1]?.id}`, { name: null, uid: `BLACK-${tag}` });
    assert.deepEqual(await names(`/api/apps?tag=${tag}&order_by=name`), [undefined, 'apple', 'damson']);
    assert.deepEqual(await names(`/api/apps?tag=${tag}&order_by=display_name`, 'display_name'), [
      'apple',
      `BLACK-${tag}`,
      'damson',
    ]);
  });

  test('holds for users and members', async () => {
    const tag = freshUid('people');
    const app = await makeApp(server);
    for (const name of shuffled(inOrder)) {
      const { uid } = await makeUser(server, { name, tags: [tag] });
      await server.call('PUT', `/api/apps/${app.id}/members/${uid}`);
    }
    const nick = await makeUser(server, { nickname: 'Bea', tags: [tag] }, freshUid('zzz'));
    await server.call('PUT', `/api/apps/${app.id}/members/${nick.uid}`);
    const shown = [...inOrder, 'Bea'].sort((a, b) => bytes(fold(a), fold(b)) || bytes(a, b));
    assert.deepEqual(await names(`/api/users?tag=${tag}&order_by=name`), [undefined, ...inOrder]);
    for (const path of [
      `/api/users?tag=${tag}&order_by=display_name`,
      `/api/apps/${app.id}/members?order_by=display_name`,
    ])
      assert.deepEqual(await names(path, 'display_name'), shown, path);
    const byName = await names(`/api/apps/${app.id}/members?order_by=name`, 'display_name');
    assert.deepEqual(byName, ['Bea', ...inOrder]);
    await server.call('PATCH', `/api/users/${nick.id}`, { nickname: 'yak' });
    const after = await names(`/api/users?tag=${tag}&order_by=display_name`, 'display_name');
    assert.ok(
      after.indexOf('yak') > after.indexOf('Masse 2') && after.indexOf('yak') < after.indexOf('Zebra'),
    );
  });

  test('holds for files, directories, conversations and attachments', async () => {
    const app = await makeApp(server, { type: 'files' });
    for (const name of shuffled(inOrder)) {
      const id = await makeFile(server, app.id);
      assert.equal((await server.call('PATCH', `/api/files/${id}`, { name })).status, 200);
    }
    assert.deepEqual(await names(`/api/apps/${app.id}/files?order_by=name`), inOrder);
    const everywhere = await names('/api/files?order_by=name');
    assert.deepEqual(everywhere, inOrder);

    const words = ['Zulu', 'alpha', 'Ärzte', 'Beta', 'ärzte'];
    for (const name of words)
      assert.equal((await server.call('POST', '/api/directories', { name })).status, 201);
    assert.deepEqual(await names('/api/directories?order_by=name'), [
      'alpha',
      'Ärzte',
      'ärzte',
      'Beta',
      'Zulu',
    ]);
    await server.call('PATCH', '/api/directories/alpha', { name: 'Yankee' });
    assert.deepEqual(await names('/api/directories?order_by=name'), [
      'Ärzte',
      'ärzte',
      'Beta',
      'Yankee',
      'Zulu',
    ]);

    const ada = await makeUser(server);
    for (const name of words)
      assert.equal(
        (await server.call('POST', '/api/conversations', { type: 'chat_room', name }, { as: ada.token }))
          .status,
        201,
      );
    const rooms = await listed('/api/conversations?order_by=name', ada.token);
    assert.deepEqual(
      rooms.map(({ name }) => name),
      ['alpha', 'Ärzte', 'ärzte', 'Beta', 'Zulu'],
    );
  });

  test('agrees with a simple model for any names, page by page', async () => {
    const part = fc.constantFrom(
      'a',
      'A',
      'ä',
      'Ä',
      'b',
      'B',
      'ß',
      'ss',
      'z',
      'é',
      'Ω',
      'ω',
      '中',
      '😀',
      'ｚ',
      '-',
      ' ',
      '1',
    );
    const name = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `x${parts.join('')}y`);
    const [drawn = []] = fc.sample(fc.array(name, { minLength: 40, maxLength: 40 }), {
      seed: 12,
      numRuns: 1,
    });
    const tag = freshUid('drawn');
    const made: { id: number; name: string }[] = [];
    for (const each of drawn)
      made.push({ id: (await makeApp(server, { name: each, tags: [tag] })).id, name: each });
    const expected = made.toSorted(
      (a, b) => bytes(fold(a.name), fold(b.name)) || bytes(a.name, b.name) || a.id - b.id,
    );
    const found = await listed(`/api/apps?tag=${tag}&order_by=name`);
    assert.deepEqual(
      found.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
  });

  test('accepts names of the greatest length', async () => {
    const tag = freshUid('long');
    for (const sign of ['ﷺ', '😀', 'ß', '\u{1D15E}'])
      await makeApp(server, { name: sign.repeat(256), tags: [tag] });
    assert.equal((await listed(`/api/apps?tag=${tag}&order_by=name`)).length, 4);
  });
});
