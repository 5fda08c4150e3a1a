import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeDirectory, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { poll } from 'confab-testing/poll.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { watchStore } from 'confab-testing/stores/store-watch.ts';

let statements: string[] = [];
let ada: Person;
const made = new Map<string, Person>();
const server = useServer({}, { isQuiet: true, onStatement: (sql) => statements.push(sql) });
before(async () => {
  for (const name of ['acme', 'other']) await makeDirectory(server, name);
  const people = [
    'Ada Lovelace',
    'Adam Smith',
    'Björn Ångström',
    'Łukasz Żak',
    'Наталья Иванова',
    '山田太郎',
    'عائشة',
  ];
  for (const name of people) made.set(name, await makeUser(server, { name, directory: 'acme' }));
  made.set('Adele Elsewhere', await makeUser(server, { name: 'Adele Elsewhere', directory: 'other' }));
  made.set('Adrian Nowhere', await makeUser(server, { name: 'Adrian Nowhere' }));
  for (const name of ['Adolf Suspended', 'Adolf Trashed'])
    made.set(name, await makeUser(server, { name, directory: 'acme' }));
  await server.call('PATCH', `/api/users/${named('Adolf Suspended').uid}`, { is_suspended: true });
  await server.call('POST', `/api/users/${named('Adolf Trashed').uid}/trash`);
  ada = named('Ada Lovelace');
});

function named(name: string): Person {
  const person = made.get(name);
  assert.ok(person !== undefined, name);
  return person;
}

async function found(query: string, as: string | undefined = ada.token) {
  const sending = as === server.key ? {} : { as };
  const answer = await server.call('GET', `/api/users/autocomplete?${query}`, undefined, sending);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

async function names(query: string, as?: string): Promise<string[]> {
  return (await found(query, as)).data.map(({ display_name }: { display_name: string }) => display_name);
}

// People are found by how the words of their names begin, in any script, among those the caller may know of.
describe('autocompletion', () => {
  test('matches the beginning of every word, in any script', async () => {
    const asked = {
      ad: ['Ada Lovelace', 'Adam Smith'],
      'AD LOV': ['Ada Lovelace'],
      lov: ['Ada Lovelace'],
      ovelace: [],
      bjorn: ['Björn Ångström'],
      Ång: ['Björn Ångström'],
      жа: [],
      нат: ['Наталья Иванова'],
      山: ['山田太郎'],
      عا: ['عائشة'],
      '"': [],
    };
    for (const [q, expected] of Object.entries(asked))
      assert.deepEqual(await names(`q=${encodeURIComponent(q)}`), expected, q);
  });

  test('finds all users for an empty query and for the star of existing clients', async () => {
    const everybody = await names('top=10');
    assert.equal(everybody.length, 7);
    for (const q of ['', '%20', '*']) assert.deepEqual(await names(`q=${q}&top=10`), everybody, q);
  });

  test('returns five users without a count, unless requested otherwise', async () => {
    const five = await found('q=');
    assert.deepEqual([five.data.length, five.start, five.end, five.count], [5, 1, 5, undefined]);
    const rest = await found('top=3&skip=5&count=true');
    assert.deepEqual([rest.data.length, rest.start, rest.end, rest.count], [2, 6, 7, 7]);
    assert.equal((await found('top=1000')).data.length, 7);
    assert.equal((await found('top=0')).data.length, 1);
    assert.equal((await found('top=x&skip=x&count=x&id=x')).data.length, 5);
    assert.equal((await found('q=nobody&count=true')).count, 0);
  });

  test('searches the directory of the caller, or the users without one; a key finds all users', async () => {
    assert.deepEqual(await names('q=ad', named('Adele Elsewhere').token), ['Adele Elsewhere']);
    assert.deepEqual(await names('q=ad', named('Adrian Nowhere').token), ['Adrian Nowhere']);
    const all = ['Ada Lovelace', 'Adam Smith', 'Adele Elsewhere', 'Adrian Nowhere'];
    assert.deepEqual(await names('q=ad', server.key), all);
    assert.deepEqual(await names('q=system', server.key), []);
    assert.equal((await server.as(null).call('GET', '/api/users/autocomplete')).status, 401);
  });

  test('shows who is a member of an app and what each may do there, and finds its members as well', async () => {
    const app = await makeApp(ada, { access: 'read', directory: 'acme' });
    const put = (name: string, access: string) =>
      server.call('PUT', `/api/apps/${app.id}/members/${named(name).uid}`, { access });
    await put('Adam Smith', 'write');
    await put('Adele Elsewhere', 'read');
    await put('Łukasz Żak', 'none');
    const { data } = await found(`id=${app.id}&top=20`);
    const standing = data.map((person: { display_name: string; is_member: boolean; access: string }) => [
      person.display_name,
      person.is_member,
      person.access,
    ]);
    assert.deepEqual(standing, [
      ['Ada Lovelace', true, 'admin'],
      ['Adam Smith', true, 'write'],
      ['Björn Ångström', false, 'read'],
      ['Łukasz Żak', true, 'none'],
      ['Наталья Иванова', false, 'read'],
      ['山田太郎', false, 'read'],
      ['عائشة', false, 'read'],
      ['Adele Elsewhere', true, 'read'],
    ]);
    assert.deepEqual(await names(`q=ade&id=${app.id}`), ['Adele Elsewhere']);
    assert.equal((await found(`id=${app.id}&count=true`)).count, 8);
    assert.deepEqual(Object.keys((await found('q=ada')).data[0]).sort(), [
      'display_name',
      'id',
      'presence',
      'uid',
    ]);
    const hidden = await makeApp(server);
    const path = `/api/users/autocomplete?id=${hidden.id}`;
    assert.equal((await ada.call('GET', path)).status, 404);
    await server.call('POST', `/api/apps/${app.id}/trash`);
    const trashed = `/api/users/autocomplete?id=${app.id}`;
    assert.equal((await ada.call('GET', trashed)).status, 404);
  });

  test('shows who is present', async () => {
    const adam = named('Adam Smith');
    const presence = async () => (await found('q=adam')).data[0].presence;
    assert.equal(await presence(), 'away');
    const live = await connectLive(server, adam.token);
    await poll('him to be there', async () => (await presence()) === 'active' || undefined);
    await live.stop();
    assert.equal((await found('q=lovelace')).data[0].presence, 'away');
  });

  test('has a path that is not a uid', async () => {
    const path = '/api/users/autocomplete';
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await server.call(method, path, {});
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
    }
    assert.equal((await server.call('PUT', path, {})).status, 422);
    assert.ok(Array.isArray((await server.read(path)).data));
  });

  test('reads indexes, and costs the same statements for many users as for one', async () => {
    const app = await makeApp(ada);
    const watch = watchStore(server.folder);
    try {
      for (const query of ['q=ad', '', `q=ad&id=${app.id}`, `id=${app.id}`]) {
        await found(query);
        statements = [];
        await found(`${query}&top=1`);
        const one = statements.length;
        const [sql = ''] = statements.filter((text) => text.includes('with "found"'));
        statements = [];
        await found(`${query}&top=50`);
        assert.equal(statements.length, one);
        const { scans, steps } = watch.plan(sql);
        assert.deepEqual(scans, [], steps.join('\n'));
      }
    } finally {
      watch.close();
    }
  });
});
