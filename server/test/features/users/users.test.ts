import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { User } from 'confab-contract/users.ts';
import { makeDirectory } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);

async function create(fields: object = {}, uid = freshUid('person')): Promise<User> {
  return await server.create('/api/users', { uid, ...fields });
}

/** The actions of the events of a user in their order. */
const actionsOf = (id: number) => watch.actionsOf('user', id);

// A user comes back with exactly what was sent, and with what is always there.
describe('creating a user', () => {
  test('with only a uid has its defaults and no empty fields', async () => {
    const uid = freshUid('person');
    const { id, created_at = '', ...rest } = await create({}, uid);
    assert.ok(Number.isSafeInteger(id) && id > 1);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(rest, {
      uid,
      display_name: uid,
      tags: [],
      presence: 'away',
      is_bot: false,
      is_suspended: false,
      is_trashed: false,
    });
    assert.deepEqual(actionsOf(id), ['user_created']);
  });

  test('keeps every field', async () => {
    const name = freshUid('keeping');
    const directory_id = await makeDirectory(server, name);
    const fields = {
      email: 'ada@example.com',
      given_name: 'Ada',
      middle_name: 'King',
      family_name: 'Lovelace',
      name: 'Ada "the first" Lovelace',
      nickname: 'countess',
      phone_number: '+44 20 0000 0000',
      comment: 'writes\nprograms',
      metadata: { plan: { seats: 3 }, nothing: null },
      tags: ['first', 'second'],
      is_bot: true,
      is_suspended: true,
    };
    const made = await create({
      ...fields,
      directory: String(directory_id),
      picture: 'https://example.com/ada.png',
      tags: [' first ', 'second', 'first'],
    });
    const directory = { id: directory_id, name };
    assert.deepEqual(
      { ...made, ...fields, directory_id, directory, avatar_url: 'https://example.com/ada.png' },
      made,
    );
    const body = await server.read(`/api/users/${made.id}`);
    assert.deepEqual(body, made);
  });

  test('refuses a uid that is taken, also by a user in the trash', async () => {
    const { uid } = await create();
    assertProblem(await server.call('POST', '/api/users', { uid }), 422, 'validation_failed', '/uid');
    await server.call('POST', `/api/users/${uid}/trash`);
    assertProblem(await server.call('POST', '/api/users', { uid }), 422, 'validation_failed', '/uid');
  });

  test('treats null as absent', async () => {
    const made = await create({ name: null, tags: null, is_suspended: null, directory: null });
    assert.equal('name' in made, false);
    assert.equal('directory' in made, false);
    assert.equal(made.is_suspended, false);
  });
});

// The displayed name is the first present one of: name, given and family name, nickname, e-mail, uid.
describe('the display name', () => {
  const all = {
    name: 'Full Name',
    given_name: 'Given',
    family_name: 'Family',
    nickname: 'Nick',
    email: 'local.part@example.com',
  };
  const without = (...left: (keyof typeof all)[]) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !left.includes(key as keyof typeof all)));

  test('is chosen in the documented order', async () => {
    const names = ['name', 'given_name', 'family_name', 'nickname', 'email'] as const;
    assert.equal((await create(all)).display_name, 'Full Name');
    assert.equal((await create(without('name'))).display_name, 'Given Family');
    assert.equal((await create(without('name', 'given_name'))).display_name, 'Family');
    assert.equal((await create(without(...names.slice(0, 3)))).display_name, 'Nick');
    assert.equal((await create(without(...names.slice(0, 4)))).display_name, 'local.part');
  });

  test('skips a blank one and follows every change', async () => {
    const made = await create({ name: '  ', nickname: 'Nick' });
    assert.equal(made.display_name, 'Nick');
    const renamed = await server.call('PATCH', `/api/users/${made.id}`, { name: 'Ada' });
    assert.equal(renamed.body.display_name, 'Ada');
    const cleared = await server.call('PATCH', `/api/users/${made.id}`, { name: null, nickname: null });
    assert.equal(cleared.body.display_name, made.uid);
    for (const blank of ['', ' ', '\u00a0', '\u200b\u200e']) {
      const fields = { name: blank, given_name: blank, family_name: blank, nickname: blank };
      assert.equal(
        (await create(fields, `blank-${blank.length}-${freshUid()}`)).display_name.slice(0, 6),
        'blank-',
      );
      assert.equal((await create({ ...fields, family_name: 'King' })).display_name, 'King');
    }
  });
});

