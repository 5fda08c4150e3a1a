import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { addMembers, makeApp, makeBlob, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { useServer } from 'confab-testing/server.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../src/db/db.ts';
import { command } from '../../../src/db/statement.ts';
import { deletedApp } from '../../../src/features/apps/app-purge.store.ts';
import { removeDeleted } from '../../../src/features/apps/app-purge.ts';
import { createBlobLinks } from '../../../src/features/blobs/blob-links.ts';
import { createErasing, isCounting } from '../../../src/features/erasures/erasing.ts';
import { redactDeleted } from '../../../src/features/redactions/redactions.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { openBlobFolder } from '../../../src/storage/folder.ts';

// Without its own loop of erasures.
const server = useServer({}, { isQuiet: true });

const markAppDeleted = command<{ id: number; uid: string }>()((q, value) =>
  q
    .updateTable('apps')
    .set({ uid: value('uid'), trashed_at: 1, deleted_at: 1 })
    .where('id', '=', value('id')),
);
const orphanEntriesOf = command<{ id: number }>()((q, value) =>
  q
    .updateTable('tallies')
    .set({ is_hidden: 1, removed_at: 1 })
    .where('app_id', '=', value('id'))
    .where(sql<boolean>`kind <> 'file'`),
);
const giveBlob = command<{ id: number; userId: number }>()((q, value) =>
  q
    .updateTable('blobs')
    .set({ created_by_id: value('userId') })
    .where('id', '=', value('id')),
);

/** Marks an app as deleted, without a wake of the server's own loop. */
async function markGone(tx: Tx, id: number): Promise<void> {
  await tx.run(markAppDeleted, { id, uid: `gone ${id}` });
  await tx.run(orphanEntriesOf, { id });
}

/** The counts of the receipt of a user, with `between` run before each step of the erasure. */
async function countsOf(uid: string, between: () => Promise<unknown>): Promise<Record<string, number>> {
  const { db } = server.running;
  const { body } = await server.call('DELETE', `/api/users/${uid}`);
  const storage = await openBlobFolder(join(server.folder, 'blobs'), clock.now());
  const links = createBlobLinks({ secret: 'secret', publicUrl: () => server.url, clock, lifeMs: 60_000 });
  const erasing = createErasing({ db, clock, storage, links });
  do await between();
  while ((await erasing.step()) !== undefined);
  const receipt = await server.call('GET', `/api/erasures/${body.id}`);
  assert.equal(receipt.body.state, 'finished');
  return receipt.body.counts as Record<string, number>;
}

/**
 * A user with a file, a comment and a membership in an app that was just deleted, a file in another app, and a post. Below
 * the post is a comment of another user with a file that the user uploaded.
 */
async function makeContent(): Promise<string> {
  const user = await makeUser(server);
  const files = await makeApp(server, { type: 'files', access: 'write' });
  await makeFile(user, files.id);
  const posts = await makeApp(server, { type: 'posts', access: 'write' });
  const post = await makePost(user, posts.id);
  const other = await makeUser(server);
  const blob = await makeBlob(other);
  await other.create(`/api/posts/${post}/comments`, { text: 'see this', blobs: [blob] });
  const gone = await makeApp(server, { type: 'files', access: 'write' });
  const file = await makeFile(user, gone.id);
  await user.create(`/api/files/${file}/comments`, { text: 'mine' });
  await addMembers(server, gone.id, { write: [user] });
  await server.running.db.write(async (tx) => {
    await tx.run(giveBlob, { id: blob, userId: user.id });
    await markGone(tx, gone.id);
  });
  return user.uid;
}

// The receipt has what was there when the erasure began, whatever the loop does that removes what was deleted before.
describe('the receipt of an erasure counts the same', () => {
  const expected = { files: 2, posts: 1, comments: 0, memberships: 0 };
  for (const [when, between] of [
    ['never comes to it', async () => undefined],
    [
      'comes before each of its steps',
      async () => {
        const removal = { db: server.running.db, clock, isHeldBack: isCounting };
        while (await removeDeleted(removal));
      },
    ],
  ] as const)
    test(`where the removal of deleted things ${when}`, async () => {
      const { files, posts, comments, memberships } = await countsOf(await makeContent(), between);
      assert.deepEqual({ files, posts, comments, memberships }, expected);
    });
});

/** Users of whom one has commented on a post of the other, which is deleted for good; returns the uid of the commenter. */
async function makeDeletedPost(): Promise<string> {
  const [person, other] = [await makeUser(server), await makeUser(server)];
  const { id: app } = await makeApp(server, { type: 'posts', access: 'write' });
  const post = await makePost(other, app);
  await person.create(`/api/posts/${post}/comments`, { text: 'mine' });
  await other.call('DELETE', `/api/posts/${post}`);
  return person.uid;
}

// The texts of deleted items leave the log at a time of their own, a minute later or with the next erasure.
describe('the receipt of an erasure counts the events of a user', () => {
  const later = { now: () => clock.now() + 3_600_000 };
  for (const [when, redact] of [
    ['before', async () => void (await redactDeleted({ db: server.running.db, clock: later }))],
    ['not before', async () => undefined],
  ] as const)
    test(`where the texts of what others have deleted left the log ${when} it`, async () => {
      const uid = await makeDeletedPost();
      await redact();
      const {
        events,
        attempts,
        notifications_of_others: others,
      } = await countsOf(uid, async () => undefined);
      assert.deepEqual({ events, attempts, others }, { events: 3, attempts: 0, others: 0 });
    });
});

// Whether removal is held back changes at any moment: with an erasure that begins to count, or has counted.
test('an app does not go before its content where removal is held back only for a moment', async () => {
  const { db } = server.running;
  const posts = await makeApp(server, { type: 'posts', access: 'write' });
  const post = await makePost(await makeUser(server), posts.id);
  await server.create(`/api/posts/${post}/comments`, { text: 'there' });
  await db.write((tx) => markGone(tx, posts.id));
  const held = [true];
  const removal = { db, clock, isHeldBack: async () => held.pop() === true };
  const hasApps = async () => (await db.read.get(deletedApp, {})) !== undefined;
  for (let step = 0; (await hasApps()) && step < 100; step += 1) await removeDeleted(removal);
  assert.equal(await hasApps(), false);
});
