import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { before, useServer } from 'confab-testing/server.ts';

/** The path of an object in the trash, by what it is. */
const trashed: Record<string, string> = {};

const server = useServer();
before(async () => {
  const ada = await makeUser(server);
  const as = { as: ada.token };
  const place = async (type: string) => (await makeApp(server, { type }, as)).id;
  const conversation = await server.call(
    'POST',
    '/api/conversations',
    { type: 'chat_room', name: 'Room' },
    as,
  );
  assert.equal(conversation.status, 201, conversation.text);
  const message = await server.call('POST', `/api/apps/${await place('chat')}/messages`, { text: 'hi' }, as);
  assert.equal(message.status, 201, message.text);
  trashed['an app'] = `/api/apps/${await place('comments')}`;
  trashed['a conversation'] = `/api/conversations/${conversation.body.id}`;
  trashed['a comment'] =
    `/api/comments/${(await makeComment(server, await place('comments'), { text: 'x' }, as)).id}`;
  trashed['a post'] = `/api/posts/${await makePost(server, await place('posts'), as)}`;
  trashed['a message'] = `/api/messages/${message.body.id}`;
  trashed['a file'] = `/api/files/${await makeFile(server, await place('files'), as)}`;
  trashed['a user'] = `/api/users/${(await makeUser(server)).id}`;
  for (const path of Object.values(trashed)) {
    const isRoom = path.startsWith('/api/conversations/');
    const target = isRoom ? `/api/apps/${conversation.body.id}` : path;
    assert.equal((await server.call('POST', `${target}/trash`)).status, 200, path);
  }
  caller = ada.token;
});
let caller: string;

// `trashed=null` asks a list for both; of a single object only `true` shows what is in the trash.
describe('an object in the trash', () => {
  for (const what of [
    'an app',
    'a conversation',
    'a comment',
    'a post',
    'a message',
    'a file',
    'a user',
  ] as const)
    for (const [query, status] of [
      ['', 404],
      ['?trashed=false', 404],
      ['?trashed=null', 404],
      ['?trashed=NULL', 404],
      ['?trashed=', 404],
      ['?trashed=true', 200],
    ] as const)
      test(`${what} is ${status} with ${query === '' ? 'no query' : query}`, async () => {
        const as = what === 'a conversation' ? caller : server.key;
        const answer = await server.as(as).call('GET', `${trashed[what]}${query}`);
        assert.equal(answer.status, status);
        if (status === 200) assert.equal(answer.body.is_trashed, true);
      });
});
