import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { talk } from 'confab-testing/conversations.ts';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import {
  makeApp,
  makeBlob,
  makeComment,
  makeDirectory,
  makeFile,
  makeUser,
  type Person,
} from 'confab-testing/fixtures.ts';
import { reached, tryImport } from 'confab-testing/imports.ts';
import { notificationFaults, notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { storeSettings } from 'confab-testing/stores/databases.ts';
import { examineServer } from '../../../src/commands/doctor/examine.ts';
import { configFrom } from '../../../src/config/config.ts';
import { emptyTrash } from '../../../src/features/entries/trash-retention.ts';
import { createEventRetention } from '../../../src/features/events/retention.ts';
import { emptyFileTrash } from '../../../src/features/files/trash-retention.ts';
import { redactDeleted } from '../../../src/features/redactions/redactions.ts';

const dayMs = 86_400_000;
const clock = movableClock();
const server = useServer({}, { clock });

async function act(method: string, path: string, person?: Person, body?: unknown): Promise<void> {
  const answer = await server.call(method, path, body, person === undefined ? {} : { as: person.token });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
}

/** A comment of a user below something, with an attachment that the other user comments on. */
async function comment(path: string, author: Person, other: Person, answered?: number): Promise<number> {
  const as = author.token;
  const blobs = [await makeBlob(server.as(as))];
  const options = [{ text: 'yes' }, { text: 'no' }];
  const text = `for [you](@u${other.id})`;
  const body = {
    text,
    blobs,
    options,
    tags: ['made'],
    ...(answered === undefined ? {} : { reply_to: answered }),
  };
  const made = await server.as(as).create(`${path}/comments`, body);
  await other.create(`/api/files/${made.attachments[0]?.id}/comments`, { text: 'nice' });
  await act('POST', `/api/comments/${made.id}/reactions`, other, { content: '👍' });
  await act('POST', `/api/options/${made.options[0]?.id}/vote`, other);
  return made.id;
}

/** Two users in a directory with content of every kind, of which each is notified. */
async function makeWorld() {
  const directory = await makeDirectory(server, freshUid('directory'));
  const ann = await makeUser(server, { directory });
  const ben = await makeUser(server, { directory });
  const app = async (type: string) => {
    const made = await makeApp(server, { type, access: 'write', name: `About ${type}` });
    for (const person of [ann, ben]) {
      await act('PUT', `/api/apps/${made.id}/members/${person.uid}`);
      await act('POST', `/api/apps/${made.id}/subscribe`, person);
      await act('POST', `/api/apps/${made.id}/stars`, person);
    }
    return made.id;
  };
  const apps = { comments: await app('comments'), posts: await app('posts'), files: await app('files') };
  const commentId = await comment(`/api/apps/${apps.comments}`, ann, ben);
  const answer = await comment(`/api/apps/${apps.comments}`, ben, ann, commentId);
  for (const [author, other] of [[ann, ben] as const, [ben, ann] as const])
    await comment(`/api/apps/${apps.comments}`, author, other, answer);
  const post = await ann.create(`/api/apps/${apps.posts}/posts`, { text: 'a post' });
  const onPost = await comment(`/api/posts/${post.id}`, ann, ben);
  await comment(`/api/posts/${post.id}`, ben, ann, onPost);
  const file = await makeFile(ann, apps.files);
  await comment(`/api/files/${file}`, ben, ann);
  const blob_id = await makeBlob(ben);
  await act('PATCH', `/api/files/${file}`, ann, { name: 'renamed.txt' });
  await act('PATCH', `/api/files/${file}`, undefined, { blob_id });
  const chat = await talk.start(ann, { members: [ben.uid, (await makeUser(server)).uid] });
  const message = await talk.write(ann, chat, 'a message');
  await talk.write(ben, chat, 'an answer');
  await settledLog(server);
  for (const person of [ann, ben]) {
    const notices = await notificationsOf(server, person.token);
    assert.ok(notices.length > 5, `${notices.length} notifications`);
    await act('PUT', `/api/notifications/${notices[1]?.id}/mark`, person);
  }
  return { directory, ann, ben, apps, commentId, post: post.id, file, chat: chat.id, message: message.id };
}

/** What the doctor finds, except what the PostgreSQL of the tests is deliberately set to. */
async function examined(): Promise<string[]> {
  const config = configFrom({
    CONFAB_DATA_DIR: server.folder,
    CONFAB_LOG_LEVEL: 'silent',
    CONFAB_PORT: '0',
    ...(await storeSettings(server.folder)),
  });
  const { findings } = await examineServer({ config, warnings: [], respell: (text) => text }, { clock });
  // Both are of the tests: a PostgreSQL that syncs nothing, and a clock that was moved away from its.
  const isOfTests = ({ check }: { readonly check: string }) =>
    check === 'durability' || check === 'clock-of-database';
  return findings.filter((finding) => !isOfTests(finding)).map(({ check, what }) => `${check}: ${what}`);
}

/** Waits until the doctor finds nothing, at most a minute. */
async function assertHealthy(): Promise<void> {
  await settledLog(server);
  let last: string[] = [];
  const isHealthy = async () => {
    last = await examined();
    return last.length === 0 ? true : undefined;
  };
  await poll('the doctor to find nothing', isHealthy, 20_000).catch(() => undefined);
  assert.deepEqual(last, []);
  const miscounted = notificationFaults(server).filter((fault) => fault.startsWith('user'));
  assert.deepEqual(miscounted, []);
}

/** The notifications of a user that say nothing, because what they are about is gone. */
async function emptyNotices({ uid }: Person): Promise<number> {
  // The clock may have moved past the end of the first token.
  const { body } = await server.call('POST', `/api/users/${uid}/tokens`);
  return (await notificationsOf(server, body.access_token)).filter(({ link }) => link === undefined).length;
}

// Whatever is removed takes along its counts, its notifications and all else that refers to it.
describe('the doctor finds nothing', () => {
  const removals: {
    readonly [what: string]: (world: Awaited<ReturnType<typeof makeWorld>>) => Promise<void>;
  } = {
    'a comment was deleted': async ({ commentId }) => act('DELETE', `/api/comments/${commentId}`),
    'a post with comments was deleted': async ({ post }) => act('DELETE', `/api/posts/${post}`),
    'a file with comments and versions was deleted': async ({ file }) => act('DELETE', `/api/files/${file}`),
    'a message was deleted': async ({ message }) => act('DELETE', `/api/messages/${message}`),
    'a conversation was deleted': async ({ chat }) => act('DELETE', `/api/apps/${chat}`),
    'an app of comments was deleted': async ({ apps }) => act('DELETE', `/api/apps/${apps.comments}`),
    'an app of posts was deleted': async ({ apps }) => act('DELETE', `/api/apps/${apps.posts}`),
    'an app of files was deleted': async ({ apps }) => act('DELETE', `/api/apps/${apps.files}`),
    'an app was deleted from the trash': async ({ apps }) => {
      await act('POST', `/api/apps/${apps.posts}/trash`);
      await act('DELETE', `/api/apps/${apps.posts}`);
    },
    'attachments were removed by an edit': async ({ commentId, ann }) =>
      act('PATCH', `/api/comments/${commentId}`, ann, { attachments: [] }),
    'a reaction and a vote were withdrawn': async ({ commentId, ben }) => {
      await act('DELETE', `/api/comments/${commentId}/reactions`, ben);
      const body = await server.read(`/api/comments/${commentId}`);
      await act('POST', `/api/options/${body.options[0]?.id}/vote`, ben);
    },
    'a member was removed': async ({ apps, ben }) =>
      act('DELETE', `/api/apps/${apps.comments}/members/${ben.uid}`),
    'a user was put in the trash': async ({ ben }) => act('POST', `/api/users/${ben.uid}/trash`),
    'a directory was deleted': async ({ directory }) => act('DELETE', `/api/directories/${directory}`),
    'all was put in the trash and most of it restored': async ({ apps, post, file, commentId, message }) => {
      for (const path of [`posts/${post}`, `apps/${apps.posts}`, `comments/${commentId}`, `files/${file}`])
        await act('POST', `/api/${path}/trash`);
      await act('POST', `/api/messages/${message}/trash`);
      for (const path of [`apps/${apps.posts}`, `comments/${commentId}`, `files/${file}`])
        await act('POST', `/api/${path}/restore`);
    },
    'all was held and most of it approved': async ({ post, file, commentId, message }) => {
      for (const path of [`comments/${commentId}`, `files/${file}`, `posts/${post}`, `messages/${message}`])
        await act('POST', `/api/${path}/hold`);
      for (const path of [`comments/${commentId}`, `files/${file}`, `posts/${post}`])
        await act('POST', `/api/${path}/approve`);
    },
    'the trash was emptied for its age': async ({ post, file, commentId, message }) => {
      for (const path of [`posts/${post}`, `comments/${commentId}`, `files/${file}`, `messages/${message}`])
        await act('POST', `/api/${path}/trash`);
      clock.move(2 * dayMs);
      const { db } = server.running;
      while (await emptyTrash({ db, clock, days: 1 }));
      while (await emptyFileTrash({ db, clock, days: 1 }));
    },
    'events left the log for their age': async ({ commentId }) => {
      await act('DELETE', `/api/comments/${commentId}`);
      clock.move(2 * dayMs);
      await makeApp(server);
      const retention = createEventRetention({ db: server.running.db, clock, days: 1 });
      while (await retention.sweep());
    },
    'texts left the log': async ({ post }) => {
      await act('DELETE', `/api/posts/${post}`);
      clock.move(2 * 60_000);
      while (await redactDeleted({ db: server.running.db, clock }));
    },
    'an import was taken back': async () => {
      const id = await tryImport(server, disqusExport(9, { page: `${freshUid('site')}.example/page` }));
      await reached(server, id, 'ready');
      await act('POST', `/api/imports/${id}/run`);
      await reached(server, id, 'finished');
      await act('POST', `/api/imports/${id}/undo`);
      await reached(server, id, 'undone');
    },
  };

  for (const [what, remove] of Object.entries(removals))
    test(`when ${what}`, async () => {
      const world = await makeWorld();
      await remove(world);
      await assertHealthy();
      const isAccessLost = what === 'a member was removed' || what === 'a user was put in the trash';
      if (!isAccessLost) assert.equal(await emptyNotices(world.ben), 0);
    });

  for (const content of ['remove', 'keep'] as const)
    test(`when a user was erased with content=${content}`, async () => {
      const { ben, ann, commentId, apps } = await makeWorld();
      await makeComment(ben, apps.comments, { text: 'late' });
      await act('POST', `/api/comments/${commentId}/trash`);
      const { body } = await server.call('DELETE', `/api/users/${ann.uid}?content=${content}`);
      await poll('the erasure', async () => {
        const now = await server.read(`/api/erasures/${body.id}`);
        return now.state === 'finished' ? true : undefined;
      });
      await assertHealthy();
      assert.equal(await emptyNotices(ben), 0);
    });
});
