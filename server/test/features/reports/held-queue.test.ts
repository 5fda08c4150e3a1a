import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contentKind, contentKinds, makeContent } from 'confab-testing/content.ts';
import { makeApp, usePeople } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, type Caller, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer({}, { isQuiet: true });
const watch = useStoreWatch(server);
const [author, visitor, moderator, other] = usePeople(server, 'Author', 'Visitor', 'Moderator', 'Other');

async function appFor(kind: string, fields: object = {}): Promise<number> {
  const members = { moderator: [moderator, other] };
  const { type } = contentKind(kind);
  return (await makeApp(server, { type, access: 'write', members, ...fields })).id;
}

/** Creates something of a kind in an app. */
const write = (app: number, kind: string, words = 'some words', by = author) =>
  makeContent(by, app, { kind, words });

/** The queue of an app, as a caller sees it. */
async function queue(app: number, query = '', by: Caller = moderator) {
  const { data } = await by.read(`/api/reports?app=${app}&${query}`);
  return data as {
    id: number;
    entity: { id: number; type: string };
    held?: object;
    state: string;
    action?: string;
    [field: string]: unknown;
  }[];
}

/** The one report of an app. */
async function onlyReport(app: number, query = '', by: Caller = moderator) {
  const [report, ...more] = await queue(app, query, by);
  assert.ok(report !== undefined, 'the queue is empty');
  assert.equal(more.length, 0);
  return report;
}

const resolve = (id: number, action: string, by: Caller = moderator) =>
  by.call('POST', `/api/reports/${id}/resolve`, { action });

const approve = (path: string) => moderator.call('POST', `${path}/approve`);

// Moderators find what is held in the queue of reports, whatever held it.
for (const kind of Object.keys(contentKinds))
  describe(`a held ${kind} in the queue of moderators`, () => {
    test('waits there when its app asks for approval, and for nobody else', async () => {
      const app = await appFor(kind, { approval: 'everything' });
      const { id } = await write(app, kind, 'first words');
      const report = await onlyReport(app, 'state=open');
      assert.deepEqual(report.entity, { id, type: kind });
      assert.deepEqual(report.held, { reason: 'approval' });
      assert.deepEqual([report['report_count'], report['reasons'], report['texts']], [0, [], []]);
      assert.match(JSON.stringify(report['snapshot']), /first words/);
      assert.deepEqual(await queue(app, 'held=true', server), [report]);
      for (const outsider of [author, visitor]) {
        assert.deepEqual(await queue(app, '', outsider), []);
        assertProblem(await outsider.call('GET', `/api/reports/${report.id}`), 404, 'not_found');
        assertProblem(await resolve(report.id, 'keep', outsider), 404, 'not_found');
      }
    });

    test('waits there when a moderator holds it, and again after it was approved', async () => {
      const app = await appFor(kind);
      const { path } = await write(app, kind);
      assert.deepEqual(await queue(app), []);
      for (let turn = 0; turn < 2; turn += 1) {
        await moderator.call('POST', `${path}/hold`);
        const held = await onlyReport(app, 'held=true');
        assert.deepEqual([held.state, held.held, held.action], ['open', { reason: 'moderator' }, undefined]);
        assert.equal((await approve(path)).status, 200);
        const { state, held: isHeld, action, resolved_by_id: by } = await onlyReport(app);
        assert.deepEqual([state, isHeld, action, by], ['resolved', undefined, 'keep', moderator.id]);
        assert.deepEqual(await queue(app, 'held=true'), []);
      }
    });

    test('is approved by keeping it', async () => {
      const app = await appFor(kind, { approval: 'everything' });
      const { path } = await write(app, kind);
      const { id } = await onlyReport(app);
      const { status, body } = await resolve(id, 'keep');
      assert.deepEqual([status, body.state, body.action, body.held], [200, 'resolved', 'keep', undefined]);
      assert.equal((await visitor.call('GET', path)).status, 200);
      assert.equal((await resolve(id, 'keep')).status, 200);
      assertProblem(await resolve(id, 'trash', other), 422, 'validation_failed');
    });

    test('is put in the trash and held by its report', async () => {
      const app = await appFor(kind, { approval: 'everything' });
      const trashed = await write(app, kind, 'one');
      const first = await onlyReport(app);
      assert.equal((await resolve(first.id, 'trash')).body.held, undefined);
      const body = await moderator.read(`${trashed.path}?trashed=true`);
      assert.deepEqual([body.is_held, body.is_trashed], [undefined, true]);
      await write(app, kind, 'two');
      const second = await onlyReport(app, 'state=open');
      const held = (await resolve(second.id, 'hold')).body;
      assert.deepEqual([held.state, held.action, held.held], ['resolved', 'hold', { reason: 'approval' }]);
      assert.deepEqual((await onlyReport(app, 'held=true')).id, second.id);
      assert.deepEqual(await queue(app, 'state=open'), []);
    });

    test('leaves it when it is trashed or deleted, also by its author', async () => {
      const app = await appFor(kind, { approval: 'everything' });
      for (const [by, method, suffix, action] of [
        [moderator, 'POST', '/trash', 'trash'],
        [author, 'POST', '/trash', 'trash'],
        [moderator, 'DELETE', '', 'delete'],
        [author, 'DELETE', '', 'delete'],
      ] as const) {
        const { id, path } = await write(app, kind, `${method} by ${by.id}`);
        assert.equal((await queue(app, 'state=open')).length, 1);
        assert.ok((await by.call(method, path + suffix)).status < 300);
        assert.deepEqual(await queue(app, 'state=open'), []);
        assert.deepEqual(await queue(app, 'held=true'), []);
        const found = (await queue(app)).find(({ entity }) => entity.id === id);
        assert.deepEqual([found?.state, found?.action], ['resolved', action]);
      }
    });

    test('stays there for the users who have reported it', async () => {
      const app = await appFor(kind);
      const { path } = await write(app, kind);
      await visitor.call('POST', `${path}/reports`, { reason: 'abuse' });
      await moderator.call('POST', `${path}/hold`);
      const held = await onlyReport(app, 'state=open');
      assert.deepEqual([held['report_count'], held.held], [1, { reason: 'moderator' }]);
      await approve(path);
      const shown = await onlyReport(app, 'state=open');
      assert.deepEqual([shown.id, shown['new_report_count'], shown.held], [held.id, 1, undefined]);
      assert.equal((await resolve(shown.id, 'keep')).status, 200);
    });

    test('is not in the queue of a moderator who wrote it', async () => {
      const app = await appFor(kind);
      const { path } = await write(app, kind, 'own words', other);
      await moderator.call('POST', `${path}/hold`);
      assert.deepEqual(await queue(app, '', other), []);
      assert.equal((await queue(app)).length, 1);
    });
  });

