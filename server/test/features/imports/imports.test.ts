import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from 'confab-testing/command.ts';
import { startTestServer, useServer } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { rootUrl } from 'confab-tools/places.ts';
import type { Db } from '../../../src/db/db.ts';
import type { ImportPlan } from '../../../src/features/imports/import-plan.ts';
import { createImports } from '../../../src/features/imports/imports.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`importers/fixtures/${name}`, rootUrl));
const wordpressApp = 'garden.example~blog~2020~05~peas';
const disqusApp = 'garden.example:23:21:2Fpeas';
const server = useServer();

const importInto = (kind: string, file: string, ...flags: string[]) =>
  runCommand(['import', kind, fixture(file), '--data-dir', server.folder, ...flags]);

// Content that is imported alongside a running server is like any other, and the report adds up.
describe('confab import', () => {
  test('writes nothing in a dry run', async () => {
    const folder = join(server.folder, 'untouched');
    const { code, stdout } = await runCommand([
      'import',
      'wordpress',
      fixture('wordpress.xml'),
      '--dry-run',
      '--data-dir',
      folder,
    ]);
    assert.equal(code, 0);
    assert.match(stdout, /^Dry run: nothing was made\.$/m);
    assert.match(stdout, /^Together: 3 \+ 10 = 13\.$/m);
    assert.ok(!existsSync(folder));
  });

  test('creates apps, users and comments, calls no webhook, and adds nothing the second time', async () => {
    const { body: webhook } = await server.call('POST', '/api/webhooks', {
      payload_url: 'http://127.0.0.1:9/',
      triggers: ['comments', 'apps', 'members'],
    });
    const first = await importInto('disqus', 'disqus.xml');
    assert.equal(first.code, 0, first.stderr);
    const made = Number(/^Made: (\d+) comments/m.exec(first.stdout)?.[1]);
    assert.ok(made > 0);
    const deliveries = `/api/webhooks/${webhook.id}/deliveries?count_only=true`;
    assert.equal((await server.read(deliveries)).count, 0);
    const list = `/api/apps/${disqusApp}/comments`;
    assert.equal((await server.read(list)).count, made);

    const second = await importInto('disqus', 'disqus.xml');
    assert.match(second.stdout, /^Made: 0 comments, 0 apps, 0 users\.$/m);
    assert.match(second.stdout, new RegExp(`^There before: ${made} comments, 1 app, `, 'm'));
    assert.equal((await server.read(list)).count, made);

    await server.call('POST', list, { text: 'Written here' });
    assert.equal((await server.read(deliveries)).count, 1);
    await server.call('DELETE', `/api/webhooks/${webhook.id}`);
  });

  test('keeps times and threads', async () => {
    const body = await server.read(`/api/apps/${disqusApp}/comments?order_by=created_at&expand=created_by`);
    const bySource = new Map<string, any>(
      body.data.map((comment: any) => [comment.metadata?.source_id, comment]),
    );
    const parent = bySource.get('1');
    const reply = bySource.get('2');
    assert.equal(parent.created_at, '2013-10-10T19:20:29.000Z');
    assert.equal(parent.metadata.source, 'disqus');
    assert.equal(parent.metadata.parent_id, undefined);
    assert.deepEqual([reply.reply_to_id, reply.root_id, parent.reply_count], [parent.id, parent.id, 1]);
    assert.equal(reply.metadata.parent_id, undefined);
    assert.equal(reply.created_by.id, parent.created_by.id);
    assert.equal(parent.created_by.name, 'Ada');
    assert.equal(parent.modified_at, undefined);
    assert.equal(reply.text, 'typed\nplainly');
  });

  test('quotes instead of making threads when it is told to', async (t) => {
    const other = await startTestServer();
    t.after(() => other.close());
    const flags = ['--replies', 'quote', '--data-dir', other.folder];
    await runCommand(['import', 'disqus', fixture('disqus.xml'), ...flags]);
    const body = await other.read(`/api/apps/${disqusApp}/comments`);
    const [reply]: any[] = body.data.filter(({ metadata }: any) => metadata.parent_id !== undefined);
    assert.equal(reply.text, '> **Ada:** One two three\n\ntyped\nplainly');
    assert.ok(body.data.every(({ reply_to_id }: any) => reply_to_id === undefined));
  });

  test('creates content that is searched, tagged, edited and trashed like any other', async () => {
    const found = await server.call('GET', `/api/apps/${disqusApp}/comments?q=typed+plain`);
    assert.equal(found.body.count, 1);
    const [{ id }] = found.body.data;
    await server.call('PATCH', `/api/comments/${id}`, { tags: ['old'], text: 'Typed again' });
    const revisions = await server.read(`/api/comments/${id}/revisions`);
    assert.equal(revisions.data?.[0]?.text, found.body.data[0].text);
    const tagged = await server.call('GET', '/api/comments?tag=old');
    assert.deepEqual(
      tagged.body.data.map((comment: any) => comment.id),
      [id],
    );
    const count = `/api/apps/${disqusApp}/comments?count_only=true`;
    const before = (await server.read(count)).count;
    await server.call('POST', `/api/comments/${id}/trash`);
    assert.equal((await server.read(count)).count, before - 1);
    const again = await importInto('disqus', 'disqus.xml');
    assert.match(again.stdout, /^Made: 0 comments/m);
    assert.equal((await server.read(count)).count, before - 1);
  });

  test('restricts pages that the source restricted, and leaves out e-mail addresses', async () => {
    const { code, stdout } = await importInto('wordpress', 'wordpress.xml');
    assert.equal(code, 0);
    assert.match(stdout, /^Made: 3 comments, 1 app, 2 users\.$/m);
    const token = await server.token('reader');
    const restricted = await server.as(token).call('GET', `/api/apps/${wordpressApp}`);
    assert.equal(restricted.status, 404);
    const open = await server.as(token).call('GET', `/api/apps/${disqusApp}/comments`);
    assert.equal(open.status, 200);
    const body = await server.read(`/api/apps/${wordpressApp}/comments?expand=created_by`);
    assert.deepEqual(
      body.data.map((comment: any) => comment.created_by.email),
      [undefined, undefined, undefined],
    );
    const app = await server.read(`/api/apps/${wordpressApp}`);
    assert.equal(app.created_by.uid, 'system');
    assert.equal(app.metadata.url, 'https://garden.example/blog/2020/05/peas/');
  });

  test('keeps e-mail addresses on request', async (t) => {
    const other = await startTestServer();
    t.after(() => other.close());
    await runCommand([
      'import',
      'wordpress',
      fixture('wordpress.xml'),
      '--keep-emails',
      '--data-dir',
      other.folder,
    ]);
    const body = await other.read(`/api/apps/${wordpressApp}/comments?expand=created_by`);
    assert.ok(body.data.some((comment: any) => /@/.test(comment.created_by.email)));
  });

  test('reports an unreadable file in one line', async () => {
    const { code, stderr } = await runCommand(['import', 'disqus', join(server.folder, 'absent.xml')]);
    assert.equal(code, 1);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
    assert.match(stderr, /absent\.xml/);
  });
});

