import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationList } from '../../src/contract/index.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type AppFields, makeApp, makeComment } from '../support/fixtures.ts';
import { use, useServer } from '../support/server.ts';

/** What people without a credential may do: every operation, in apps of every kind, with the exact status. */

const server = useServer({}, { isQuiet: true });

/** The operations of visitors. The contract says the same; here it is the intent. */
const ofVisitors: ReadonlySet<string> = new Set(['getComment', 'listAppComments', 'listReplies', 'watchApp']);
/** Those that are answered for every app, and say nothing of one that is not open. */
const ofAnyApp: ReadonlySet<string> = new Set(['listCounts']);

/** An app, in which visitors read or do not, with a comment. `changed` is a change after it was made. */
type Place = {
  readonly fields: AppFields;
  readonly isOpen: boolean;
  readonly changed?: {
    readonly method: 'POST' | 'PATCH' | 'PUT';
    readonly path: string;
    readonly body?: object;
  };
};

const open = { access: 'write', visitors: 'read' };

const places: { readonly [name: string]: Place } = {
  'is open for reading': { fields: open, isOpen: true },
  'is open for writing': { fields: { ...open, visitors: 'write' }, isOpen: true },
  'users only read': { fields: { ...open, access: 'read' }, isOpen: true },
  'is locked': { fields: open, isOpen: true, changed: { method: 'POST', path: '/lock' } },
  'is not open': { fields: { access: 'write' }, isOpen: false },
  'was open': {
    fields: open,
    isOpen: false,
    changed: { method: 'PATCH', path: '', body: { visitors: null } },
  },
  'is closed to users': { fields: { ...open, access: 'none' }, isOpen: false },
  'is of a directory': { fields: { ...open, directory: 'visited' }, isOpen: false },
  'is in the trash': { fields: open, isOpen: false, changed: { method: 'POST', path: '/trash' } },
};

const directory = use(() => server.create('/api/directories', { name: 'visited' }));

function pathOf({ path }: Operation, things: { readonly app: number; readonly comment: number }): string {
  return path
    .replace('{app}', String(things.app))
    .replaceAll(/\{\w+\}/g, String(path.startsWith('/api/comments/') ? things.comment : 1));
}

for (const [name, { fields, isOpen, changed }] of Object.entries(places))
  test(`visitors of an app that ${name}`, async (t) => {
    assert.ok(directory.id > 0);
    const app = await makeApp(server, fields);
    const comment = await makeComment(server, app.id, { text: 'words' });
    if (changed !== undefined) {
      const { status, text } = await server.call(
        changed.method,
        `/api/apps/${app.id}${changed.path}`,
        changed.body,
      );
      assert.equal(status, 200, text);
    }
    let tried = 0;
    for (const operation of operationList.filter(({ caller }) => caller !== 'anyone')) {
      const path = pathOf(operation, { app: app.id, comment: comment.id });
      const body = operation.method === 'GET' ? undefined : {};
      const isAnswered = ofAnyApp.has(operation.id) || (isOpen && ofVisitors.has(operation.id));
      // A stream has no end.
      const method = isAnswered && operation.media === 'text/event-stream' ? 'HEAD' : operation.method;
      const { status, text } = await server.call(method, path, body, { as: null });
      const expected = isAnswered ? 200 : 401;
      assert.equal(status, expected, `${operation.id}: ${text}`);
      tried += 1;
    }
    const counts = await server.as(null).read(`/api/counts?uid=${app.uid}`);
    assert.deepEqual(counts, { counts: [isOpen ? 1 : 0] });
    t.diagnostic(`${tried} operations`);
  });
