import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { secondFormOperationList } from 'confab-contract/second-form/operations.ts';
import { type Answer, before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { assertCount, callersIn, cellsOfEngine, likeAbsent, tryCells } from './cells.ts';
import { Supply } from './neighbours.ts';
import { agentUid, type PathValues, type Row, rows, secondFormOperation } from './second-form.ts';
import { type Caller, inEachForm, makeWorld, type Place, type World } from './world.ts';

let world: World;
let supply: Supply;
let now = Date.parse('2026-11-21T08:00:00Z');
let cells = 0;

const server = useServer({}, { clock: { now: () => now }, isQuiet: true });
const makeAgent = async () =>
  await server.call('PUT', `/api/agents/${agentUid}`, { name: 'Guide', directory: 'here' });
before(async () => {
  world = inEachForm(
    await makeWorld(server, () => {
      now += 60_000;
    }),
  );
  supply = new Supply(server, world.callers);
  for (const place of world.places) await supply.fill(place);
  assert.equal((await makeAgent()).status, 201);
});
const watch = useStoreWatch(server);

async function send(id: string, values: PathValues, { headers }: Caller): Promise<Answer> {
  const { method, path } = secondFormOperation(id);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    assert.ok(name in values, `${id} has no value of ${name}`);
    return String(values[name]);
  });
  return (await server.call(method, filled, rows[id]?.body?.(), { as: null, headers })) as Answer;
}

let told = 0;

/** Whether the log has events since the last call; notifications come later, without a request. */
function hasTold(): boolean {
  const before = told;
  const [row] = watch.rows("select count(*) as n from events where action not like 'notification%'");
  told = Number(row?.['n']);
  return told !== before;
}

/** Makes a caller again the member of the chat that they were. */
async function rejoin({ uid, membership, isCreator, isModerator }: Caller, place: Place): Promise<void> {
  if (membership === undefined) return;
  const role = isCreator === true ? { role: 'manager' } : isModerator === true ? { role: 'moderator' } : {};
  const path = `/api/apps/${supply.of(place).chat}/members/${uid}`;
  assert.equal((await server.call('PUT', path, { access: membership, ...role })).status, 204);
}

const assertLikeAbsent = likeAbsent();
const isTried = cellsOfEngine();

/** Who can call it: one that replaces another is there only for those who ask for the second form. */
function callersOf(id: string): Caller[] {
  const { replaces } = secondFormOperation(id);
  return world.callers.filter(({ isOfSecondForm }) => replaces !== true || isOfSecondForm === true);
}

/** Where it is tried: in every place, or in the most open one, where callers without a credential are tried too. */
function placesOf({ isPlaced }: Row): Place[] {
  return world.places.filter(({ access, isTrashed }) => isPlaced || (access === 'write' && !isTrashed));
}

/** Tries an operation on one place as everyone. */
async function tryPlace(id: string, row: Row, place: Place): Promise<string[]> {
  const expected = (caller: Caller) => row.expected(caller, place);
  const tried = callersIn({ callers: callersOf(id) }, place).filter((caller) =>
    isTried(id, { status: expected(caller), kind: caller.kind }),
  );
  cells += tried.length;
  return await tryCells(tried, {
    nameOf: ({ name }) => `${name} in ${place.name}`,
    expected,
    send: (caller) => send(id, row.of(place, supply), caller),
    hasChanged: hasTold,
    isRead: secondFormOperation(id).method === 'GET',
    async accepted(caller, _, hasChanged) {
      if (row.alwaysChanges === true) assert.ok(hasChanged, 'it was answered as done and nothing was told');
      if (row.ends !== undefined) await supply.make(place, row.ends);
      if (id === 'leaveApp') await rejoin(caller, place);
      if (id === 'deleteAgent') assert.equal((await makeAgent()).status, 200);
    },
    async refused(caller, answer) {
      const names = Object.keys(row.of(place, supply)).map((name) => [name, 987_654_321]);
      if (answer.status === 404)
        await assertLikeAbsent(answer, `${id} by ${caller.name}`, () =>
          send(id, Object.fromEntries(names), caller),
        );
    },
  });
}

// Every operation of the second form, by every kind of caller in every state of an app, has the status in the table.
describe('the access matrix of the second form', () => {
  test('has a row for each of its operations', () => {
    assert.deepEqual(
      Object.keys(rows).sort(),
      secondFormOperationList.map(({ id }) => id).sort(),
      'name the operation in `rows` of server/test/access/second-form.ts',
    );
  });

  for (const [id, row] of Object.entries(rows))
    test(`of ${id}`, async () => {
      const wrong: string[] = [];
      for (const place of placesOf(row)) wrong.push(...(await tryPlace(id, row, place)));
      assert.deepEqual(wrong, []);
    });

  test('is counted', (t) => {
    t.diagnostic(`access matrix of the second form: ${cells} cells, each with its exact status`);
    const all = Object.entries(rows).flatMap(([id, row]) =>
      placesOf(row).flatMap((place) => callersIn({ callers: callersOf(id) }, place)),
    ).length;
    assertCount(cells, { all, operations: Object.keys(rows).length });
  });
});
