import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRowCount } from 'confab-testing/catalogue/early.ts';
import {
  type FieldRow,
  fieldRows,
  fieldsOf,
  outcomes,
  RawNumber,
  textOf,
  unknownRows,
} from 'confab-testing/catalogue/fields.ts';
import { queryRows } from 'confab-testing/catalogue/queries.ts';
import { assertEach } from 'confab-testing/catalogue/rows.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { before, use, useServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { sendAsIs } from './sending.ts';

const paths: { [operation: string]: string } = {};
let rows = 0;
const server = useServer({}, { isQuiet: true });
const watch = useStoreWatch(server);
const token = use(() => makeUser(server));
const bob = use(() => makeUser(server));
before(async () => {
  const chat = await makeApp(server, { type: 'chat', access: 'write' });
  paths['createMessage'] = `/api/apps/${chat.id}/messages`;
  const message = await server.call('POST', paths['createMessage'], { text: 'x' }, { as: token.token });
  paths['updateMessage'] = `/api/messages/${message.body.id}`;
  paths['createConversation'] = '/api/conversations';
});

/** Sends a body that would be accepted except for one field. */
async function attempt(id: string, field: string, value: unknown) {
  const accepted = id === 'createConversation' ? { members: [bob.id] } : {};
  const method = id === 'updateMessage' ? 'PATCH' : 'POST';
  const body = textOf(Object.fromEntries([...Object.entries(accepted), [field, value]]));
  return await server.call(method, paths[id] ?? '', body, { as: token.token });
}

const nameOf = ({ field, name }: FieldRow) => `${field}: ${name}`;

/** Tries every row of some fields of an operation; returns how many there were. */
async function tryFields(id: string, own: readonly FieldRow[]): Promise<number> {
  const statuses = { ok: id === 'updateMessage' ? 200 : 201, 'wrong type': 400, 'broken rule': 422 } as const;
  const refused = own.filter(({ expected }) => expected !== 'ok');
  watch.hasChanged();
  rows += await assertEach(refused, nameOf, async ({ field, value, expected }) => {
    const answer = await attempt(id, field, value);
    const places = answer.body.errors?.map((error: { pointer: string }) => error.pointer) ?? [];
    assert.ok(
      places.some((place: string) => place.startsWith(`/${field}`)),
      answer.text,
    );
    return { expected: statuses[expected], answer };
  });
  assert.equal(watch.hasChanged(), false);
  rows += await assertEach(
    own.filter(({ expected }) => expected === 'ok'),
    nameOf,
    async ({ field, value }) => ({ expected: statuses.ok, answer: await attempt(id, field, value) }),
  );
  return own.length;
}

// The fields of a message follow the same rules as those of a comment, and a refused request changes nothing.
describe('the fields of a message', () => {
  for (const id of ['createMessage', 'updateMessage'] as const)
    test(`of ${id}`, async () => {
      await tryFields(
        id,
        fieldRows.filter(({ field }) => fieldsOf[id]?.includes(field)),
      );
      await tryFields(id, unknownRows);
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    });
});

// A new conversation needs its members, and a refused request creates none.
describe('the fields of a conversation', () => {
  test('about its members', async () => {
    const tried = await tryFields('createConversation', [
      ...outcomes('members', {
        'wrong type': [5, 'x', true, {}, [true], [null], [{ id: 1 }], [[1]], [1.5]],
        'broken rule': [
          null,
          [],
          [0],
          [-1],
          [1],
          ['1'],
          [987_654_321],
          [new RawNumber('9007199254740992')],
          ['nobody'],
          [''],
          [' '],
          ['0'],
          ['a\u0000'],
          ['\ud800'],
          ["' or 1=1 --"],
          ['x'.repeat(300)],
          [bob.id, 987_654_321],
          Array.from({ length: 1001 }, (_, i) => i + 1),
        ],
        ok: [[bob.id], [bob.uid], [String(bob.id)], [bob.id, bob.uid, bob.id]],
      }),
    ]);
    assert.equal(tried, { sqlite: 31, postgres: 23 }[engine]);
  });

  test('about its type and its name', async () => {
    const tried = await tryFields('createConversation', [
      ...outcomes('type', {
        'wrong type': [5, true, {}, ['chat_room']],
        'broken rule': ['', 'chat', 'bot_chat', 'files', 'room', 'chat_room\u0000', 'constructor'],
        ok: [null, 'private_chat', 'CHAT_ROOM', 'edb400ac-839b-45a7-b2a8-6a01820d1c44'],
      }),
      ...fieldRows.filter(({ field }) => field === 'name'),
      ...unknownRows,
    ]);
    assert.ok(tried > { sqlite: 50, postgres: 20 }[engine]);
  });
});

// The list of all messages ignores invalid queries.
describe('a query of messages', () => {
  test('of listMessages', async () => {
    rows += await assertEach(
      queryRows,
      ({ query }) => query.slice(0, 60),
      async ({ query }) => ({
        expected: 200,
        answer: await sendAsIs(
          { url: server.url, credential: token.token },
          { method: 'GET', target: `/api/messages?${query}` },
        ),
      }),
    );
  });

  test('is in as many rows as were tested', (t) => {
    assertRowCount(t, { of: 'messages', rows, least: { sqlite: 400, postgres: 200 } });
  });
});
