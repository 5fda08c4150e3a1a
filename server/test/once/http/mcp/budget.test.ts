import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { connectProgram } from 'confab-testing/mcp.ts';
import { freshUid, type TestServer, useServer } from 'confab-testing/server.ts';

/**
 * Evaluations that need no model: scripted sessions, and what a model would be shown in them. The budgets are what a model
 * has to read before and during its work, so they may only go down.
 */
const budgets = {
  /** Every tool that an API key without limits may call, as JSON. */
  toolsOfKey: 42_000,
  toolsOfReader: 21_000,
  toolsOfUser: 45_500,
  /** A page of 25 comments, whatever their texts, names and reactions. */
  page: 6000,
  /** A page of 25 reports with their items. */
  reports: 10_000,
  /** A refusal. */
  refusal: 200,
} as const;

function within(t: TestContext, name: keyof typeof budgets, text: string): void {
  const bytes = Buffer.byteLength(text);
  t.diagnostic(`${name}: ${bytes} of ${budgets[name]} bytes`);
  assert.ok(bytes <= budgets[name], `${name} has ${bytes} bytes`);
}

/** A session that goes wrong where a person would see it, in the words that a model is shown. */
const script = [
  ['getComment', { id: 999_999_999 }, /^Refused with 404 not_found: /],
  ['getComment', {}, /^Refused: id must be a text or a number\.$/],
  ['getComment', { id: 'none' }, /^Refused with 404 not_found: /],
  ['getComment', { id: 1, colour: 'red' }, /^Refused: getComment has no argument colour\.$/],
  ['createAppComment', { app: 'budget', text: 7 }, /^Refused with 400 wrong_type: [^\n]+\n- \/text: must be/],
  ['createBan', {}, /^Refused with 422 validation_failed: /],
  [
    'listAppComments',
    { app: 'budget', top: 1000 },
    /^Refused with 400 invalid_query: [^\n]+\n- top: must be/,
  ],
  ['listAppComments', { app: 'budget', after: 'x' }, /^Refused with 400 invalid_query: /],
  ['resolveReport', { id: 999_999_999, action: 'keep' }, /^Refused with 404 not_found: /],
] as const;

async function fillPage(server: TestServer, textOf: (i: number) => string, name: string): Promise<string> {
  const uid = freshUid('full');
  await server.create('/api/apps', { uid, type: 'comments', access: 'write' });
  const as = await server.token(freshUid('long'), { name });
  const other = await server.token(freshUid('other'));
  for (let i = 0; i < 25; i += 1) {
    const { id } = await server.create(
      `/api/apps/${uid}/comments`,
      { text: textOf(i), tags: ['a tag'], options: [{ text: 'x'.repeat(500) }] },
      { as },
    );
    await server.call('PUT', `/api/comments/${id}/reactions`, { content: '👨‍👩‍👧‍👦' }, { as: other });
  }
  return uid;
}

describe('what a model is shown', () => {
  const server = useServer({ CONFAB_MCP: 'yes' });

  test('of the tools of each caller', async (t) => {
    const listOf = async (credential: string) =>
      JSON.stringify((await (await connectProgram(server, credential)).client.listTools()).tools);
    const ofKey = await listOf(server.key);
    assert.match(ofKey, /"listAppComments".*"deleteComment"/);
    within(t, 'toolsOfKey', ofKey);
    within(t, 'toolsOfReader', await listOf(await server.running.keys.create('r', { scopes: ['read'] })));
    within(t, 'toolsOfUser', await listOf(await server.token(freshUid())));
  });

  test('of a page of usual comments is all of it', async (t) => {
    const sentence = 'The second figure is from the spring and not from the autumn, as far as I can see.';
    const uid = await fillPage(server, (i) => `${i}: ${sentence}`, 'Ann Archer');
    const { text } = await (await connectProgram(server, server.key)).call('listAppComments', { app: uid });
    within(t, 'page', text);
    assert.equal(text.split(sentence).length - 1, 25);
    const json = (await server.call('GET', `/api/apps/${uid}/comments?expand=created_by`)).text;
    t.diagnostic(`the same page as JSON: ${Buffer.byteLength(json)} bytes`);
  });

  for (const [what, textOf, name] of [
    ['long texts', (i: number) => `${i} ${'long '.repeat(9000)}`, 'Ann Archer'],
    ['texts of many lines', (i: number) => `${i}${'\n\na'.repeat(10_000)}`, 'Ann Archer'],
    ['texts of four bytes a character', () => '𝔸'.repeat(10_000), '𝔸'.repeat(60)],
  ] as const)
    test(`of a page of ${what} names every comment`, async (t) => {
      const uid = await fillPage(server, textOf, name);
      const program = await connectProgram(server, server.key);
      const { text } = await program.call('listAppComments', { app: uid });
      within(t, 'page', text);
      const ids = [...text.matchAll(/^#(\d+) by /gm)].map(([, id]) => Number(id));
      assert.equal(ids.length, 25);
      assert.ok(text.includes('more characters)'));
      // The whole text is one call away.
      const whole = await program.call('getComment', { id: ids[0] });
      const { text: stored } = await server.read(`/api/comments/${ids[0]}`);
      assert.equal(whole.text.replaceAll(/^> /gm, '').includes(stored?.trim() ?? '-'), true);
    });

  test('of a page of reports', async (t) => {
    const uid = await fillPage(server, (i) => `${i} ${'buy this '.repeat(50)}`, 'Ann Archer');
    const { data } = await server.read(`/api/apps/${uid}/comments`);
    const bob = await server.token(freshUid('bob'));
    for (const { id } of data)
      await server.call(
        'POST',
        `/api/comments/${id}/reports`,
        { reason: 'spam', text: 'x'.repeat(900) },
        { as: bob },
      );
    const { text } = await (await connectProgram(server, server.key)).call('listReports', { state: 'open' });
    within(t, 'reports', text);
    assert.equal([...text.matchAll(/^- id: \d+, /gm)].length, 25);
  });

  test('of what goes wrong', async (t) => {
    await server.create('/api/apps', { uid: 'budget', type: 'comments' });
    const program = await connectProgram(server, server.key);
    for (const [name, given, expected] of script) {
      const { text, isError } = await program.call(name, given);
      assert.equal(isError, true, text);
      assert.match(text, expected);
      within(t, 'refusal', text);
    }
  });
});
