import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeFile, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { before, type Caller, freshUid, useServer } from 'confab-testing/server.ts';
import { foldedApart, foldedTogether, keptApart, punctuated, searchedTogether } from './folded-pairs.ts';

const server = useServer();
const q = (text: string) => encodeURIComponent(text);

async function idsOf(by: Caller, path: string): Promise<number[]> {
  const { body, status, text } = await by.call('GET', path as '/api/comments');
  assert.equal(status, 200, text);
  return body.data.map(({ id }: { id: number }) => id);
}

/** Whether a search finds the one comment of an app, by its text, by the index, and as a count. */
async function finds(text: string, question: string): Promise<boolean> {
  const { id: app } = await makeApp(server);
  const { id } = await makeComment(server, app, { text });
  const inApp = await idsOf(server, `/api/apps/${app}/comments?q=${q(question)}`);
  const everywhere = await idsOf(server, `/api/comments?top=100&q=${q(question)}`);
  assert.equal(everywhere.includes(id), inApp.includes(id), question);
  return inApp.includes(id);
}

// Both engines find what the collation for searching of CLDR holds equal, with the exceptions that decision 0150 names.
describe('a search', () => {
  for (const [one, other, what] of [...foldedTogether, ...searchedTogether])
    test(`finds ${one} and ${other} by each other: ${what}`, async () => {
      assert.equal(await finds(one, other), true);
      assert.equal(await finds(other, one), true);
    });

  for (const [one, other, what] of [...keptApart, ...foldedApart])
    test(`keeps ${one} and ${other} apart: ${what}`, async () => {
      assert.equal(await finds(one, `"${other}"`), false);
      assert.equal(await finds(other, `"${one}"`), false);
    });

  for (const [text, question, isFound] of punctuated)
    test(`${isFound ? 'finds' : 'does not find'} ${question} by ${text}`, async () => {
      assert.equal(await finds(question, text), isFound);
    });

  test('finds the beginnings of folded words, and phrases of them', async () => {
    const text = 'In Łódź, مُحَمَّد met Æsop';
    for (const [question, isFound] of [
      ['lod', true],
      ['محم', true],
      ['"محمد met aesop"', true],
      ['"lodz محمد"', true],
      ['"lod محمد"', false],
      ['"met lodz"', false],
    ] as const)
      assert.equal(await finds(text, question), isFound, question);
    assert.equal(await finds('한국어', '하'), true);
    assert.equal(await finds('ヒラガナ', 'ひら'), true);
  });
});

const names = [
  ['Łódź', 'lodz'],
  ['مُحَمَّد', 'محمد'],
  ['ヒラガナ', 'ひらがな'],
] as const;

describe('every other index', () => {
  let ada: Person;
  before(async () => {
    ada = await makeUser(server);
  });

  for (const [name, question] of names)
    test(`finds ${name} by ${question}`, async () => {
      const unique = freshUid('folded');
      const app = await makeApp(server, { uid: `${name}-${unique}`, access: 'write' });
      assert.deepEqual(await idsOf(server, `/api/apps?q=${q(`${question} ${unique}`)}`), [app.id]);
      const described = await makeApp(server, { name: freshUid('described'), description: name });
      assert.deepEqual(await idsOf(server, `/api/apps?q=${q(`${described.name} ${question}`)}`), [
        described.id,
      ]);
      const byUid = await makeUser(server, {}, `${name}-${unique}`);
      const byName = await makeUser(server, { name: `${name} ${unique}` });
      for (const by of [server, server.as(ada.token)])
        for (const path of ['/api/users', '/api/users/autocomplete'])
          assert.deepEqual(
            (await idsOf(by, `${path}?q=${q(`${question} ${unique}`)}`)).sort((a, b) => a - b),
            [byUid.id, byName.id],
            path,
          );
      // A uid is found like any word, and stays a name of its own.
      const twin = await makeUser(server, {}, `${question}-${unique}`);
      assert.notEqual(twin.id, byUid.id);
      const files = await makeApp(server, { type: 'files' });
      const file = await makeFile(server, files.id);
      await server.call('PATCH', `/api/files/${file}`, { name: `${name}.txt` });
      assert.deepEqual(await idsOf(server, `/api/apps/${files.id}/files?q=${q(question)}`), [file]);
      assert.deepEqual((await idsOf(server, `/api/files?q=${q(question)}`)).includes(file), true);
      const made = await server.call('POST', '/api/directories', { name: `${name}-${unique}` });
      assert.equal(made.status, 201, made.text);
      assert.deepEqual(await idsOf(server, `/api/directories?q=${q(`${question} ${unique}`)}`), [
        made.body.id,
      ]);
    });

  test('leaves tags as they are: a tag is a name and no text', async () => {
    const { id: app } = await makeApp(server);
    const { id } = await makeComment(server, app, { text: 'x', tags: ['Łódź'] });
    assert.deepEqual(await idsOf(server, `/api/apps/${app}/comments?tag=${q('Łódź')}`), [id]);
    assert.deepEqual(await idsOf(server, `/api/apps/${app}/comments?tag=lodz`), []);
  });

  test('and the words of rules, in texts and tags', async () => {
    const { version } = await server.read('/api/moderation/rules');
    const words = ['lodz', 'محمد', 'ひらがな', 'get rich'];
    const rules = [{ name: 'words', action: 'refuse', words }];
    assert.equal((await server.call('PUT', '/api/moderation/rules', { version, rules })).status, 200);
    const { id } = await makeApp(server, { access: 'write' });
    const { token } = await makeUser(server);
    const statusOf = async (body: object) =>
      (await server.call('POST', `/api/apps/${id}/comments`, body, { as: token })).status;
    for (const text of ['In Łódź!', 'مُحَمَّد', 'ヒラガナ', 'GÉT\u00A0r\u00ADich'])
      assert.equal(await statusOf({ text }), 403, text);
    assert.equal(await statusOf({ text: 'x', tags: ['Łódź'] }), 403);
    assert.equal(await statusOf({ text: 'Łodzie' }), 201);
    await server.call('PUT', '/api/moderation/rules', { version: version + 1, rules: [] });
  });
});
