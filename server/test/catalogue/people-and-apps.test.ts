import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import type { Operation } from 'confab-contract/operation.ts';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import { type FieldRow, fieldRows, outcomes, textOf, unknownRows } from 'confab-testing/catalogue/fields.ts';
import { notObjects, unreadableTexts } from 'confab-testing/catalogue/json-texts.ts';
import { ignoredQueries, queryRows } from 'confab-testing/catalogue/queries.ts';
import { nearIds, type RefRow, refRows } from 'confab-testing/catalogue/refs.ts';
import { assertEach, assertInTurn } from 'confab-testing/catalogue/rows.ts';
import { makeApp, makeBlob, makeDirectory, makeImport, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { before, freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { sendAsIs } from './sending.ts';

/** The version of the rules, which each replacement raises. */
let version = 0;
/** Uploads that nothing uses yet. */
const uploads: number[] = [];

/** The operations under test, each with a body that it accepts if it takes one. */
const accepted: { readonly [operation: string]: () => unknown } = {
  createUser: () => ({ uid: freshUid('made') }),
  listUsers: () => undefined,
  getUser: () => undefined,
  updateUser: () => ({}),
  upsertUser: () => ({}),
  trashUser: () => undefined,
  restoreUser: () => undefined,
  getCaller: () => undefined,
  getMail: () => undefined,
  updateMail: () => ({}),
  issueToken: () => ({}),
  revokeTokens: () => undefined,
  eraseUser: () => undefined,
  getErasure: () => undefined,
  exportUser: () => undefined,
  createDirectory: () => ({ name: freshUid('made') }),
  listDirectories: () => undefined,
  getDirectory: () => undefined,
  updateDirectory: () => ({}),
  deleteDirectory: () => undefined,
  listDirectoryMembers: () => undefined,
  initApp: () => ({ app: { uid: 'begun', type: 'comments' }, user: { uid: 'begun' } }),
  deleteApp: () => undefined,
  explainAccess: () => undefined,
  lockApp: () => ({}),
  unlockApp: () => undefined,
  starApp: () => undefined,
  unstarApp: () => undefined,
  listStars: () => undefined,
  getFeatures: () => undefined,
  renderText: () => ({ text: 'x' }),
  createEmbed: () => ({ url: 'http://127.0.0.1/' }),
  getEmbed: () => undefined,
  createMeeting: () => ({ provider: 'jitsi' }),
  getMeeting: () => undefined,
  getModerationRules: () => undefined,
  getStatus: () => undefined,
  getSettings: () => undefined,
  listKeys: () => undefined,
  listBackups: () => undefined,
  createBackup: () => undefined,
  verifyBackup: () => undefined,
  downloadBackup: () => undefined,
  getDoctor: () => undefined,
  runDoctor: () => undefined,
  fixWithDoctor: () => undefined,
  createKey: () => ({ name: 'made', scopes: ['read'] }),
  rotateKey: () => ({}),
  revokeKey: () => undefined,
  createImport: () => ({ kind: 'disqus', blob_id: uploads.at(-1) }),
  listImports: () => undefined,
  getImport: () => undefined,
  runImport: () => undefined,
  stopImport: () => undefined,
  undoImport: () => undefined,
  replaceModerationRules: () => ({ version, rules: [] }),
  testModerationRules: () => ({ text: 'x' }),
  updateSite: () => ({}),
  createBan: () => ({ address: '203.0.113.5', seconds: 60 }),
  listBans: () => undefined,
  deleteBan: () => undefined,
  moderateUser: () => ({}),
};
/** What needs a place of backups to succeed. */
const ofBackups = ['createBackup', 'verifyBackup', 'downloadBackup'];
let token: string;
let rows = 0;
const there: { [parameter: string]: string | number } = {};
const server = useServer({ CONFAB_EGRESS_ALLOW: '' }, { isQuiet: true });
const watch = useStoreWatch(server);
before(async () => {
  const user = await makeUser(server);
  token = user.token;
  there['user'] = (await makeUser(server)).id;
  there['app'] = (await makeApp(server, { access: 'write' })).id;
  there['directory'] = await makeDirectory(server, 'catalogue');
  there['set'] = 'comments';
  for (const id of ['rotateKey', 'revokeKey'])
    there[id] = (await server.create('/api/keys', { name: id, scopes: ['read'] })).id;
  there['deleteBan'] = (await server.create('/api/bans', { address: '203.0.113.8', seconds: 60 })).id;
  const { body } = await server.call('POST', '/api/meetings', { provider: 'jitsi' });
  there['id'] = body.id;
  uploads.push(await makeBlob(server));
  await makeImport(server, 'finished');
});
const operations = operationList.filter(({ id }) => Object.hasOwn(accepted, id));
const parameter = /\{([a-z]+)\}/;

function pathOf({ id, path }: Operation, text?: string): string {
  return path.replace(parameter, (_, name: string) => text ?? String(there[id] ?? there[name]));
}

async function send({ method, caller }: Operation, target: string, body?: string | Buffer) {
  return await sendAsIs(
    { url: server.url, credential: caller === 'user' ? token : server.key },
    { method, target, ...(body === undefined ? {} : { body }) },
  );
}

function named(id: string): Operation {
  const operation = operations.find((known) => known.id === id);
  assert.ok(operation !== undefined, id);
  return operation;
}

/** The status of a request whose path is one of the rows. */
function expectedOf(id: string, { kind, text }: Pick<RefRow, 'kind'> & { readonly text?: string }): number {
  // No path of the API has an empty segment.
  if (text === '') return 404;
  // PUT declares no 404 and takes a uid: it creates the user, unless the segment is not a uid.
  if (id === 'upsertUser') return { uid: 201, id: 422, nothing: 422, undecodable: 400 }[kind];
  // A token can be issued for a uid that no user has yet.
  return id === 'issueToken' && kind === 'uid' ? 200 : 404;
}

// A path that names nothing is 404 on every verb, and changes nothing.
describe('a bad reference', () => {
  const positions = operations.filter(({ path }) => parameter.test(path));
  // Last, because they create the users that the other rows must not find.
  positions.sort(
    (a, b) =>
      Number(expectedOf(a.id, { kind: 'uid' }) < 300) - Number(expectedOf(b.id, { kind: 'uid' }) < 300),
  );
  for (const operation of positions)
    test(`in the path of ${operation.id}`, async () => {
      watch.hasChanged();
      const body = JSON.stringify(accepted[operation.id]?.());
      const attempt = async (row: Pick<RefRow, 'text' | 'kind'>) => ({
        expected: expectedOf(operation.id, row),
        answer: await send(operation, pathOf(operation, row.text), body),
      });
      rows += await assertEach(refRows, ({ text }) => text.slice(0, 40), attempt);
      if (expectedOf(operation.id, { kind: 'uid' }) === 404) {
        const [, name = ''] = parameter.exec(operation.path) ?? [];
        const near = nearIds(Number(there[name]) || 1).map((text) => ({ text, kind: 'nothing' }) as const);
        rows += await assertEach(near, ({ text }) => text, attempt);
        assert.equal(watch.hasChanged(), false);
      }
    });
});

// Lists ignore invalid queries.
describe('a query', () => {
  const own = ['directory_id', 'suspended'].flatMap((name) =>
    ['', 'x', '%00', '%ff', '-1', '0', '99999999999999999999', 'null', '1e3', "'"].map((value) => ({
      query: `${name}=${value}`,
    })),
  );
  for (const operation of operations.filter(({ list }) => list !== undefined))
    test(`of ${operation.id}`, async () => {
      const path = pathOf(operation);
      rows += await assertEach(
        [...queryRows, ...own],
        ({ query }) => query.slice(0, 60),
        async ({ query }) => ({ expected: 200, answer: await send(operation, `${path}?${query}`) }),
      );
    });

  test('of an operation that is not a list is ignored', async () => {
    for (const id of ['getCaller', 'getFeatures', 'getUser', 'getDirectory', 'getMeeting'])
      rows += await assertEach(
        ignoredQueries,
        ({ query }) => query.slice(0, 60),
        async ({ query }) => ({
          expected: 200,
          answer: await send(named(id), `${pathOf(named(id))}?${query}`),
        }),
      );
  });
});

// A malformed body is 400 where the operation declares 400, even if it takes no body, and changes nothing.
describe('an unreadable body', () => {
  for (const operation of operations.filter(({ errors }) => errors.includes(400)))
    test(`of ${operation.id}`, async () => {
      watch.hasChanged();
      const others = accepted[operation.id]?.() === undefined ? [] : notObjects;
      rows += await assertEach(
        [...unreadableTexts, ...others],
        (text) => JSON.stringify(text.toString()).slice(0, 60),
        async (text) => ({
          expected: 400,
          answer: await send(
            operation,
            pathOf(operation),
            typeof text === 'string' ? Buffer.from(text) : text,
          ),
        }),
      );
      assert.equal(watch.hasChanged(), false);
    });

  test('is ignored where no body is read', async () => {
    for (const operation of operations.filter(({ errors }) => !errors.includes(400))) {
      if (['getEmbed', 'getErasure', ...ofBackups].includes(operation.id)) continue;
      const { status } = await send(operation, pathOf(operation), '{"a":');
      // The doctor may still be at what the row before began.
      const others = operation.id === 'fixWithDoctor' ? [503] : [];
      assert.ok([200, 202, 204, ...others].includes(status), operation.id);
      rows += 1;
    }
    // It notes in the store how it ended, which other tests would take for a change of theirs.
    await poll('the doctor', async () =>
      (await server.call('GET', '/api/doctor')).body.state === 'running' ? undefined : true,
    );
  });
});

type Values = readonly unknown[];

const notTexts: Values = [5, true, {}, ['x']];
const shortText = (field: string, charactersMax: number): FieldRow[] =>
  outcomes(field, {
    ok: ['x', 'x'.repeat(charactersMax), null, '<b>x</b>', 'é'],
    'wrong type': notTexts,
    'broken rule': ['x'.repeat(charactersMax + 1), 'a\u0000', '\ud800'],
  });

const profile: readonly FieldRow[] = [
  ...shortText('given_name', 64),
  ...shortText('middle_name', 64),
  ...shortText('family_name', 64),
  ...shortText('nickname', 32),
  ...shortText('phone_number', 32),
  ...fieldRows.filter(({ field }) => ['name', 'metadata', 'tags'].includes(field)),
  ...outcomes('email', {
    ok: ['ada@example.com', 'a+b@example.co.uk', null],
    'wrong type': notTexts,
    'broken rule': ['nobody', '@example.com', 'ada@', 'a b@example.com', `${'x'.repeat(256)}@example.com`],
  }),
  ...outcomes('is_bot', { ok: [true, false], 'wrong type': [1, 'true', [], {}] }),
  ...outcomes('picture', {
    'wrong type': [true, {}, []],
    'broken rule': [
      987_654_321,
      -1,
      0,
      1e29,
      '9'.repeat(20),
      'javascript:alert(1)',
      'data:text/html,x',
      'x',
      'data:image/png;base64,!',
    ],
  }),
  ...unknownRows.filter(({ field }) => field !== 'id'),
];

const uids = (field: string): FieldRow[] =>
  outcomes(field, {
    'wrong type': notTexts,
    'broken rule': ['', ' ', '12', 'a b', '.', '..', 'x'.repeat(257), 'a\u0000', 'a\u200bb', '\ud800', '١٢٣'],
  });

/** The end of an API key. */
const ends = outcomes('expires_at', {
  ok: ['2099-12-31T23:59:59Z', null],
  'wrong type': notTexts,
  'broken rule': ['', 'x', '2020-01-01T00:00:00Z', '2099-12-31'],
});

/** The fields of each operation with a body. */
const fields: { readonly [operation: string]: readonly FieldRow[] } = {
  createUser: [
    ...profile,
    ...uids('uid'),
    ...outcomes('is_suspended', { ok: [true], 'wrong type': [1, 'x'] }),
  ],
  updateUser: [
    ...profile,
    ...uids('uid'),
    ...outcomes('is_suspended', { ok: [false], 'wrong type': [1, 'x'] }),
  ],
  upsertUser: profile,
  issueToken: [
    ...profile,
    ...outcomes('expires_in', {
      ok: [60, 2_592_000, null],
      'wrong type': ['60', true, 60.5, {}],
      'broken rule': [59, 0, -1, 2_592_001],
    }),
  ],
  createKey: [
    ...shortText('name', 256).filter(({ value }) => value !== null),
    ...outcomes('name', { 'broken rule': ['', null] }),
    ...outcomes('scopes', {
      ok: [['all'], ['read', 'moderate']],
      'wrong type': ['read', 5, {}, [5]],
      'broken rule': [null, [], ['read', 'read'], ['write'], ['constructor']],
    }),
    ...ends,
  ],
  rotateKey: [
    ...outcomes('overlap_seconds', {
      'wrong type': ['1', true, 1.5, {}],
      'broken rule': [-1, 604_801],
    }),
    ...ends.filter(({ expected }) => expected !== 'ok'),
  ],
  lockApp: [
    ...outcomes('locked_at', {
      ok: ['2026-12-24T18:00:00Z', '2026-12-24T18:00:00.5+02:00', null],
      'wrong type': notTexts,
      'broken rule': ['', 'x', '2026-13-01T00:00:00Z', '2026-12-24', '2026-12-24T18:00:00Z\u0000'],
    }),
    ...outcomes('after_days', {
      ok: [0, 36_500, null],
      'wrong type': ['1', true, 1.5, {}],
      'broken rule': [-1, 36_501],
    }),
    ...unknownRows,
  ],
  replaceModerationRules: [
    ...outcomes('version', { 'wrong type': ['1', true, 1.5, {}], 'broken rule': [-1, 987_654_321, null] }),
    ...outcomes('includes_bots', { ok: [true, false], 'wrong type': [1, 'true', [], {}] }),
    ...outcomes('rules', {
      ok: [[], [{ name: 'x', action: 'hold', links_max: 0 }]],
      'wrong type': [5, 'x', {}, [5], [{ name: 5 }], [{ name: 'x', action: 'hold', links_max: '1' }]],
      'broken rule': [
        null,
        [{}],
        [{ name: '', action: 'hold', links_max: 0 }],
        [{ name: 'x', action: 'delete', links_max: 0 }],
        [{ name: 'x', action: 'hold' }],
        [{ name: 'x', action: 'hold', links_max: 0, words: ['y'] }],
        [{ name: 'x', action: 'hold', links_max: -1 }],
        [{ name: 'x', action: 'hold', words: [] }],
        [{ name: 'x', action: 'hold', pattern: '[' }],
        [{ name: 'x', action: 'hold', pattern: '(a)\\1' }],
        [{ name: 'x', action: 'hold', rate: { count: 0, seconds: 60 } }],
        ['x', 'x'].map((name) => ({ name, action: 'hold', links_max: 0 })),
      ],
    }),
  ],
  renderText: outcomes('text', {
    ok: ['', 'x'],
    'wrong type': notTexts,
    'broken rule': ['x'.repeat(65_537), 'a\u0000', '\ud800'],
  }),
  testModerationRules: [
    ...outcomes('text', {
      ok: ['', 'x'],
      'wrong type': notTexts,
      'broken rule': ['x'.repeat(65_537), 'a\u0000', '\ud800'],
    }),
    ...outcomes('user', {
      'wrong type': [true, {}, []],
      'broken rule': [987_654_321, 'nobody-is-called-so'],
    }),
    ...outcomes('app', { 'wrong type': [true, {}, []], 'broken rule': [987_654_321, 'there-is-none'] }),
  ],
  moderateUser: [
    ...outcomes('is_trusted', { ok: [true, false], 'wrong type': [1, 'true', {}, []] }),
    ...outcomes('is_suspended', { ok: [true, false], 'wrong type': [1, 'true', {}, []] }),
    ...outcomes('ban_seconds', {
      'wrong type': ['60', true, {}, []],
      'broken rule': [-1, 0, 60, 31_622_401],
    }),
  ],
  updateSite: [
    ...outcomes('origins', {
      ok: [[], ['https://blog.example.com'], ['http://localhost:8300/'], null],
      'wrong type': ['https://blog.example.com', 1, {}, [1], [null]],
      'broken rule': [
        ...[[''], ['*'], ['blog.example.com'], ['https://blog.example.com/posts'], ['ftp://example.com']],
        ...[['https://user@example.com'], ['null'], ['x'.repeat(201)], Array.from({ length: 21 }, () => 'x')],
      ],
    }),
    ...outcomes('sign_in', {
      ok: [[], ['guest'], ['guest', 'guest'], null],
      'wrong type': ['guest', 1, {}, [1]],
      'broken rule': [
        ['email'],
        ['github'],
        [''],
        ['x'.repeat(31)],
        Array.from({ length: 21 }, () => 'guest'),
      ],
    }),
    ...outcomes('visitors', {
      ok: ['none', 'read', 'write', null],
      'wrong type': [1, true, {}, []],
      'broken rule': ['', 'all', 'x'.repeat(100)],
    }),
    ...outcomes('approval', {
      ok: ['none', 'rules', 'guests', 'newcomers', 'everything', null],
      'wrong type': [1, true, {}, []],
      'broken rule': ['', 'all'],
    }),
  ],
  createBan: [
    ...outcomes('address', {
      ok: ['203.0.113.0/24', '2001:db8::1', '2001:DB8::/32', '::ffff:203.0.113.6', ' 203.0.113.7 '],
      'wrong type': notTexts,
      'broken rule': [
        ...['', 'x', '203.0.113', '203.0.113.256', '203.0.113.0/33', '203.0.113.0/-1', '203.0.113.0/24/24'],
        ...[
          '010.0.0.1',
          '0x7f000001',
          '10.0.0.0/15',
          '::/31',
          '2001:db8::/129',
          'fe80::1%eth0',
          '2001:db8::g',
        ],
        ...['203.0.113.0/', '/24', '203.0.113.0/24\u0000', 'x'.repeat(65)],
      ],
    }),
    ...outcomes('user', {
      'wrong type': [true, {}, []],
      'broken rule': [987_654_321, 'nobody-is-called-so', 'ada'],
    }),
    ...outcomes('seconds', {
      ok: [1, 31_622_400],
      'wrong type': ['1', true, 1.5, {}],
      'broken rule': [0, -1, 31_622_401, null],
    }),
    ...outcomes('expires_at', {
      'wrong type': notTexts,
      'broken rule': ['', 'x', '2099-12-31T23:59:59Z', '2001-01-01T00:00:00Z', '2099-13-01T00:00:00Z'],
    }),
    ...outcomes('reason', {
      ok: ['', 'spam', null],
      'wrong type': notTexts,
      'broken rule': ['x'.repeat(1001)],
    }),
  ],
  createImport: [
    ...outcomes('kind', {
      'wrong type': notTexts,
      'broken rule': ['', 'Disqus', 'medium', 'constructor', 'disqus\u0000', null],
    }),
    ...outcomes('blob_id', {
      'wrong type': ['1', true, 1.5, {}, []],
      'broken rule': [0, -1, 987_654_321, null],
    }),
    ...outcomes('keeps_emails', { 'wrong type': [1, 'true', [], {}] }),
    ...outcomes('site', {
      'wrong type': notTexts,
      'broken rule': ['', '/blog', 'javascript:alert(1)', `https://a.example/${'x'.repeat(2031)}`],
    }),
    ...outcomes('replies', { 'wrong type': notTexts, 'broken rule': ['', 'Thread', 'quotes'] }),
    ...unknownRows.filter(({ expected }) => expected !== 'ok'),
  ],
  createDirectory: uids('name'),
  updateDirectory: uids('name'),
  createMeeting: outcomes('provider', {
    ok: ['jitsi'],
    'wrong type': notTexts,
    'broken rule': ['', 'zoom', 'teams', 'constructor', 'jitsi\u0000', null],
  }),
  createEmbed: outcomes('url', {
    // The fetch of an internal address fails with the same message as any other failed fetch.
    'wrong type': notTexts,
    'broken rule': [
      '',
      ' ',
      'x',
      '/x',
      'ftp://example.com/',
      'javascript:alert(1)',
      'https://',
      'https://a:b@example.com/',
      'https://example.com/\u0000',
      `https://example.com/${'x'.repeat(2048)}`,
      null,
    ],
  }),
};

// Each field is checked for its type first and then for its rules, and a refused request changes nothing.
describe('the fields of a body', () => {
  const nameOf = ({ field, name }: FieldRow) => `${field}: ${name}`;
  const attempt = async (operation: Operation, { field, value, expected }: FieldRow) => {
    const body = { ...(accepted[operation.id]?.() as object), [field]: value };
    const target = pathOf(operation, { upsertUser: 'put', issueToken: freshUid('unknown') }[operation.id]);
    const answer = await send(operation, target, Buffer.from(textOf(body)));
    const success = Number(Object.keys(operation.success)[0]);
    if (operation.id === 'replaceModerationRules' && answer.status === success) version += 1;
    return { expected: { ok: success, 'wrong type': 400, 'broken rule': 422 }[expected], answer };
  };

  for (const [id, own] of Object.entries(fields)) {
    test(`of ${id} that are refused`, async () => {
      if (id === 'upsertUser') await server.call('PUT', '/api/users/put', {});
      watch.hasChanged();
      const refused = own.filter(({ expected }) => expected !== 'ok');
      rows += await assertEach(refused, nameOf, async (row) => {
        const outcome = await attempt(named(id), row);
        assert.match(outcome.answer.body, new RegExp(`"pointer":"/${row.field}`));
        return outcome;
      });
      assert.equal(watch.hasChanged(), false);
    });

    test(`of ${id} that are accepted`, async () => {
      const taken = own.filter(({ expected }) => expected === 'ok');
      // Rules are replaced in one version after the other.
      rows += await assertInTurn(taken, nameOf, (row) => attempt(named(id), row));
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    });
  }

  test('are in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'people and apps', rows, least: { sqlite: 3000, postgres: 1000 } });
  });
});
