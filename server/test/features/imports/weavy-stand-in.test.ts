import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ImportError } from 'confab-importers/import-file.ts';
import { readWeavy } from 'confab-importers/weavy/weavy.ts';
import type { WeavyExport } from 'confab-importers/weavy/weavy-records.ts';
import { runCommand } from 'confab-testing/command.ts';
import { startReceiver } from 'confab-testing/harness/receiver.ts';
import { takeBack } from 'confab-testing/imports.ts';
import { countOf } from 'confab-testing/lists.ts';
import { type TestServer, use, useServer } from 'confab-testing/server.ts';
import { standInKey, startWeavyStandIn, type WeavyStandIn } from 'confab-testing/weavy-stand-in.ts';
import { fillWeavy } from 'confab-testing/weavy-world.ts';
import { createWeavyClient } from '../../../src/commands/weavy-client.ts';
import { planWeavy } from '../../../src/features/imports/weavy/weavy-plan.ts';
import { createEgress } from '../../../src/net/egress.ts';
import { createResolver } from '../../../src/net/resolver.ts';
import { parseEgressRules } from '../../../src/net/rules.ts';

const importFrom = (from: WeavyStandIn, folder: string, ...flags: string[]) =>
  runCommand(['import', 'weavy', '--url', from.url, '--key', standInKey, '--data-dir', folder, ...flags]);

type Target = { readonly url: string; readonly key: string };

/** Pulls from a server without writing anything. */
async function pull({ url, key }: Target, headers: Record<string, string> = {}): Promise<WeavyExport> {
  const egress = createEgress({
    rules: parseEgressRules({ allow: '127.0.0.1' }),
    resolver: createResolver(),
  });
  try {
    const { ask } = createWeavyClient({ address: url, key, egress, headers });
    return await readWeavy({ address: url, ask });
  } finally {
    await egress.close();
  }
}
const pullStandIn = ({ url }: WeavyStandIn) => pull({ url, key: standInKey });
const busy = { status: 503, headers: { 'retry-after': '0' } } as const;

/** The sentence of the error that a pull ends with. */
async function faultOf(pulling: Promise<unknown>): Promise<string> {
  const error = await pulling.then(
    () => assert.fail('the pull succeeded'),
    (fault: unknown) => fault,
  );
  assert.ok(error instanceof ImportError, String(error));
  return error.sentence;
}

// A server that answers as the documentation of today's Weavy says is taken over in full.
describe('a Weavy server in the second form', () => {
  const target = useServer();

  test('is reported with everything that is left out', async () => {
    using source = await startWeavyStandIn();
    const { stdout, code, stderr } = await importFrom(source, join(target.folder, 'none'), '--dry-run');
    assert.equal(code, 0, stderr);
    assert.ok(!existsSync(join(target.folder, 'none')));
    const lines = stdout.split('\n');
    assert.deepEqual(lines.slice(1), [
      'To import: 1 comment, 1 post, 6 messages, 1 file in 5 apps, 4 users.',
      'With them: 10 memberships, 2 reactions, 1 poll with 2 votes, 1 attachment; 0.0 MB of files.',
      'Dry run: nothing was made.',
      'Left out: 4 items:',
      '  1 unreadable',
      '  1 deleted or in the trash',
      '  1 file that a provider keeps elsewhere',
      '  1 without text',
      'Together: 9 + 4 = 13.',
      'Not taken over: 1 app in the trash or of another type, 1 user in the trash, 1 link preview, 1 meeting, ' +
        '4 earlier versions of files, 3 pictures of users, 1 attachment that a provider keeps, 1 second reaction of a user.',
      'The message 306 is unreadable: the field text is no text.',
      '',
    ]);
  });

  test('comes over with its users, rights, polls, reactions and bytes', async () => {
    using source = await startWeavyStandIn();
    const { stdout, code, stderr } = await importFrom(source, target.folder, '--keep-emails');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Made: 1 comment, 1 post, 6 messages, 1 file, 5 apps, 4 users\.$/m);
    const ada = await target.read('/api/users/ada');
    const bo = await target.read('/api/users/bo');
    assert.deepEqual([ada.email, ada.name], ['ada@example.com', 'Ada King']);
    const { data: posts } = await target.read('/api/apps/feed/posts');
    const [post] = posts;
    assert.equal(post?.text, `Which bed, [Bo](@u${bo.id})?`);
    assert.equal(post?.created_at, '2024-05-01T10:01:00.123Z');
    assert.deepEqual(
      post?.options.map(({ vote_count }) => vote_count),
      [0, 2],
    );
    assert.equal(post?.reactions.length, 2);
    const members = await target.read('/api/apps/feed/members');
    assert.deepEqual(members.data.map(({ uid, role }) => [uid, role]).sort(), [
      ['ada', 'manager'],
      ['bo', undefined],
    ]);
    const feed = await target.read('/api/apps/feed');
    assert.equal(feed.directory_id, ada.directory_id);
    const files = await target.read('/api/apps/plans/files');
    const bytes = await fetch(new URL(files.data[0]?.download_url ?? '', target.url));
    assert.equal(await bytes.text(), 'the plan.');
    const chat = await target.as(await target.token('ada')).read('/api/conversations?type=agent_chat');
    assert.deepEqual(
      chat.data.map(({ uid }) => uid),
      ['copilot'],
    );
  });

  test('asks again where it is busy or closes a connection', async () => {
    using source = await startWeavyStandIn();
    const failed = new Set<string>();
    source.disturb = (path) => {
      if (failed.has(path)) return undefined;
      failed.add(path);
      return path === '/api/users' ? 'hang-up' : { ...busy, status: path.endsWith('posts') ? 429 : 503 };
    };
    const { items, users } = await pullStandIn(source);
    assert.deepEqual([items.length, users.length], [12, 5]);
    assert.ok(failed.size > 10);
  });
});

