import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { levelIn } from './policy.ts';
import { type Caller, makePlace, makeWorld, type Place } from './world.ts';

let callers: readonly Caller[];
let places: readonly Place[];
let checks = 0;
let now = Date.parse('2026-11-21T08:00:00Z');

const server = useServer({}, { clock: { now: () => now } });
before(async () => {
  const world = await makeWorld(server, () => {
    now += 60_000;
  });
  const homeless = await makeUser(server, {}, 'w-homeless');
  callers = [
    ...world.callers.filter(({ kind }) => kind !== 'nobody'),
    {
      name: 'a stranger of no directory',
      kind: 'token',
      headers: { authorization: `Bearer ${homeless.token}` },
    },
  ];
  const bound: Place[] = [];
  for (const access of ['none', 'read', 'write'] as const)
    bound.push(await makePlace(server, { access, isTrashed: false, directory: 'here' }));
  places = [...world.places, ...bound];
});
type Trashed = 'true' | 'false' | 'null';

function isShown(isTrashed: boolean, asked: Trashed): boolean {
  return asked === 'null' || (asked === 'true') === isTrashed;
}

/** The uids of the apps that a caller may know of. */
function appsOf(caller: Caller, trashed: Trashed): string[] {
  return places
    .filter((place) => levelIn(caller, place) !== 'none' && isShown(place.isTrashed, trashed))
    .flatMap(({ apps }) => apps);
}

/** The ids of the comments that a caller may know of: none in an app that is in the trash. */
function commentsOf(caller: Caller): number[] {
  return places
    .filter((place) => levelIn(caller, place) !== 'none' && !place.isTrashed)
    .map(({ comment }) => comment);
}

async function page(caller: Caller, path: string) {
  checks += 1;
  const { body } = await server.call('GET', path, undefined, { as: null, headers: caller.headers });
  return body;
}

type Item = { id: number; uid: string };

// A list contains only what its reader may see, for any query, and its count covers nothing else.
describe('a list of everything', () => {
  for (const trashed of ['false', 'true', 'null'] as const)
    for (const filter of [
      'tag=world',
      'q=w',
      'q=w+comments&tag=world',
      'tag=world&type=files',
      'tag=world&contextual=true',
    ])
      test(`of apps with ${filter} and trashed=${trashed}`, async () => {
        for (const caller of callers) {
          const query = `${filter}&trashed=${trashed}`;
          const type = filter.includes('comments') ? 'comments' : filter.includes('files') ? 'files' : '';
          const expected = appsOf(caller, trashed).filter((uid) => uid.endsWith(type));
          const body = await page(caller, `/api/apps?top=100&${query}`);
          const uids = body.data.map(({ uid }: Item) => uid);
          assert.deepEqual(uids.sort(), expected.sort(), caller.name);
          assert.equal(body.count, expected.length, caller.name);
          assert.deepEqual(await page(caller, `/api/apps?count_only=true&${query}`), {
            count: expected.length,
          });
        }
      });

  for (const filter of ['', 'tag=world&', 'q=leaking&', 'q=%22leaking+words%22&tag=world&', 'trashed=null&'])
    test(`of comments with "${filter}"`, async () => {
      for (const caller of callers) {
        const expected = commentsOf(caller);
        const body = await page(caller, `/api/comments?top=100&${filter}`);
        assert.deepEqual(
          body.data.map(({ id }: Item) => id),
          expected,
          caller.name,
        );
        assert.equal(body.count, expected.length, caller.name);
        assert.deepEqual(await page(caller, `/api/comments?count_only=true&${filter}`), {
          count: expected.length,
        });
      }
    });

  test('of comments in the trash is empty when none is trashed', async () => {
    for (const caller of callers) {
      const body = await page(caller, '/api/comments?trashed=true');
      assert.deepEqual([body.data, body.count], [[], 0], caller.name);
    }
  });

  for (const order of ['id', 'id+desc', 'uid', 'name+desc', 'created_at', 'modified_at+desc'])
    test(`read page by page by ${order} is the same list`, async () => {
      for (const caller of callers) {
        const expected = appsOf(caller, 'false').sort();
        const seen: string[] = [];
        for (let skip = 0; skip < expected.length + 4; skip += 4) {
          const body = await page(caller, `/api/apps?tag=world&order_by=${order}&top=4&skip=${skip}`);
          seen.push(...body.data.map(({ uid }: Item) => uid));
        }
        assert.deepEqual(seen.sort(), expected, caller.name);
      }
    });

  test('expanded shows no member or author of hidden content', async () => {
    for (const caller of callers) {
      const expected = appsOf(caller, 'false').length;
      const body = await page(caller, '/api/apps?tag=world&top=100&expand=members,created_by,modified_by');
      assert.equal(body.data.length, expected, caller.name);
      for (const item of body.data) assert.equal(item.members.count, 5, caller.name);
    }
  });

  test('is requested often enough', (t) => {
    t.diagnostic(`leaks of lists: ${checks} lists compared with what their readers may see`);
    assert.ok(checks > 500);
  });
});