/** A plan of `count` comments by one author on one page, each a reply to the one before. */
function planOf(appUid: string, count: number): ImportPlan {
  const comments = Array.from({ length: count }, (_, index) => ({
    source: `test:${appUid}`,
    sourceId: String(index),
    appUid,
    userUid: `author-of-${appUid}`,
    ...(index === 0 ? {} : { parentSourceId: String(index - 1) }),
    createdAt: 1_500_000_000_000 + index,
    text: `Comment ${index}`,
  }));
  return {
    replies: 'thread',
    apps: [{ uid: appUid, formerUids: [], link: 'https://example.com/', isRestricted: false }],
    users: [{ uid: `author-of-${appUid}`, name: 'Author' }],
    comments,
    report: {
      kind: 'disqus',
      source: `test:${appUid}`,
      leftOut: {},
      notes: [],
    } as unknown as ImportPlan['report'],
  };
}

function importsOn(db: Db) {
  return createImports({ db, clock: systemClock });
}

// An import that is interrupted has written whole batches, and running it again writes the rest, each comment once.
describe('an interrupted import', () => {
  test('is completed by running it again', async () => {
    const { db } = server.running;
    const plan = planOf('interrupted', 450);
    let writes = 0;
    const failing: Db = {
      read: db.read,
      readForList: () => db.readForList(),
      readLong: (asked, work) => db.readLong(asked, work),
      onCommit: (topic, listener) => db.onCommit(topic, listener),
      listenToPeers: () => db.listenToPeers(),
      forgetDeleted: () => db.forgetDeleted(),
      health: () => db.health(),
      close: () => db.close(),
      write(work) {
        writes += 1;
        return writes === 2 ? Promise.reject(new Error('the power is gone')) : db.write(work);
      },
    };
    await assert.rejects(importsOn(failing).write(plan, { keepsEmails: false }), /the power is gone/);
    const count = '/api/apps/interrupted/comments?count_only=true';
    assert.equal((await server.read(count)).count, 200);

    const made = await importsOn(db).write(plan, { keepsEmails: false });
    assert.deepEqual(made, {
      apps: 0,
      users: 0,
      comments: 250,
      restored: 0,
      formerUids: new Map(),
      otherUids: [],
    });
    assert.equal((await server.read(count)).count, 450);
    const body = await server.read('/api/apps/interrupted/comments?skip=199&top=2');
    assert.equal(body.data[1].metadata.source_id, '200');
    assert.equal(body.data[1].reply_to_id, body.data[0].id);
    assert.deepEqual(
      (await server.read('/api/apps/interrupted/comments?thread=roots')).data.map(
        ({ reply_count }: any) => reply_count,
      ),
      [449],
    );
  });
});

