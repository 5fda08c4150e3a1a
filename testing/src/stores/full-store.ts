import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { operationList } from 'confab-contract/index.ts';
import { createSessions } from 'confab-server/src/features/credentials/sessions.ts';
import { systemClock } from 'confab-server/src/kernel/clock.ts';
import { rootUrl } from 'confab-tools/places.ts';
import { runCommand } from '../command.ts';
import { makeApp, makeComment, makeDirectory, makeUser } from '../fixtures.ts';
import { startReceiver } from '../network/receiver.ts';
import { settledLog } from '../notifications.ts';
import { png } from '../pictures.ts';
import type { TestServer } from '../server.ts';
import { upload } from '../uploads.ts';
import { register, settled } from '../webhooks.ts';

const exportFile = fileURLToPath(new URL('importers/fixtures/wordpress.xml', rootUrl));

/** Serves one page with a few declarations about itself. */
async function startSite(): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<title>Gardening</title><meta name="description" content="Peas and beans">');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Creates some of everything that a store can contain, through the API, and waits until the log is processed and the
 * deliveries are sent. Returns the tokens of users who see different content.
 */
export async function fillStore(server: TestServer): Promise<readonly string[]> {
  const [site, receiver] = [await startSite(), await startReceiver()];
  const send = async (method: string, path: string, body?: unknown, as?: string) => {
    const answer = await server.call(method, path, body, as === undefined ? {} : { as });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const webhook = await register(server, {
    payload_url: `${receiver.url}/all`,
    triggers: ['comments', 'posts', 'messages', 'members'],
    secret: 'a secret',
  });
  await makeDirectory(server, 'Gärtner-Söhne');
  const fields = { directory: 'Gärtner-Söhne', tags: ['green', 'été'], metadata: { shoe: '42' } };
  const picture = await upload(server, { bytes: png(30, 20), name: 'me.png' });
  const ada = await makeUser(server, { name: 'Ada', ...fields, picture: picture.id }, 'ada');
  const bob = await makeUser(server, { name: 'Bob ΟΔΥΣΣΕΥΣ', directory: 'Gärtner-Söhne' }, 'bob');
  const eve = await makeUser(server, { name: 'Eve' }, 'eve');

  await send('PATCH', '/api/user/mail', { mail: 'direct' }, ada.token);

  const open = { access: 'write', tags: ['garden'], metadata: { row: 'one' } };
  const plans = await makeApp(server, { ...open, name: 'Plans 東京計画', description: 'What to do' });
  const rule = { name: 'peas', action: 'report', words: ['peas'] };
  const rate = { name: 'rate', action: 'report', rate: { count: 100, seconds: 60 } };
  await send('PUT', '/api/moderation/rules', { version: 0, rules: [rule, rate] });
  await makeComment(server, plans.id, { text: 'About peas, by Eve' }, { as: eve.token });
  const secret = await makeApp(server, { access: 'none', name: 'Secret' });
  await send('PUT', `/api/apps/${secret.id}/members/ada`, { access: 'write' });
  await send('PUT', `/api/apps/${secret.id}/members/bob`, { access: 'read' });
  await send('POST', `/api/apps/${plans.id}/subscribe`, undefined, bob.token);
  await send('POST', `/api/apps/${plans.id}/stars`, undefined, ada.token);
  await send('POST', '/api/users/bob/follow', undefined, ada.token);

  const embed = await send('POST', '/api/embeds', { url: site.url }, ada.token);
  const meeting = await send('POST', '/api/meetings', { provider: 'jitsi' }, ada.token);
  const blobs = [
    await upload(server, {}, { as: ada.token }),
    await upload(server, { bytes: png(9, 9) }, { as: ada.token }),
  ];
  const comment = await makeComment(
    server,
    plans.id,
    {
      text: `**Peas** for [Bob](@u${bob.id}), ὁδός ὈΔΟΣ οδος 日本語のテスト 😀 \\ "quoted" {curly}, NULL`,
      blobs: blobs.map(({ id }) => id),
      options: [{ text: 'yes' }, { text: 'no' }],
      tags: ['ripe'],
      metadata: { 'a\\b': '{"x": "\\n"}' },
      embed_id: embed.id,
      meeting_id: meeting.id,
    },
    { as: ada.token },
  );
  await send('PATCH', `/api/comments/${comment.id}`, { tags: ['ripe', 'late'] }, ada.token);
  await send('POST', `/api/options/${comment.options?.[0]?.id}/vote`, undefined, bob.token);
  await send('POST', `/api/comments/${comment.id}/reactions`, { content: '👍' }, bob.token);
  await send(
    'POST',
    `/api/comments/${comment.id}/reports`,
    { reason: 'off_topic', text: 'Beans' },
    bob.token,
  );
  await makeComment(
    server,
    plans.id,
    { text: 'an answer', metadata: { parent_id: comment.id } },
    { as: bob.token },
  );
  const trashed = await makeComment(server, secret.id, { text: 'gone' });
  await send('POST', `/api/comments/${trashed.id}/trash`);
  const deleted = await makeComment(server, secret.id, { text: 'deleted' });
  await send('DELETE', `/api/comments/${deleted.id}`);

  const posts = await makeApp(server, { type: 'posts', access: 'write', name: 'News' });
  const post = await send('POST', `/api/apps/${posts.id}/posts`, { text: 'Read *this*' }, ada.token);
  await send('POST', `/api/posts/${post.id}/comments`, { text: 'I did' }, bob.token);
  const files = await makeApp(server, { type: 'files', access: 'write', name: 'Shelf' });
  const path = `/api/apps/${files.id}/files`;
  let file = { id: 0 };
  for (const bytes of ['one', 'two', 'three']) {
    const { id: blob_id } = await upload(server, { bytes, name: 'plan.txt' });
    file = await send('POST', path, { blob_id, replace: true, tags: ['paper'] });
  }
  await send('POST', `/api/files/${file.id}/comments`, { text: 'which version?' }, ada.token);
  await send('POST', '/api/blobs/external', {
    name: 'Far.txt',
    media_type: 'text/plain',
    link: 'https://drive.example.com/far',
    provider: 'Drive',
  });

  const chat = await send('POST', '/api/conversations', { members: [bob.id] }, ada.token);
  await send('POST', `/api/apps/${chat.id}/messages`, { text: 'hello Bob' }, ada.token);
  await send('PUT', `/api/conversations/${chat.id}/mark`, undefined, bob.token);
  await send('PUT', `/api/conversations/${chat.id}/pin`, undefined, bob.token);
  await send('POST', `/api/apps/${chat.id}/messages`, { text: 'hello Ada' }, bob.token);
  await createSessions({ db: server.running.db, clock: systemClock }).link();
  const imported = await runCommand(['import', 'wordpress', exportFile, '--data-dir', server.folder]);
  assert.equal(imported.code, 0, imported.stderr);

  await settledLog(server);
  await settled(server, webhook.id, 'delivered');
  await receiver.close();
  site.close();
  return [ada.token, bob.token, eve.token];
}

/** What a server says of itself: its state, its settings, and its keys, of which each start in a test adds one. */
const ofServer: readonly string[] = [
  '/api/status',
  '/api/settings',
  '/api/keys',
  '/api/backups',
  '/api/doctor',
];

/** Every operation that lists or shows something of the store, each with some ids and names. */
export function readingPaths(): string[] {
  const values = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'ada', 'eve'];
  const reading = operationList.filter(
    ({ method, path, media }) =>
      method === 'GET' && media === undefined && path.startsWith('/api/') && !ofServer.includes(path),
  );
  return reading.flatMap(({ path }) => {
    const [first, second] = [...path.matchAll(/\{\w+\}/g)].map(([text]) => text);
    if (first === undefined) return ['', '?top=3&order_by=id+desc', '?q=o'].map((query) => path + query);
    const filled = values.map((value) => path.replace(first, value));
    return second === undefined
      ? filled
      : filled.flatMap((each) => ['1', '2'].map((value) => each.replace(second, value)));
  });
}

/** Searches that depend on the word index. */
export const searches: readonly string[] = [
  'peas',
  'PEA',
  '"for bob"',
  'οδοσ',
  'ΟΔΌΣ',
  '日本',
  '"日本語"',
  'テスト',
  '京計',
  'gart',
  'söhne',
  'odysseus',
  'ΟΔΥΣΣΕΥΣ',
  'this',
  'plan',
].flatMap((q) =>
  ['comments', 'apps', 'users', 'files', 'posts', 'messages', 'directories'].map(
    (list) => `/api/${list}?q=${encodeURIComponent(q)}`,
  ),
);
