import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { App } from 'confab-contract/apps.ts';
import { addMembers, makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { countOf, idsOf } from 'confab-testing/lists.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import type { Caller, TestServer } from 'confab-testing/server.ts';
import type { StoreWatch } from 'confab-testing/stores/store-watch.ts';
import { uploadIds } from 'confab-testing/uploads.ts';

/** The content of the apps of a type, and where it is tested. */
export type Content = {
  readonly kind: 'comment' | 'post' | 'message';
  readonly type: App['type'];
  /** The fields that others do not have. */
  readonly ownFields?: readonly string[];
  readonly server: TestServer;
  readonly watch: StoreWatch;
  /** Every statement that the server has run. */
  readonly statements: string[];
};

const sharedFields = [
  ...['app_id', 'attachment_count', 'attachments', 'created_at', 'created_by', 'created_by_id', 'html', 'id'],
  ...['is_trashed', 'metadata', 'option_count', 'options', 'parent', 'plain', 'reactions', 'tags', 'text'],
];

/** The tests of what comments, posts and messages share. */
export function testContent({ kind, type, ownFields = [], server, watch, statements }: Content): void {
  const plural = `${kind}s` as const;
  const appWith = (fields: object = {}) => makeApp(server, { type, ...fields });

  async function write(app: App, fields: object = { text: 'written' }, by: Caller = server) {
    return await by.create(`/api/apps/${app.id}/${plural}`, fields);
  }

  const actionsOf = (id: number) => watch.actionsOf(kind, id);

  // An entry of an app has the same fields and is changed alike, whatever kind it is of.
  describe(`the content of a ${kind}`, () => {
    test('has exactly its fields and returns metadata as sent', async () => {
      const app = await appWith();
      const entry = await write(app, {
        text: 'Lunch **today**?',
        blobs: await uploadIds(server, 1),
        options: [{ text: 'Yes' }, { text: 'No' }],
        metadata: { temp_id: '0.25' },
        tags: ['food'],
      });
      assert.deepEqual(Object.keys(entry).sort(), [...sharedFields, ...ownFields].sort());
      assert.deepEqual(entry.parent, { id: app.id, type: 'app' });
      assert.deepEqual(entry.metadata, { temp_id: '0.25' });
      assert.deepEqual([entry.attachment_count, entry.option_count], [1, 2]);
      assert.equal(entry.plain, 'Lunch today?');
      assert.deepEqual(await server.read(`/api/${plural}/${entry.id}`), entry);
      assert.deepEqual(actionsOf(entry.id), [`${kind}_created`]);
    });

    test('is changed field by field', async () => {
      const entry = await write(await appWith(), { text: 'a', tags: ['x'], metadata: { a: 1 } });
      const path = `/api/${plural}/${entry.id}` as const;
      const { status, body } = await server.call('PATCH', path, { text: 'b', metadata: null });
      assert.equal(status, 200);
      assert.deepEqual([body.text, body.tags, body.metadata], ['b', ['x'], undefined]);
      assert.ok(body.modified_at !== undefined);
      assertProblem(await server.call('PATCH', path, { text: 5 }), 400, 'wrong_type', '/text');
      assertProblem(await server.call('PATCH', path, { tags: [' '] }), 422, 'validation_failed');
      assert.deepEqual(actionsOf(entry.id), [`${kind}_created`, `${kind}_updated`]);
    });
  });

  // Lists of each kind are lists like any other: flat, ordered, filtered, counted, at a fixed price.
  describe(`lists of ${plural}`, () => {
    test(`show the ${plural} of an app, newest first on request`, async () => {
      const app = await appWith();
      const first = await write(app, { text: 'copper wire', tags: ['metal'] });
      const second = await write(app, { text: 'pine wood' });
      const third = await write(app, { text: 'oak wood' });
      const path = `/api/apps/${app.id}/${plural}`;
      const shown = (query: string) => idsOf(server, path + query);
      assert.deepEqual(await shown(''), [first.id, second.id, third.id]);
      assert.deepEqual(await shown('?orderby=createdat+desc'), [third.id, second.id, first.id]);
      assert.deepEqual(await shown('?orderby=createdat+desc&top=1&skip=1'), [second.id]);
      assert.deepEqual(await shown('?q=wood'), [second.id, third.id]);
      assert.deepEqual(await shown('?q=wir'), [first.id]);
      assert.deepEqual(await shown('?tag=metal'), [first.id]);
      const body = await server.read(`${path}?top=2&skip=1`);
      assert.deepEqual([body.start, body.end, body.count], [2, 3, 3]);
      assert.deepEqual([body.data[0].created_by, body.data[0].parent], [undefined, undefined]);
    });

    test('over all apps contain those that the caller may see', async () => {
      const ada = await makeUser(server);
      const [open, closed] = [await appWith({ access: 'read' }), await appWith()];
      await write(open, { text: 'zirconium open' });
      await write(closed, { text: 'zirconium closed' });
      const body = await ada.read(`/api/${plural}?q=zirconium`);
      assert.deepEqual(
        body.data.map(({ text }: { text: string }) => text),
        ['zirconium open'],
      );
      assert.equal(await countOf(server, `/api/${plural}?q=zirconium`), 2);
    });

    test(`of attachments show the files of a ${kind}`, async () => {
      const entry = await write(await appWith(), { blobs: await uploadIds(server, 2) });
      const body = await server.read(`/api/${plural}/${entry.id}/attachments`);
      assert.deepEqual(
        body.data.map(({ id }) => id),
        entry.attachments.map(({ id }) => id),
      );
      assert.equal(body.count, 2);
    });

    test(`cost the same statements for twenty ${plural} as for one`, async () => {
      const [big, small] = [await appWith(), await appWith()];
      const fields = async () => ({ text: 'x', options: [{ text: 'a' }], blobs: await uploadIds(server, 1) });
      await write(small, await fields());
      for (let i = 0; i < 20; i += 1) await write(big, await fields());
      async function cost(app: App): Promise<number> {
        statements.length = 0;
        await server.read(`/api/apps/${app.id}/${plural}?expand=created_by,parent`);
        return statements.length;
      }
      assert.equal(await cost(big), await cost(small));
    });
  });

  // Rights over each kind are those over the content of any app.
  describe(`access to a ${kind}`, () => {
    test('follows the access to its app', async () => {
      const app = await appWith();
      const { id } = await write(app);
      const reader = await makeUser(server);
      const attempts = () =>
        statusesOf(reader, [
          ['GET', `/api/${plural}/${id}`],
          ['GET', `/api/apps/${app.id}/${plural}`],
          ['GET', `/api/${plural}/${id}/attachments`],
          ['POST', `/api/apps/${app.id}/${plural}`],
          ['PATCH', `/api/${plural}/${id}`],
          ['POST', `/api/${plural}/${id}/trash`],
          ['POST', `/api/${plural}/${id}/restore`],
          ['DELETE', `/api/${plural}/${id}`],
        ]);
      assert.deepEqual(await attempts(), [404, 404, 404, 404, 404, 404, 404, 404]);
      await addMembers(server, app.id, { read: [reader] });
      assert.deepEqual(await attempts(), [200, 200, 200, 403, 403, 403, 403, 403]);
      await addMembers(server, app.id, { write: [reader] });
      assert.deepEqual(await attempts(), [200, 200, 200, 201, 403, 403, 403, 403]);
    });

    test('lets its author change, trash and delete it', async () => {
      const app = await appWith({ access: 'write' });
      const author = await makeUser(server);
      const path = `/api/${plural}/${(await write(app, { text: 'mine' }, author)).id}`;
      const done = await statusesOf(author, [
        ['PATCH', path],
        ['POST', `${path}/trash`],
        ['POST', `${path}/restore`],
        ['DELETE', path],
        ['GET', `${path}?trashed=true`],
      ]);
      assert.deepEqual(done, [200, 200, 200, 204, 404]);
    });
  });
}

/** The statuses of a user's requests, sent one after the other; those that accept a body have one. */
export async function statusesOf(
  by: Caller,
  requests: readonly (readonly [method: string, path: string])[],
): Promise<number[]> {
  const statuses: number[] = [];
  for (const [method, path] of requests) {
    const body = method === 'PATCH' || /(comments|posts|messages)$/.test(path) ? { text: 'x' } : undefined;
    statuses.push((await by.call(method, path, method === 'GET' ? undefined : body)).status);
  }
  return statuses;
}
