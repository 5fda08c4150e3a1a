import assert from 'node:assert/strict';
import { talk } from './conversations.ts';
import { addMembers, makeApp, makeUser, type Person } from './fixtures.ts';
import type { TestServer } from './server.ts';
import { upload } from './uploads.ts';

/** A server with some of everything that `confab import weavy` takes over, to be read as if it were Weavy's. */
export type WeavyWorld = {
  readonly ada: Person;
  readonly bo: Person;
  readonly cy: Person;
  readonly messages: number;
};

/** The picture that is attached to a message. */
export const attached = 'the bytes of the plan';

/** Fills a server. */
export async function fillWeavy(server: TestServer): Promise<WeavyWorld> {
  const ada = await makeUser(server, { name: 'Ada', email: 'ada@garden.example', directory: 'acme' }, 'ada');
  const bo = await makeUser(server, { name: 'Bo', metadata: { team: 'beds' }, tags: ['crew'] }, 'bo');
  const cy = await makeUser(server, { name: 'Cy' }, 'cy');
  await makeUser(server, { name: 'Dee' }, 'dee');
  await server.call('PATCH', '/api/users/dee', { is_suspended: true });
  await fillFeed(server, { ada, bo });
  await fillFiles(server, bo);
  const messages = await fillChats(server, { ada, bo, cy });
  await fillPage(server, { ada, bo });
  await makeApp(server, { uid: 'old-feed', type: 'posts' });
  await server.create('/api/apps/old-feed/posts', { text: 'in the trash' });
  await server.call('POST', '/api/apps/old-feed/trash');
  return { ada, bo, cy, messages };
}

/** A feed with a poll, a vote, reactions, comments and an embedded answer. */
async function fillFeed(server: TestServer, { ada, bo }: { ada: Person; bo: Person }): Promise<void> {
  const fields = {
    uid: 'feed',
    type: 'posts',
    access: 'read',
    name: 'News',
    metadata: { place: 1 },
    tags: ['a'],
  };
  await makeApp(server, { ...fields, members: { write: [bo], manager: [ada] } });
  const post = await ada.create('/api/apps/feed/posts', {
    text: `Which bed first, [Bo](@u${bo.id})?`,
    options: [{ text: 'Peas' }, { text: 'Beans' }],
    metadata: { season: 'spring' },
    tags: ['beds'],
  });
  const options = post.options ?? [];
  assert.equal(
    (await bo.call('POST', `/api/options/${options[1]?.id}/vote` as '/api/options/1/vote')).status,
    200,
  );
  await bo.call('POST', `/api/posts/${post.id}/reactions`, { content: '👍' });
  await ada.call('POST', `/api/posts/${post.id}/reactions`, { content: '🎉' });
  await bo.create(`/api/posts/${post.id}/comments` as '/api/posts/1/comments', { text: 'Beans, **always**' });
  const gone = await bo.create('/api/apps/feed/posts', { text: 'A post in the trash' });
  await bo.create(`/api/posts/${gone.id}/comments` as '/api/posts/1/comments', { text: 'on it' });
  await bo.call('POST', `/api/posts/${gone.id}/trash`);
}

/** A files app with a file in two versions and a comment on it. */
async function fillFiles(server: TestServer, bo: Person): Promise<void> {
  await makeApp(server, { uid: 'plans', type: 'files', members: { write: [bo] } });
  const blob = await upload(bo, { bytes: 'first', name: 'plan.txt' });
  const file = await bo.create('/api/apps/plans/files', { blob_id: blob.id, tags: ['draft'] });
  const second = await upload(bo, { bytes: 'second', name: 'plan.txt' });
  await bo.call('POST', '/api/apps/plans/files', { blob_id: second.id, replace: true });
  await bo.create(`/api/files/${file.id}/comments` as '/api/files/1/comments', { text: 'Mind the slope' });
}

/** A room with more messages than a page, a private chat, and a contextual chat; returns how many messages there are. */
async function fillChats(
  server: TestServer,
  { ada, bo, cy }: Pick<WeavyWorld, 'ada' | 'bo' | 'cy'>,
): Promise<number> {
  const room = await talk.start(server.as(ada.token), { name: 'Harvest', members: [bo.id] });
  const count = 103;
  for (let number = 1; number <= count; number += 1)
    await talk.write(number % 2 === 0 ? bo : ada, room, `message ${number}`);
  await cy.call('GET', '/api/user');
  await addMembers(server, room.id, { write: [cy] });
  const blob = await upload(ada, { bytes: attached, name: 'bed.txt' });
  const last = await ada.create(`/api/apps/${room.id}/messages` as '/api/apps/1/messages', {
    blobs: [blob.id],
  });
  await bo.call('PUT', `/api/conversations/${room.id}/mark`);
  const pair = await talk.start(ada, { members: [bo.id] });
  await talk.write(bo, pair, 'Just us');
  await bo.call('POST', `/api/messages/${last.id}/reactions`, { content: '❤️' });
  await makeApp(server, { uid: 'side', type: 'chat', access: 'write' });
  await ada.create('/api/apps/side/messages', { text: 'beside the page' });
  return count + 3;
}

/** A page with a thread. */
async function fillPage(server: TestServer, { ada, bo }: { ada: Person; bo: Person }): Promise<void> {
  await makeApp(server, { uid: 'page', type: 'comments', access: 'write' });
  const first = await ada.create('/api/apps/page/comments', { text: 'first' });
  await bo.create('/api/apps/page/comments', { text: 'answer', reply_to: first.id });
}