// Confab 0.1.0 gave apps uids with slashes, which web components cannot open. Its stores keep working.
describe('a store that 0.1.0 imported into', () => {
  const formerUid = 'garden.example/former';
  const former = encodeURIComponent(formerUid);
  const plan = (count: number): ImportPlan => {
    const { apps, comments, ...rest } = planOf('garden.example~former', count);
    return { ...rest, comments, apps: apps.map((app) => ({ ...app, formerUids: [formerUid] })) };
  };

  test('gets nothing twice, and further comments where the earlier ones are', async () => {
    const imports = importsOn(server.running.db);
    const { apps, comments, ...rest } = planOf(formerUid, 2);
    // What 0.1.0 did: another uid, and the same keys of comments.
    const source = 'test:garden.example~former';
    await imports.write(
      { ...rest, apps, comments: comments.map((comment) => ({ ...comment, source })) },
      { keepsEmails: false },
    );
    const again = await imports.write(plan(2), { keepsEmails: false });
    const formerUids = new Map([['garden.example~former', formerUid]]);
    assert.deepEqual(again, { apps: 0, users: 0, comments: 0, restored: 0, formerUids, otherUids: [] });
    const more = await imports.write(plan(3), { keepsEmails: false });
    assert.equal(more.comments, 1);
    assert.equal((await server.read(`/api/apps/${former}/comments`)).count, 3);
    assert.equal((await server.call('GET', '/api/apps/garden.example~former')).status, 404);
  });

  test('gets the new uids when it is told to, once, with an event', async () => {
    const imports = importsOn(server.running.db);
    const app = await server.read(`/api/apps/${former}`);
    const renamed = await imports.write(plan(3), { keepsEmails: false, renamesApps: true });
    assert.equal(renamed.formerUids.size, 1);
    const body = await server.read('/api/apps/garden.example~former/comments');
    assert.equal(body.count, 3);
    assert.equal((await server.call('GET', `/api/apps/${former}`)).status, 404);
    const events = readStore(
      server.folder,
      `select action from events where app_id = ${app.id} order by id desc limit 1`,
    );
    assert.equal(events[0]?.action, 'app_updated');
    const again = await imports.write(plan(3), { keepsEmails: false, renamesApps: true });
    assert.equal(again.formerUids.size, 0);
  });

  test('keeps all apps but one of a page to which it gave several', async () => {
    const imports = importsOn(server.running.db);
    const uid = 'garden.example~several';
    const uids = ['garden.example/several', 'www.garden.example/several', 'garden.example/several/index'];
    for (const one of uids) await imports.write(planOf(one, 1), { keepsEmails: false });
    const { apps, ...rest } = planOf(uid, 2);
    const several = { ...rest, apps: apps.map((app) => ({ ...app, formerUids: uids })) };
    const [first, ...others] = uids;
    const known = await imports.write(several, { keepsEmails: false });
    assert.deepEqual([known.formerUids.get(uid), known.otherUids], [first, others]);
    const renamed = await imports.write(several, { keepsEmails: false, renamesApps: true });
    assert.deepEqual([renamed.formerUids.get(uid), renamed.otherUids], [first, others]);
    const counts = [uid, ...uids].map(async (one) => {
      const { status, body } = await server.call('GET', `/api/apps/${encodeURIComponent(one)}/comments`);
      return status === 200 ? body.count : status;
    });
    assert.deepEqual(await Promise.all(counts), [3, 404, 1, 1]);
    const again = await imports.write(several, { keepsEmails: false, renamesApps: true });
    assert.deepEqual([again.formerUids.size, again.otherUids], [0, others]);
  });
});

// If an app with the same uid cannot contain comments, the import reports it before it writes anything.
describe('an app that is in the way', () => {
  test('with another type stops the import', async () => {
    await server.call('PUT', '/api/apps/occupied', { type: 'chat' });
    await assert.rejects(
      importsOn(server.running.db).write(planOf('occupied', 1), { keepsEmails: false }),
      /nothing was imported: the app "occupied" is of type chat/,
    );
    assert.equal((await server.call('GET', '/api/users/author-of-occupied')).status, 404);
  });

  test('in the trash stops the import, unless there is nothing to add', async () => {
    const imports = importsOn(server.running.db);
    await imports.write(planOf('thrown-away', 1), { keepsEmails: false });
    await server.call('POST', '/api/apps/thrown-away/trash');
    const nothing = await imports.write(planOf('thrown-away', 1), { keepsEmails: false });
    assert.deepEqual(nothing, {
      apps: 0,
      users: 0,
      comments: 0,
      restored: 0,
      formerUids: new Map(),
      otherUids: [],
    });
    await assert.rejects(
      imports.write(planOf('thrown-away', 2), { keepsEmails: false }),
      /"thrown-away" is in the trash/,
    );
  });
});