// What rules catch is in the queue with their names.
describe('what rules match, in the queue of moderators', () => {
  before(async () => {
    const body = await server.read('/api/moderation/rules');
    const { status } = await server.call('PUT', '/api/moderation/rules', {
      version: body.version,
      rules: [
        { name: 'holding', action: 'hold', words: ['casino'] },
        { name: 'reporting', action: 'report', words: ['roulette', 'casino'] },
      ],
    });
    assert.equal(status, 200);
  });

  for (const kind of ['comment', 'post', 'message']) {
    test(`is a ${kind} with the names of all that match, when it is written and when it is edited`, async () => {
      const app = await appFor(kind);
      const { isHeld } = await write(app, kind, 'the casino');
      assert.ok(isHeld);
      const written = await onlyReport(app, 'state=open');
      assert.deepEqual(written.held, { reason: 'rule', rules: ['holding', 'reporting'] });
      // The server has not reported it as well.
      assert.equal(written['report_count'], 0);
      await resolve(written.id, 'trash');
      const { path } = await write(app, kind, 'harmless');
      await author.call('PATCH', path, { text: 'another casino' });
      const edited = await onlyReport(app, 'state=open');
      assert.deepEqual(edited.held, { reason: 'rule', rules: ['holding', 'reporting'] });
      assert.match(JSON.stringify(edited['snapshot']), /another casino/);
    });

    test(`is held as a ${kind} in an app that asks to approve it, though the rule only reports`, async () => {
      const [usual, careful] = [await appFor(kind), await appFor(kind, { approval: 'rules' })];
      const reported = await write(usual, kind, 'roulette');
      assert.equal(reported.isHeld, false);
      assert.deepEqual((await onlyReport(usual)).held, undefined);
      const held = await write(careful, kind, 'roulette');
      assert.equal(held.isHeld, true);
      assert.deepEqual((await onlyReport(careful)).held, { reason: 'rule', rules: ['reporting'] });
      assert.equal((await onlyReport(careful))['report_count'], 0);
      await approve(held.path);
      await author.call('PATCH', held.path, { text: 'roulette again' });
      const { held: again } = await onlyReport(careful, 'state=open');
      assert.deepEqual(again, { reason: 'rule', rules: ['reporting'] });
      assert.equal((await write(careful, kind, 'harmless')).isHeld, false);
      assert.equal((await write(careful, kind, 'roulette', moderator)).isHeld, false);
    });
  }
});

// Holding opens a report, and the events of holding tell of it.
describe('the report of a held item', () => {
  test('is made for held items alone', async () => {
    const [shown, careful] = [await appFor('comment'), await appFor('comment', { approval: 'everything' })];
    watch.hasChanged();
    const before = watch.rows('select count(*) as n from reports')[0]?.['n'];
    await write(shown, 'comment');
    assert.equal(watch.rows('select count(*) as n from reports')[0]?.['n'], before);
    await write(careful, 'comment');
    assert.equal(Number(watch.rows('select count(*) as n from reports')[0]?.['n']), Number(before) + 1);
  });

  test('is told by the events of holding and of resolving it', async () => {
    const app = await appFor('comment', { approval: 'everything' });
    await write(app, 'comment');
    const { id } = await onlyReport(app);
    await resolve(id, 'keep');
    const told = watch.rows(
      `select action from events where entity_type = 'report' and entity_id = ${id} order by id`,
    );
    assert.deepEqual(
      told.map(({ action }) => action),
      ['report_resolved'],
    );
  });
});