// Every value at its limit is taken and one beyond it is 422 with the field; a wrong JSON type is 400.
describe('what a user may be', () => {
  const longest: Record<string, number> = {
    given_name: 64,
    middle_name: 64,
    family_name: 64,
    name: 256,
    nickname: 32,
    phone_number: 32,
    uid: 256,
  };
  for (const [field, max] of Object.entries(longest))
    test(`${field} has at most ${max} characters`, async () => {
      // Characters outside the basic plane, so that counting code units would fail. Every uid has to be its own.
      const longestText = (freshUid('u') + '😀'.repeat(max)).slice(0, 2 * max);
      const text = [...longestText].slice(0, max).join('');
      const body = { uid: freshUid('person'), [field]: text };
      const taken = await server.call('POST', '/api/users', body);
      assert.equal(taken.status, 201, taken.text);
      assert.equal(Object(taken.body)[field], text);
      const refused = await server.call('POST', '/api/users', {
        uid: freshUid('person'),
        [field]: `${text}x`,
      });
      assertProblem(refused, 422, 'validation_failed', `/${field}`);
    });

  const broken: [string, object, string][] = [
    ['no uid', { uid: undefined }, '/uid'],
    ['an empty uid', { uid: '' }, '/uid'],
    ['a uid with a space', { uid: 'a b' }, '/uid'],
    ['a uid of digits', { uid: '123' }, '/uid'],
    ['a uid of Arabic digits', { uid: '١٢٣' }, '/uid'],
    ['an e-mail without @', { email: 'ada.example.com' }, '/email'],
    ['an e-mail with two @', { email: 'a@b@c' }, '/email'],
    ['an e-mail with a space', { email: 'a da@example.com' }, '/email'],
    ['an e-mail of 257 characters', { email: `ada@${'e'.repeat(253)}` }, '/email'],
    ['a comment above 64 KiB', { comment: 'é'.repeat(32_769) }, '/comment'],
    ['a picture that is no address', { picture: 'ada.png' }, '/picture'],
    ['a picture of another scheme', { picture: 'javascript:alert(1)' }, '/picture'],
    ['a picture of inline data', { picture: 'data:image/png;base64,iVBO' }, '/picture'],
    ['a directory id that is none', { directory: '999999' }, '/directory'],
    ['a directory name with a space', { directory: 'a b' }, '/directory'],
    ['an empty tag', { tags: [''] }, '/tags/0'],
    ['a NUL in a name', { name: 'a\0b' }, '/name'],
    ['metadata above 64 KiB', { metadata: { a: 'x'.repeat(65_536) } }, '/metadata'],
  ];
  for (const [what, fields, pointer] of broken)
    test(`${what} is 422 and creates nothing`, async () => {
      watch.hasChanged();
      const answer = await server.call('POST', '/api/users', { uid: freshUid('person'), ...fields });
      assertProblem(answer, 422, 'validation_failed', pointer);
      assert.equal(watch.hasChanged(), false);
    });

  const mistyped: [string, object][] = [
    ['uid', { uid: 5 }],
    ['name', { name: 5 }],
    ['tags', { tags: 'one' }],
    ['metadata', { metadata: [] }],
    ['is_suspended', { is_suspended: 'yes' }],
    ['is_bot', { is_bot: 1 }],
    ['picture', { picture: {} }],
    ['directory', { directory: 1 }],
  ];
  for (const [field, fields] of mistyped)
    test(`${field} of another JSON type is 400`, async () => {
      const answer = await server.call('POST', '/api/users', { uid: freshUid('person'), ...fields });
      assertProblem(answer, 400, 'wrong_type', `/${field}`);
    });

  test('a body that is not a JSON object is 400', async () => {
    assertProblem(await server.call('POST', '/api/users', '{"uid":'), 400, 'invalid_json');
    assertProblem(await server.call('POST', '/api/users', []), 400, 'wrong_type');
    assertProblem(await server.call('POST', '/api/users'), 422, 'validation_failed', '/uid');
  });
});

