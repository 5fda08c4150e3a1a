import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeApp, makeComment, usePeople } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { signInGuest } from 'confab-testing/visitors.ts';

const server = useServer({ CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' });
const [ada] = usePeople(server, 'Ada');

/** The methods that the list of an app says it takes. */
async function allowOf(app: number, token: string | null): Promise<string | null> {
  const { status, headers, text } = await server.call('GET', `/api/apps/${app}/comments`, undefined, {
    as: token,
  });
  assert.equal(status, 200, text);
  return headers.get('allow');
}

const readable = 'GET, HEAD';
const writable = 'GET, HEAD, POST';

// A page knows before anybody types whether a comment would be taken, and shows a text as it would be shown.
describe('what a page that writes asks for', () => {
  it('says in a list whether it takes comments of the caller', async () => {
    const guest = await signInGuest(server);
    const callers = [null, guest.access_token, ada.token];
    for (const [fields, expected] of [
      [{ access: 'write', visitors: 'write' }, [writable, writable, writable]],
      [{ access: 'write', visitors: 'read' }, [readable, readable, writable]],
      [{ access: 'read', visitors: 'write' }, [readable, readable, readable]],
    ] as const) {
      const { id } = await makeApp(server, fields);
      const said = await Promise.all(callers.map((token) => allowOf(id, token)));
      assert.deepEqual(said, expected, JSON.stringify(fields));
    }
  });

  it('says so anew once the app is locked', async () => {
    const { id } = await makeApp(server, { access: 'write', visitors: 'write' });
    assert.equal(await allowOf(id, null), writable);
    assert.equal((await server.call('POST', `/api/apps/${id}/lock`, {})).status, 200);
    assert.equal(await allowOf(id, null), readable);
    assert.equal(await allowOf(id, ada.token), readable);
  });

  it('tells visitors which reaction is theirs', async () => {
    const { id: app } = await makeApp(server, { access: 'write', visitors: 'write' });
    const { id } = await makeComment(ada, app);
    const [one, other] = [await signInGuest(server), await signInGuest(server)];
    const path = `/api/comments/${id}`;
    const by = server.as(one.access_token);
    assert.equal((await by.call('POST', `${path}/reactions`, { content: '👍' })).status, 204);
    assert.deepEqual((await by.read(path)).reactions, [{ content: '👍', count: 1, is_own: true }]);
    for (const token of [null, other.access_token])
      assert.deepEqual((await server.as(token).read(path)).reactions, [{ content: '👍', count: 1 }]);
  });

  it('renders a text as a comment would be shown, and keeps nothing', async () => {
    const { id: app } = await makeApp(server, { access: 'write' });
    const text = '**One** <b>two</b>\n\n- three\n\n<script>alert(1)</script>';
    for (const each of [text, '强调**标点。**后']) {
      const { body, status } = await ada.call('POST', '/api/markdown', { text: each });
      assert.equal(status, 200);
      const { html, plain } = await makeComment(ada, app, { text: each });
      assert.deepEqual(body, { html, plain });
    }
    // Words are those of the text that is shown: asterisks part none.
    assert.equal(
      (await ada.read(`/api/apps/${app}/comments?q=${encodeURIComponent('"强调标点"')}`)).count,
      1,
    );
    assert.deepEqual((await ada.call('POST', '/api/markdown', { text: '' })).body, { html: '', plain: '' });
  });

  it('renders nothing for people without a credential, and no text that a comment could not have', async () => {
    assertProblem(
      await server.call('POST', '/api/markdown', { text: 'x' }, { as: null }),
      401,
      'unauthorized',
    );
    const long = { text: 'x'.repeat(65_537) };
    assertProblem(await ada.call('POST', '/api/markdown', long), 422, 'validation_failed');
    assertProblem(await ada.call('POST', '/api/markdown', { text: 5 }), 400, 'wrong_type');
  });
});