// A server that stops or answers nonsense ends the import with a sentence that says what to do, and nothing is lost.
describe('a Weavy server that fails', () => {
  const target = useServer();

  test('in the middle of the pull leaves nothing behind', async () => {
    using source = await startWeavyStandIn();
    source.disturb = (path) => (path === '/api/apps/3/messages' ? busy : undefined);
    const folder = join(target.folder, 'untouched');
    const { code, stderr } = await importFrom(source, folder);
    assert.equal(code, 1);
    assert.match(stderr, /GET \/api\/apps\/3\/messages answered 503, 6 times in a row/);
    assert.ok(!existsSync(folder));
  });

  test('in the middle of the writing leaves an import that goes on or is taken back', async () => {
    using source = await startWeavyStandIn();
    source.disturb = (path) => (path === '/files/402' ? busy : undefined);
    const first = await importFrom(source, target.folder);
    assert.equal(first.code, 1);
    const id = Number(/What it wrote is import (\d+): run the command again/.exec(first.stderr)?.[1]);
    const { made } = await target.read(`/api/imports/${id}`);
    assert.deepEqual([made.users, made.apps, made.messages], [4, 5, 0]);
    const { undone } = await takeBack(target, id);
    assert.deepEqual([undone?.users, undone?.apps], [4, 5]);
    source.disturb = () => undefined;
    const second = await importFrom(source, target.folder);
    assert.match(second.stdout, /^Made: 1 comment, 1 post, 6 messages, 1 file, 0 apps, 0 users\.$/m);
    assert.equal(await countOf(target, '/api/messages'), 6);
  });

  test('without the bytes of a file goes on without them and says so', async () => {
    using source = await startWeavyStandIn();
    source.answers.delete('/files/401');
    source.answers.delete('/files/402');
    const other = join(target.folder, 'other');
    const { stdout } = await importFrom(source, other);
    assert.match(stdout, /^Skipped: 1 item without bytes, or whose app, post or file is not here\.$/m);
    assert.match(
      stdout,
      /^Without their bytes: 2 files that the server did not give or that are too large\.$/m,
    );
  });

  test('with a wrong key is told which option is wrong', async () => {
    using source = await startWeavyStandIn();
    const sentence = await faultOf(pull({ url: source.url, key: 'wys_other' }));
    assert.equal(sentence, 'GET /api/directories answered 401: --key must be an API key of that server');
  });

  const answers = [
    ['a page that is no JSON', { status: 200, body: '<html>' }, /something else than JSON/],
    ['a page without a list', { status: 200, body: '{"data":7,"count":1}' }, /\/api\/users is no list/],
    ['a redirect', { status: 302, headers: { location: '/' } }, /answered 302, which is no page/],
    ['a page too large', { status: 200, body: `"${'x'.repeat(33 << 20)}"` }, /more than 33554432 bytes/],
    [
      'a list that does not go on',
      { status: 200, body: '{"data":[{"id":1,"name":"A"}],"start":0,"end":0,"count":9}' },
      /does not go on after 0 objects/,
    ],
  ] as const;
  for (const [what, disturbance, pattern] of answers)
    test(`with ${what} is refused`, async () => {
      using source = await startWeavyStandIn();
      source.disturb = (path) => (path === '/api/users' ? disturbance : undefined);
      assert.match(await faultOf(pullStandIn(source)), pattern);
    });

  test('with objects of wrong types loses those alone', async () => {
    using source = await startWeavyStandIn();
    source.answers.set('/api/users', [{ id: 1 }, { id: 'x'.repeat(9), name: 4 }, 'user', { name: 'No id' }]);
    const { unreadable } = await pullStandIn(source);
    assert.deepEqual(
      unreadable.filter(({ where }) => where.startsWith('user')),
      [
        { where: 'user xxxxxxxxx', cause: 'the field name is no text' },
        { where: 'user without an id', cause: 'the record is no object' },
        { where: 'user without an id', cause: 'the field id is missing' },
      ],
    );
  });

  test('that keeps files elsewhere does not get its key sent there', async () => {
    using source = await startWeavyStandIn();
    const keys: unknown[] = [];
    using elsewhere = await startReceiver((response, { headers }) => {
      keys.push(headers.authorization);
      response.writeHead(200).end('elsewhere');
    });
    source.disturb = (path) =>
      path.startsWith('/files/') ? { status: 302, headers: { location: elsewhere.url } } : undefined;
    const { code, stderr } = await importFrom(source, join(target.folder, 'third'));
    assert.equal(code, 0, stderr);
    assert.deepEqual(keys, [undefined, undefined]);
  });
});

// Confab itself is a source in both forms, and the same things come out of either.
describe('Confab in both forms', () => {
  const source: TestServer = useServer();
  use(() => fillWeavy(source));

  test('is planned the same', async () => {
    const first = planWeavy(await pull(source));
    const second = planWeavy(await pull(source, { 'x-weavy-source': '@weavy/uikit-web@32.2.0' }));
    assert.ok(first.items.length > 100);
    assert.deepEqual(second.items, first.items);
    assert.deepEqual(second.people, first.people);
    // The second form has no uid of a conversation, so it is made.
    const placesOf = (plan: typeof first) =>
      plan.places.map((place) => ({
        ...place,
        uid: /^(?:chat_room|private_chat):/.test(place.uid) || place.uid,
      }));
    assert.deepEqual(placesOf(second), placesOf(first));
  });
});