// PATCH leaves what is absent and clears what is null; what changes nothing is no edit.
describe('updating a user', () => {
  test('changes only the fields that are present and records the time', async () => {
    const made = await create({ name: 'Ada', nickname: 'A', tags: ['a'], metadata: { a: 1 } });
    const { status, body } = await server.call('PATCH', `/api/users/${made.uid}`, { nickname: 'B' });
    assert.equal(status, 200);
    const { modified_at, ...rest } = body;
    assert.match(modified_at, /Z$/);
    assert.deepEqual(rest, { ...made, nickname: 'B' });
    assert.deepEqual(actionsOf(made.id), ['user_created', 'user_updated']);
  });

  test('clears with null', async () => {
    const made = await create({
      name: 'Ada',
      email: 'ada@example.com',
      tags: ['a'],
      metadata: {},
      picture: 'https://example.com/a.png',
      directory: freshUid('cleared'),
      is_suspended: true,
      is_bot: true,
    });
    const nulls = Object.fromEntries(
      ['name', 'email', 'tags', 'metadata', 'picture', 'directory', 'is_suspended', 'is_bot'].map((key) => [
        key,
        null,
      ]),
    );
    const { body } = await server.call('PATCH', `/api/users/${made.id}`, nulls);
    const { modified_at: _, ...rest } = body;
    const { id, uid, created_at } = made;
    assert.deepEqual(rest, {
      ...{ id, uid, created_at, display_name: uid, tags: [], presence: 'away' },
      ...{ is_bot: false, is_suspended: false, is_trashed: false },
    });
    assertProblem(
      await server.call('PATCH', `/api/users/${id}`, { uid: null }),
      422,
      'validation_failed',
      '/uid',
    );
  });

  test('that changes nothing leaves no trace', async () => {
    const made = await create({ name: 'Ada', tags: ['a'], directory: freshUid('same') });
    watch.hasChanged();
    const same = { name: 'Ada', tags: ['a', 'a'], directory: String(made.directory_id), is_suspended: false };
    const { body } = await server.call('PATCH', `/api/users/${made.id}`, same);
    assert.deepEqual(body, made);
    assert.equal(watch.hasChanged(), false);
    const suspended = await create({ is_suspended: true });
    watch.hasChanged();
    await server.call('PATCH', `/api/users/${suspended.id}`, { is_suspended: true });
    assert.equal(watch.hasChanged(), false);
  });

  test('renames, unless the uid is taken', async () => {
    const made = await create();
    const other = await create();
    const renamed = freshUid('renamed');
    assert.equal((await server.call('PATCH', `/api/users/${made.uid}`, { uid: renamed })).body.uid, renamed);
    assert.equal((await server.call('GET', `/api/users/${made.uid}`)).status, 404);
    const taken = await server.call('PATCH', `/api/users/${renamed}`, { uid: other.uid });
    assertProblem(taken, 422, 'validation_failed', '/uid');
  });

  test('checks whether the user exists before it checks values', async () => {
    assertProblem(await server.call('PATCH', '/api/users/nobody-at-all', { email: 'x' }), 404, 'not_found');
    assertProblem(await server.call('PATCH', '/api/users/nobody-at-all', { email: 5 }), 400, 'wrong_type');
  });
});

