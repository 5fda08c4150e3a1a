import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, startTestServer, type TestServer } from 'confab-testing/server.ts';
import { root } from 'confab-tools/places.ts';

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const forms: URLSearchParams[] = [];
// It speaks as Akismet does: `true` for spam, with a tip for the worst, `false` for ham.
const akismet = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  forms.push(form);
  const content = form.get('comment_content') ?? '';
  if (content.includes('blatant')) response.setHeader('x-akismet-pro-tip', 'discard');
  response.end(content.includes('broken') ? 'invalid' : String(content.includes('spam')));
});

let server: TestServer;
let stop = () => {};
let path = '';
let writer = '';
before(async () => {
  await new Promise<void>((listening) => {
    akismet.listen(0, '127.0.0.1', listening);
  });
  const port = await freePort();
  const code = readGuide('keeping-a-community.md').codeBelow('### With Akismet (run)', 'js');
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    // The package may import itself by its name.
    cwd: join(root, 'clients/js'),
    env: {
      PATH: process.env['PATH'],
      PORT: `${port}`,
      HOOK_SECRET: secret,
      AKISMET_KEY: 'the-key',
      SITE: 'https://example.com',
      AKISMET_URL: `http://127.0.0.1:${(akismet.address() as AddressInfo).port}/1.1/comment-check`,
    },
    stdio: 'ignore',
  });
  stop = () => void child.kill();
  const url = `http://127.0.0.1:${port}/`;
  const unsigned = await poll('the receiver to answer', () =>
    fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined),
  );
  assert.equal(unsigned.status, 500);
  server = await startTestServer({ CONFAB_MODERATION_HOOK_URL: url, CONFAB_MODERATION_HOOK_SECRET: secret });
  path = `/api/apps/${(await makeApp(server, { access: 'write' })).id}/comments`;
  writer = (await makeUser(server, { name: 'Ada Lovelace', email: 'ada@example.com' })).token;
});
after(async () => {
  stop();
  akismet.closeAllConnections();
  akismet.close();
  await server.close();
});

// Readers copy the receiver of the guide, so it is run unchanged.
describe('the receiver of the guide for Akismet', () => {
  const send = async (text: string) => await server.as(writer).call('POST', path, { text });

  test('takes ham, holds spam, refuses the worst, and leaves the rest to the fallback', async () => {
    const taken = await send('a fine **day**');
    assert.deepEqual([taken.status, taken.body.is_held], [201, undefined]);
    assert.equal((await send('some spam')).body.is_held, true);
    assertProblem(await send('blatant spam'), 403, 'text_refused');
    assert.equal((await send('broken')).body.is_held, true);
  });

  test('asks as Akismet documents it', async () => {
    const { id } = (await send('first')).body;
    await server.as(writer).call('PATCH', `/api/comments/${id}`, { text: 'edited' });
    const [first, edit] = forms.slice(-2).map((form) => Object.fromEntries(form));
    const expected = {
      api_key: 'the-key',
      blog: 'https://example.com',
      user_ip: '127.0.0.1',
      user_agent: '',
      comment_type: 'comment',
      comment_author: 'Ada Lovelace',
      comment_author_email: 'ada@example.com',
    };
    assert.deepEqual(first, { ...expected, comment_content: 'first' });
    assert.deepEqual(edit, { ...expected, comment_content: 'edited', recheck_reason: 'edit' });
  });
});
