import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { makeBlob, makeFile } from 'confab-testing/fixtures.ts';
import { type Answer, before, freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { assertCount, callersIn, callersOf, cellsOfEngine, countCells, likeAbsent } from './cells.ts';
import { expectedStatus, levelIn, type Policy } from './policy.ts';
import { type Caller, inEachForm, makeWorld, type Place, type World } from './world.ts';

/** The intent of one operation on files. */
type Intent = Policy & {
  /**
   * The value of `{app}` or `{id}` in the path: the files app of the place, or a file of two versions by the author.
   */
  readonly of: 'app' | 'file';
  readonly body?: (caller: Caller) => unknown;
  /** Whether a success removes what the next caller needs. */
  readonly isEnd?: true;
  /** How many events a change has, if not one. */
  readonly events?: number;
};

const common = { hidden: 404, inTrash: 'gone' } as const;
const read = { ...common, need: 'read', success: 200 } as const;
const self = { ...read, isForUsers: true, of: 'file' } as const;
const change = { ...common, need: 'author', refused: 403, success: 200, of: 'file' } as const;
const words = { ...change, need: 'words' } as const;
const end = { ...change, isEnd: true, alwaysChanges: true } as const;

/** The table. */
const intents: { readonly [operation: string]: Intent } = {
  createFile: {
    ...common,
    need: 'write',
    refused: 403,
    success: 201,
    of: 'app',
    alwaysChanges: true,
    body: async ({ kind, headers }) => ({
      blob_id: kind === 'nobody' ? 1 : await makeBlob(server, { as: null, headers }),
    }),
  },
  listAppFiles: { ...read, of: 'app' },
  listFiles: { need: 'credential', success: 200, of: 'app' },
  getFile: { ...read, of: 'file' },
  updateFile: { ...words, alwaysChanges: true, body: () => ({ name: freshUid('name') }) },
  trashFile: end,
  restoreFile: change,
  holdFile: { ...end, need: 'moderate', events: 2 },
  approveFile: { ...change, need: 'moderate' },
  deleteFile: { ...end, success: 204 },
  lockFile: { ...end, need: 'moderate' },
  unlockFile: { ...change, need: 'moderate' },
  subscribeFile: self,
  unsubscribeFile: self,
  listFileVersions: { ...read, of: 'file' },
  getFileVersion: { ...read, of: 'file' },
  restoreFileVersion: { ...words, alwaysChanges: true },
  deleteFileVersion: { ...end, success: 204 },
};

const absent = 987_654_321;
const asAuthor = { headers: { 'x-confab-user': 'w-author' } };
let world: World;
let now = Date.parse('2026-11-21T08:00:00Z');
let cells = 0;
const files = new Map<Place, number>();

const server = useServer({}, { clock: { now: () => now }, isQuiet: true });
before(async () => {
  world = inEachForm(
    await makeWorld(server, () => {
      now += 60_000;
    }),
  );
  for (const place of world.places) await makeVersions(place);
});
const watch = useStoreWatch(server);

function appOf(place: Place): string {
  const app = place.apps.find((uid) => uid.endsWith('files'));
  assert.ok(app !== undefined);
  return app;
}

/** Makes the file of a place, with two versions. */
async function makeVersions(place: Place): Promise<void> {
  const app = appOf(place);
  if (place.isTrashed) await server.call('POST', `/api/apps/${app}/restore`);
  const id = await makeFile(server, app, asAuthor);
  const blob_id = await makeBlob(server, asAuthor);
  const answer = await server.call('PATCH', `/api/files/${id}`, { blob_id, backup: true }, asAuthor);
  assert.deepEqual([answer.status, answer.body.version], [200, 2]);
  if (place.isTrashed) await server.call('POST', `/api/apps/${app}/trash`);
  files.set(place, id);
}

async function send(id: string, of: number | string, caller: Caller, body?: unknown): Promise<Answer> {
  const operation = operationList.find((known) => known.id === id);
  assert.ok(operation !== undefined, id);
  const path = operation.path.replace(/\{(?:app|id)\}/, String(of)).replace('{version}', '1');
  return await server.call(operation.method, path, body, { as: null, headers: caller.headers });
}

/** How many changes the log has. */
function changes(): number {
  return Number(watch.rows('select count(*) as n from events')[0]?.['n']);
}

const assertLikeAbsent = likeAbsent();
const isTried = cellsOfEngine();

async function tryCell(id: string, intent: Intent, caller: Caller, place: Place): Promise<void> {
  const body = await intent.body?.(caller);
  const before = changes();
  const of = intent.of === 'app' ? appOf(place) : (files.get(place) ?? 0);
  const answer = await send(id, of, caller, body);
  const told = changes() - before;
  cells += 1;
  assert.equal(answer.status, expectedStatus(intent, caller, place, 'id'), answer.text);
  if (answer.status < 300) {
    const { events = 1 } = intent;
    assert.ok(told <= events, 'one change is told twice');
    if (intent.alwaysChanges === true)
      assert.equal(told, events, 'it was answered as done and nothing was told');
    if (intent.isEnd === true) await makeVersions(place);
    return;
  }
  assert.equal(told, 0, 'it was refused and something was told');
  const isHidden = levelIn(caller, place) === 'none' || place.isTrashed;
  if (answer.status === 404 && isHidden)
    await assertLikeAbsent(answer, `${id} by ${caller.name}`, () => send(id, absent, caller, body));
}

// Every operation on files, by every kind of caller in every state of an app, has the intended status and appends one
// event for a change.
describe('the access matrix of files', () => {
  test('has a row for each operation on files that is not specified', () => {
    const owned = operationList.filter(({ tag }) => tag === 'Files').map(({ id }) => id);
    assert.deepEqual(Object.keys(intents).sort(), owned.sort());
  });

  for (const [id, intent] of Object.entries(intents))
    test(`of ${id}`, async () => {
      const declared = operationList.find((known) => known.id === id);
      for (const status of [intent.hidden, intent.refused])
        assert.ok(status === undefined || declared?.errors.includes(status), `${status} is not declared`);
      const wrong: string[] = [];
      for (const place of world.places)
        for (const caller of callersIn({ callers: callersOf(id, world.callers) }, place)) {
          const status = expectedStatus(intent, caller, place, 'id');
          if (!isTried(id, { status, kind: caller.kind })) continue;
          try {
            await tryCell(id, intent, caller, place);
          } catch (error) {
            wrong.push(`${caller.name} in ${place.name}: ${error instanceof Error ? error.message : error}`);
          }
        }
      assert.deepEqual(wrong, []);
    });

  test('is counted', (t) => {
    t.diagnostic(`access matrix of files: ${cells} cells, each with its exact status`);
    const ids = Object.keys(intents);
    assertCount(cells, { all: countCells(world, ids), operations: ids.length });
  });
});

// A blob belongs to its uploader until something uses it: to all others except API keys it does not exist.
describe('the access matrix of blobs', () => {
  const external = { provider: 'Drive', link: 'https://drive.example.com/1', name: 'a.gdoc' };
  const form = () => {
    const body = new FormData();
    body.set('blob', new Blob(['some text']), 'a.txt');
    return body;
  };
  const made: [operation: string, path: string, body: () => unknown][] = [
    ['createBlob', '/api/blobs', form],
    ['createExternalBlob', '/api/blobs/external', () => external],
  ];
  for (const [operation, path, body] of made)
    test(`of ${operation}`, async () => {
      for (const { name, kind, headers } of world.callers) {
        const { status } = await server.call('POST', path, body(), { as: null, headers });
        assert.equal(status, kind === 'nobody' ? 401 : 201, name);
      }
    });

  test('of createImportBlob', async () => {
    for (const { name, kind, headers } of world.callers) {
      const { status } = await server.call('POST', '/api/blobs/import', form(), { as: null, headers });
      assert.equal(status, kind === 'key' ? 201 : 401, name);
    }
  });

  test('of getBlob', async () => {
    const ids = [
      await makeBlob(server, asAuthor),
      (await server.call('POST', '/api/blobs/external', external, asAuthor)).body.id,
    ];
    for (const id of ids)
      for (const caller of world.callers) {
        const answer = await send('getBlob', id, caller);
        const owned = caller.kind === 'key' || caller.isAuthor === true ? 200 : 404;
        assert.equal(answer.status, caller.kind === 'nobody' ? 401 : owned, caller.name);
        if (answer.status === 404)
          await assertLikeAbsent(answer, `getBlob by ${caller.name}`, () => send('getBlob', absent, caller));
      }
  });
});