// PUT creates or updates, and exactly one of concurrent requests for a free uid creates the user.
describe('upserting a user', () => {
  test('creates a user and then changes only fields that are present', async () => {
    const uid = freshUid('put');
    const made = await server.call('PUT', `/api/users/${uid}`, {
      name: 'Ada',
      tags: ['a'],
      is_suspended: true,
    });
    assert.equal(made.status, 201);
    const repeated = await server.call('PUT', `/api/users/${uid}`, {});
    assert.equal(repeated.status, 200);
    assert.deepEqual(repeated.body, made.body);
    const empty = await server.call('PUT', `/api/users/${uid}`);
    assert.deepEqual(empty.body, made.body);
    const changed = await server.call('PUT', `/api/users/${uid}`, { nickname: 'A', name: null });
    assert.equal(changed.status, 200);
    assert.equal(changed.body.display_name, 'A');
    assert.deepEqual(changed.body.tags, ['a']);
    assert.equal(changed.body.is_suspended, true);
  });

  test('of 32 at once answers 201 to exactly one', async () => {
    const uid = freshUid('race');
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        server.call('PUT', `/api/users/${uid}`, { nickname: `n${index}` }),
      ),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [
      ...Array.from({ length: 31 }, () => 200),
      201,
    ]);
    assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
    assert.equal(actionsOf(answers[0]?.body.id ?? 0).filter((action) => action === 'user_created').length, 1);
  });

  test('leaves a user in the trash there', async () => {
    const { uid } = await create();
    await server.call('POST', `/api/users/${uid}/trash`);
    const { status, body } = await server.call('PUT', `/api/users/${uid}`, { name: 'Ada' });
    assert.equal(status, 200);
    assert.equal(body.is_trashed, true);
    assert.equal(body.name, 'Ada');
  });

  test('accepts exactly the valid uids in the path', async () => {
    const uid = `${freshUid('ada')}/ü😀?#%`;
    const made = await server.call('PUT', `/api/users/${encodeURIComponent(uid)}`);
    assert.equal(made.status, 201);
    assert.equal(made.body.uid, uid);
    for (const path of ['123', 'a%20b', encodeURIComponent('x'.repeat(257))])
      assertProblem(await server.call('PUT', `/api/users/${path}`, {}), 422, 'validation_failed', '/uid');
  });

  test('creates no user under another uid than that of the path, so that it can be repeated', async () => {
    const [path, other] = [freshUid('put'), freshUid('put')];
    for (let turn = 0; turn < 2; turn += 1)
      assertProblem(
        await server.call('PUT', `/api/users/${path}`, { uid: other }),
        422,
        'validation_failed',
        '/uid',
      );
    assert.equal((await server.call('GET', `/api/users/${other}`)).status, 404);
  });

  test('requesting no change is not an edit, in any order of fields', async () => {
    const uid = freshUid('put');
    await server.call('PUT', `/api/users/${uid}`, { name: 'Ada', metadata: { a: 1, b: [2] }, tags: ['t'] });
    const again = { tags: [' t '], metadata: { b: [2], a: 1 }, name: 'Ada', uid };
    const { status, body } = await server.call('PUT', `/api/users/${uid}`, again);
    assert.deepEqual([status, body.modified_at], [200, undefined]);
  });

  test('renames by a uid in the body', async () => {
    const { uid } = await create();
    const other = await create();
    const renamed = freshUid('renamed');
    const answer = await server.call('PUT', `/api/users/${uid}`, { uid: renamed });
    assert.equal(answer.status, 200);
    assert.equal(answer.body.uid, renamed);
    const free = freshUid('free');
    assert.equal((await server.call('PUT', `/api/users/${free}`, { uid: other.uid })).status, 422);
    assert.equal((await server.call('PUT', `/api/users/${free}`, { uid: free })).status, 201);
  });
});

// The user that owns the content of API keys cannot be changed.
describe('the system user', () => {
  test('cannot be trashed, suspended, renamed, moved or signed in', async () => {
    watch.hasChanged();
    assertProblem(await server.call('POST', '/api/users/system/trash'), 400, 'validation_failed');
    const refused = { uid: 'other', directory: 'some-directory', is_suspended: true, is_bot: false };
    for (const [field, value] of Object.entries(refused)) {
      const answer = await server.call('PATCH', '/api/users/1', { [field]: value });
      assertProblem(answer, 422, 'validation_failed', `/${field}`);
    }
    assertProblem(
      await server.call('PUT', '/api/users/system', { is_suspended: true }),
      422,
      'validation_failed',
    );
    assertProblem(await server.call('POST', '/api/users/system/tokens'), 422, 'validation_failed');
    assert.equal(watch.hasChanged(), false);
    assert.equal((await server.call('POST', '/api/users/system/restore')).status, 200);
  });

  test('can have another name', async () => {
    const { body } = await server.call('PATCH', '/api/users/system', { name: 'Support' });
    assert.equal(body.display_name, 'Support');
    await server.call('PATCH', '/api/users/system', { name: 'System' });
  });
});
