import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeWebhook } from 'confab-testing/fixtures.ts';
import { specifiedOperations } from 'confab-testing/operations.ts';
import { type Answer, before, use, useServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import {
  assertCount,
  callersIn,
  callersOf,
  cellsOfEngine,
  countCells,
  faultsOf,
  likeAbsent,
  tryCells,
} from './cells.ts';
import { expectedStatus, levelIn, type Policy, policies } from './policy.ts';
import { appOf, type CellRequest, isUndone, requestOf, undo } from './requests.ts';
import { assertScoped, makeScopedKeys, scopesOfEngine } from './scopes.ts';
import { type Caller, inEachForm, makeWorld, type Place, type World } from './world.ts';

let world: World;
let webhook: number;
let now = Date.parse('2026-11-21T08:00:00Z');
let cells = 0;
let granted = 0;
const started = performance.now();

const server = useServer({}, { clock: { now: () => now }, isQuiet: true });
before(async () => {
  world = inEachForm(
    await makeWorld(server, () => {
      now += 60_000;
    }),
  );
  webhook = await makeWebhook(server);
});
const watch = useStoreWatch(server);
const keys = use(() => makeScopedKeys(server));

/** Who calls with what besides the headers; `null` keeps the key of the server away. */
function send({ method, path, body }: CellRequest, headers: Record<string, string>): Promise<Answer> {
  return server.call(method, path, body, { as: null, headers });
}

/** An answer without what differs from one request to the next. */
function withoutTraces(answer: Answer): string {
  const headers = [...answer.headers].filter(
    ([name]) => !['date', 'x-request-id', 'content-length', 'ratelimit'].includes(name),
  );
  return JSON.stringify([answer.status, headers, { ...answer.body, request_id: '', instance: '' }]);
}

/** Whether what is refused is refused because it may not be seen. */
function isHidden(policy: Policy, caller: Caller, place: Place): boolean {
  if (policy.hidden !== 404 || caller.kind === 'nobody') return false;
  return levelIn(caller, place) === 'none' || (place.isTrashed && policy.inTrash === 'gone');
}

const asKey = (): Record<string, string> => ({ authorization: `Bearer ${server.key}` });

/**
 * Gives the caller the missing right, runs `act` and takes the right back. Returns whether that was possible:
 * membership gives reading and writing, a key on behalf of the caller gives the rest.
 */
async function granting(
  policy: Policy,
  { caller, app }: { caller: Caller; app: string },
  act: (headers: Record<string, string>) => Promise<void>,
): Promise<void> {
  if (caller.kind === 'nobody') {
    const friend = policy.isForUsers === true ? world.callers.find(({ isCreator }) => isCreator) : undefined;
    return act(friend?.headers ?? asKey());
  }
  const byMembership = policy.need === 'read' || policy.need === 'write';
  if (policy.need === 'key' || !byMembership)
    return act(caller.uid === undefined ? asKey() : { ...asKey(), 'x-confab-user': caller.uid });
  const path = `/api/apps/${app}/members/${caller.uid}`;
  if (caller.kind === 'token') await server.call('PUT', path, { access: policy.need });
  await act(caller.headers);
  if (caller.membership !== undefined) await server.call('PUT', path, { access: caller.membership });
  else if (caller.kind === 'token') await server.call('DELETE', path);
}

/** One request of an operation: who asks about what, and by what it is named. */
type Cell = { readonly caller: Caller; readonly place: Place; readonly ref: 'id' | 'uid' };

function nameOf({ caller, place, ref }: Cell): string {
  return `${caller.name} in ${place.name} by ${ref}`;
}

/**
 * The same requests work once the right is there, so that no cell passes for a wrong reason. All cells are of one
 * place, which is taken out of the trash where that hides it.
 */
async function tryWithGrants(id: string, policy: Policy, place: Place, cells: Cell[]): Promise<string[]> {
  const app = appOf(id, place);
  const isBuried = place.isTrashed && policy.inTrash === 'gone';
  const setTrashed = async (verb: 'trash' | 'restore') => {
    if (isBuried) await server.call('POST', `/api/apps/${app}/${verb}`);
  };
  // It is about the requests, which are the same on both engines.
  if (engine === 'postgres') return [];
  // A key asking for itself as a user, and an id where only a uid fits, are refused for ever.
  const helped = cells.filter(
    ({ caller, ref }) =>
      !(policy.isForUsers === true && caller.kind === 'key') &&
      !(policy.takesUidOnly === true && ref === 'id'),
  );
  const grant = async ({ caller, ref }: Cell) => {
    await granting(policy, { caller, app }, async (headers) => {
      const answer = await send(requestOf(id, place, { ref, webhook }), headers);
      assert.equal(answer.status, policy.success, `granted: ${answer.text}`);
      webhook = await undo(server, id, place, webhook);
    });
    granted += 1;
  };
  await setTrashed('restore');
  const wrong: string[] = [];
  for (const some of isUndone(id) ? helped.map((cell) => [cell]) : [helped])
    wrong.push(...(await faultsOf(some, nameOf, grant)));
  await setTrashed('trash');
  return wrong;
}

const assertLikeAbsent = likeAbsent(withoutTraces);
const isTried = cellsOfEngine();

/** Tries an operation on one place as everyone, by its id and by its uid. */
async function tryOperation(id: string, place: Place): Promise<string[]> {
  const policy = policies[id];
  assert.ok(policy !== undefined);
  const expected = ({ caller, ref }: Cell) => expectedStatus(policy, caller, place, ref);
  const wrong: string[] = [];
  for (const ref of ['id', 'uid'] as const) {
    const tried = callersIn({ callers: callersOf(id, world.callers) }, place)
      .map((caller): Cell => ({ caller, place, ref }))
      .filter((cell) => isTried(`${id} by ${ref}`, { status: expected(cell), kind: cell.caller.kind }));
    cells += tried.length;
    const faults = await tryCells(tried, {
      nameOf,
      expected,
      send: async ({ caller }) => await send(requestOf(id, place, { ref, webhook }), caller.headers),
      hasChanged: () => watch.hasCommitted(),
      isRead: requestOf(id, place, { ref, webhook }).method === 'GET',
      async accepted(_, __, hasWritten) {
        if (policy.alwaysChanges === true)
          assert.ok(hasWritten, 'it was answered as done and nothing was written');
        webhook = await undo(server, id, place, webhook);
      },
      async refused({ caller }, answer) {
        if (isHidden(policy, caller, place))
          await assertLikeAbsent(answer, `${id} by ${ref} by ${caller.name}`, () =>
            send(requestOf(id, place, { ref, webhook, isAbsent: true }), caller.headers),
          );
      },
    });
    const refused = tried.filter((cell) => expected(cell) >= 300);
    wrong.push(...faults, ...(await tryWithGrants(id, policy, place, refused)));
  }
  return wrong;
}

// Every operation by every kind of caller in every state of an app has the one status that the table intends.
describe('the access matrix', () => {
  test('has a row for each specified operation', () => {
    assert.deepEqual(Object.keys(policies).sort(), specifiedOperations.map(({ id }) => id).sort());
    for (const { id, success, errors } of specifiedOperations) {
      const policy = policies[id];
      assert.ok(policy !== undefined && success.includes(policy.success), id);
      for (const status of [policy.hidden, policy.refused])
        assert.ok(status === undefined || errors.includes(status), id);
    }
  });

  for (const { id } of specifiedOperations)
    test(`of ${id}`, async () => {
      const wrong: string[] = [];
      for (const place of world.places) wrong.push(...(await tryOperation(id, place)));
      assert.deepEqual(wrong, []);
    });

  for (const operation of specifiedOperations)
    test(`of ${operation.id} with keys of one scope each`, async () => {
      const { id } = operation;
      const policy = policies[id];
      assert.ok(policy !== undefined);
      const ref = policy.takesUidOnly === true ? 'uid' : 'id';
      for (const place of world.places.filter(({ access }) => access === 'none'))
        for (const scope of scopesOfEngine(operation)) {
          watch.hasCommitted();
          const answer = await send(requestOf(id, place, { ref, webhook }), {
            authorization: `Bearer ${keys[scope]}`,
          });
          const hasWritten = watch.hasCommitted();
          assertScoped(answer, operation, { scope, policy, place });
          if (answer.status < 300) webhook = await undo(server, id, place, webhook);
          else assert.equal(hasWritten, false, 'it was refused and something was written');
        }
    });

  test('is counted', (t) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    t.diagnostic(
      `access matrix: ${cells} cells, each with its exact status, ${granted} of them tried again with the right, ${seconds} s`,
    );
    const ids = Object.keys(policies);
    assertCount(cells, { all: countCells(world, ids) * 2, operations: ids.length });
    assert.ok(granted > 2500 || engine === 'postgres');
  });
});
