import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const clock = movableClock();
const server = useServer({}, { clock });
const watch = useStoreWatch(server);
const path = '/api/moderation/rules';

/** Replaces the rules, whatever they are. */
async function setRules(...rules: object[]) {
  const { version } = await server.read(path);
  return await server.call('PUT', path, { version, rules });
}

const links = { name: 'links', action: 'hold', links_max: 0 };

describe('the rules', () => {
  test('are none until they are set', async () => {
    const body = await server.read(path);
    assert.deepEqual(body, { version: 0, includes_bots: false, rules: [], counts: [] });
  });

  test('are replaced whole, with an event', async () => {
    const { body: first } = await setRules(links);
    assert.deepEqual(first.rules, [links]);
    assert.deepEqual(first.counts, [{ name: 'links', reported: 0, held: 0, refused: 0 }]);
    const other = { name: 'words', action: 'refuse', words: ['spam'] };
    const { body } = await server.call('PUT', path, {
      version: first.version,
      includes_bots: true,
      rules: [other],
    });
    assert.deepEqual([body.version, body.includes_bots, body.rules], [first.version + 1, true, [other]]);
    assert.deepEqual(await server.read(path), body);
    const { counts: _, ...rules } = body;
    const events: { action: string; rules?: object }[] = (await server.read('/api/events?top=100')).data;
    assert.deepEqual(events.findLast(({ action }) => action === 'rules_updated')?.rules, rules);
  });

  test('are not replaced by one who has read others', async () => {
    const { version, rules } = (await setRules(links)).body;
    watch.hasCommitted();
    const answer = await server.call('PUT', path, { version: version - 1, rules: [] });
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual(
      answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['/version', 'outdated']],
    );
    assert.equal(watch.hasCommitted(), false);
    assert.deepEqual((await server.read(path)).rules, rules);
  });

  test('of two editors at once keep those of one', async () => {
    const { version } = await server.read(path);
    const answers = await Promise.all(
      ['one', 'other'].map((name) => server.call('PUT', path, { version, rules: [{ ...links, name }] })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
  });

  test('that are wrong are all named', async () => {
    const answer = await setRules(
      { name: 'none', action: 'hold' },
      { name: 'two', action: 'hold', links_max: 1, pattern: 'a' },
      { name: 'two', action: 'hold', pattern: '(a' },
      { name: 'look around', action: 'hold', pattern: '(?=a)' },
      { name: 'hook', action: 'hold', words: ['fine', '!!'] },
    );
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual(
      answer.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
      [
        '/rules/0 condition',
        '/rules/1 condition',
        '/rules/2/name taken',
        '/rules/2/pattern pattern',
        '/rules/3/pattern pattern',
        '/rules/4/name reserved',
        '/rules/4/words/1 word',
      ],
    );
  });

  const tooMany: { readonly [what: string]: readonly [object[], string] } = {
    'instructions of patterns': [[{ name: 'a', action: 'hold', pattern: 'a{999}' }], '/rules too_complex'],
    'words in a phrase': [[{ name: 'a', action: 'hold', words: ['a '.repeat(17)] }], '/rules/0/words/0 word'],
    'rules that look back': [
      Array.from({ length: 11 }, (_, at) => ({
        name: `${at}`,
        action: 'hold',
        rate: { count: 1, seconds: 1 },
      })),
      '/rules maxitems',
    ],
    rules: [Array.from({ length: 101 }, (_, at) => ({ ...links, name: `${at}` })), '/rules maxitems'],
    bytes: [
      Array.from({ length: 6 }, (_, at) => ({
        name: `${at}`,
        action: 'hold',
        words: Array.from({ length: 1000 }, (_, word) => `word-${at}-${word}`),
      })),
      '/rules too_long',
    ],
  };
  for (const [what, [rules, fault]] of Object.entries(tooMany))
    test(`have a limit on ${what}`, async () => {
      const answer = await setRules(...rules);
      assertProblem(answer, 422, 'validation_failed');
      const [{ pointer, code }] = answer.body.errors;
      assert.equal(`${pointer} ${code}`, fault);
    });

  test('need an API key with the scope', async () => {
    const user = await makeUser(server);
    assertProblem(await user.call('GET', path), 401, 'key_required');
    assertProblem(await user.call('PUT', path, { version: 0, rules: [] }), 403, 'key_only');
    assertProblem(await server.call('PUT', path, { version: 0, rules: 'none' }), 400, 'wrong_type');
    const reader = await server.running.keys.create('reader', { scopes: ['read'] });
    assertProblem(await server.as(reader).call('PUT', path, { version: 0, rules: [] }), 403, 'scope_missing');
  });
});

// What a test says is what would happen, and a test leaves no trace.
describe('a test of the rules', () => {
  let app = 0;
  const uid = freshUid('writer');
  before(async () => {
    app = (await makeApp(server, { access: 'write' })).id;
    await server.token(uid);
  });
  const test_ = async (body: object) => {
    const answer = await server.call('POST', '/api/moderation/test', body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const namesOf = ({ matches }: { matches: { name: string }[] }) => matches.map(({ name }) => name);

  test('names the rules that match, and the strictest action', async () => {
    await setRules(
      { name: 'words', action: 'report', words: ['cheap pills', 'casino'] },
      { name: 'pattern', action: 'refuse', pattern: '\\bt\\.me/\\w+' },
      { name: 'links', action: 'hold', links_max: 1 },
    );
    assert.deepEqual(await test_({ text: 'Nothing wrong here.' }), { action: 'take', matches: [] });
    assert.deepEqual(await test_({ text: 'CHEAP, pills!' }), {
      action: 'report',
      matches: [{ name: 'words', action: 'report' }],
    });
    const all = await test_({ text: 'Casino\nT.ME/lucky and https://a.example https://b.example' });
    assert.equal(all.action, 'refuse');
    assert.deepEqual(namesOf(all), ['words', 'pattern', 'links']);
    assert.deepEqual(namesOf(await test_({ text: 'https://a.example' })), []);
    assert.deepEqual(namesOf(await test_({ text: 'occasions and pills that are cheap' })), []);
  });

  const disguises: readonly string[] = [
    'ＣＡＳＩＮＯ',
    'cásinö',
    'cas\u200Bino',
    'c\u00ADasino',
    'cas**ino**',
    'play [casino](https://a.example)',
    'CASINO-CASINO',
  ];
  for (const text of disguises)
    test(`finds a word in ${JSON.stringify(text)}`, async () => {
      await setRules({ name: 'words', action: 'hold', words: ['casino'] });
      assert.deepEqual(namesOf(await test_({ text })), ['words']);
    });

  test('finds phrases in scripts without spaces', async () => {
    await setRules({ name: 'words', action: 'hold', words: ['网络赌场'] });
    assert.deepEqual(namesOf(await test_({ text: '最好的网络赌场在这里' })), ['words']);
    assert.deepEqual(namesOf(await test_({ text: '网络' })), []);
  });

  test('finds the pictures and letters of patterns however they are spelled', async () => {
    for (const [pattern, found, others] of [
      ['❤️', ['I ❤️ it', 'I ❤ it'], ['I 🖤 it']],
      ['^❤️?z$', ['❤️z', '❤z'], ['z', 'az']],
      ['^❤️{3}$', [], ['❤❤❤']],
      ['[❤️✈️] cheap', ['✈️ cheap', '❤ cheap'], [': cheap', '? cheap']],
      [String.raw`\Q❤️.\E`, ['❤️.', '❤.'], ['❤️!']],
      [String.raw`\[❤️\]`, ['[❤️]'], ['❤️']],
      ['1️⃣ 👩‍🔬', ['1️⃣ 👩‍🔬'], ['1 👩🔬']],
      ['می‌خواهم', ['می‌خواهم', 'میخواهم'], ['می خواهم']],
      ['\\w\u200b', [], ['word', 'w\u200bord']],
    ] as const) {
      assert.equal((await setRules({ name: 'picture', action: 'hold', pattern })).status, 200, pattern);
      for (const text of [...found, ...others]) {
        const expected = (found as readonly string[]).includes(text) ? ['picture'] : [];
        assert.deepEqual(namesOf(await test_({ text })), expected, `${pattern} in ${text}`);
      }
    }
  });

  test('matches patterns line by line, also in long lines', async () => {
    await setRules(
      { name: 'whole line', action: 'hold', pattern: '^buy now$' },
      { name: 'far', action: 'hold', pattern: 'x{5}y' },
    );
    assert.deepEqual(namesOf(await test_({ text: 'hello\r\nBuy now\nbye' })), ['whole line']);
    assert.deepEqual(namesOf(await test_({ text: 'buy\nnow' })), []);
    for (const length of [500, 505, 508, 512, 5000])
      assert.deepEqual(namesOf(await test_({ text: `${'-'.repeat(length)}xxxxxy` })), ['far'], `${length}`);
  });

  test('knows newcomers, open apps, bots and moderators', async () => {
    await setRules(
      { name: 'newcomers', action: 'hold', links_max: 0, newcomer_hours: 2 },
      { name: 'open apps', action: 'hold', links_max: 0, only_open_apps: true },
    );
    const text = 'https://a.example';
    assert.deepEqual(namesOf(await test_({ text })), []);
    assert.deepEqual(namesOf(await test_({ text, user: uid })), ['newcomers']);
    assert.deepEqual(namesOf(await test_({ text, user: uid, app })), ['newcomers', 'open apps']);
    clock.move(2 * 3_600_000);
    assert.deepEqual(namesOf(await test_({ text, user: uid, app })), ['open apps']);
    const bot = freshUid('bot');
    await server.call('POST', '/api/users', { uid: bot, is_bot: true });
    const { action, exempt, matches } = await test_({ text, user: bot, app });
    assert.deepEqual([action, exempt, matches.length], ['take', 'bot', 2]);
    const own = await makeApp(server, {}, { as: await server.token(uid) });
    assert.equal((await test_({ text, user: uid, app: own.uid })).exempt, 'moderator');
  });

  test('counts what was sent, and not itself', async () => {
    const token = await server.token(freshUid('repeater'));
    const user = await server.as(token).read('/api/user');
    const text = 'This is a text of more than forty characters.';
    await setRules({ name: 'again', action: 'hold', equal_texts: { of: 'user', count: 2, seconds: 60 } });
    for (let times = 0; times < 3; times += 1)
      assert.deepEqual(namesOf(await test_({ text, user: user.id, app })), []);
    await server.as(token).create(`/api/apps/${app}/comments`, { text });
    watch.hasChanged();
    assert.deepEqual(namesOf(await test_({ text: text.toUpperCase(), user: user.id, app })), ['again']);
    assert.equal(watch.hasChanged(), false);
  });

  test('refuses a user or an app that is not there', async () => {
    const answer = await server.call('POST', '/api/moderation/test', { text: 'x', user: 'nobody' });
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].pointer, '/user');
    const other = await server.call('POST', '/api/moderation/test', { text: 'x', app: 987_654 });
    assert.equal(other.body.errors[0].pointer, '/app');
    assertProblem(await server.call('POST', '/api/moderation/test', {}), 422, 'validation_failed');
    assertProblem(await server.call('POST', '/api/moderation/test', { text: 5 }), 400, 'wrong_type');
  });
});
