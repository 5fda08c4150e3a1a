import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeApp, makePost, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { type Random, seededRandom } from 'confab-testing/harness/random.ts';
import { startNodes } from 'confab-testing/nodes.ts';
import { type Caller, startTestServer, type TestServer } from 'confab-testing/server.ts';
import { engine } from 'confab-testing/stores/databases.ts';
import { type StoreWatch, watchStore } from 'confab-testing/stores/store-watch.ts';

type Parsed = any;

/** How many times some requests are sent at once. */
const rounds = 40;
/** A request is one of these; those that matter more are there more often. */
const steps = [
  ...['create', 'create', 'reply', 'reply', 'reply', 'resolve', 'resolve', 'resolve', 'reopen', 'trash'],
  ...['restore', 'restore', 'hold', 'hold', 'approve', 'approve', 'edit', 'edit', 'delete'],
];

let nodes: TestServer[];
let close: () => Promise<void>;
before(async () => {
  if (engine === 'postgres') {
    const { a, b, close: closeAll } = await startNodes();
    [nodes, close] = [[a, b], closeAll];
  } else {
    const server = await startTestServer();
    [nodes, close] = [[server], server.close];
  }
});
after(async () => await close());

type Place = { readonly path: string; readonly type: string; readonly id: number };
type World = {
  readonly random: Random;
  readonly watch: StoreWatch;
  readonly users: readonly Person[];
  readonly places: readonly [Place, Place, Place];
  /** The comments by their ids, with their place and the first comment of their thread. */
  readonly known: Map<number, { readonly place: Place; readonly root: number | undefined }>;
};

async function makeWorld(server: TestServer): Promise<World> {
  const users = await Promise.all([makeUser(server), makeUser(server), makeUser(server)]);
  const fields = { access: 'write', reopening: 'answers', members: { moderator: users.slice(0, 1) } };
  const shown = await makeApp(server, fields);
  const held = await makeApp(server, { ...fields, approval: 'everything' });
  const post = await makePost(server, (await makeApp(server, { ...fields, type: 'posts' })).id);
  const inApp = ({ id }: { id: number }) => ({ path: `/api/apps/${id}/comments`, type: 'app', id });
  return {
    random: seededRandom(7),
    watch: watchStore(server.folder),
    users,
    places: [inApp(shown), inApp(held), { path: `/api/posts/${post}/comments`, type: 'post', id: post }],
    known: new Map(),
  };
}

/** Sends some requests at once, most of them about one thread; whoever may not do what they ask is refused. */
async function walk({ random, users, places, known }: World): Promise<void> {
  const [server] = nodes as [TestServer];
  const ids = [...known.keys()];
  const thread = random.pick(ids.filter((id) => known.get(id)?.root === undefined));
  const near = ids.filter((id) => id === thread || known.get(id)?.root === thread);
  const sendOne = async () => {
    const step = random.draw(steps);
    const as = random.pick([server.key, ...users.map(({ token }) => token)]) ?? '';
    const call = async (method: string, path: string, body?: object): Promise<Parsed> =>
      await random.draw(nodes).call(method, path as '/api/comments/1', body, { as });
    const about = random.pick(random.oneIn(4) ? ids : near);
    const key = `key ${random.integer(1, 3)}`;
    if (step === 'create' || about === undefined) {
      const place = random.draw(places);
      const { body } = await call('POST', place.path, { text: 'first', anchor: { key } });
      known.set(body.id, { place, root: undefined });
    } else if (step === 'reply') {
      const { place, root = about } = known.get(about) as { place: Place; root: number | undefined };
      const { status, body } = await call('POST', place.path, { text: 'reply', reply_to: about });
      if (status === 201) known.set(body.id, { place, root });
    } else if (step === 'edit') {
      const anchor = known.get(about)?.root === undefined && random.oneIn(2) ? { anchor: { key } } : {};
      await call('PATCH', `/api/comments/${about}`, { text: `edit ${random.integer(1, 1e6)}`, ...anchor });
    } else if (step === 'delete') {
      if ((await call('DELETE', `/api/comments/${about}`)).status === 204) known.delete(about);
    } else await call('POST', `/api/comments/${about}/${step}`);
  };
  await Promise.all(Array.from({ length: random.integer(1, 5) }, sendOne));
}

/** Compares what is stored twice: the counts with the rows, and the JSON of a comment with its columns. */
function assertStored({ watch }: World): void {
  const isInJson = `content like '%"resolved_at"%'`;
  const differing = `select id, content from entries where (${isInJson}) <> (resolved_at is not null)`;
  assert.deepEqual(watch.rows(differing), []);
  const conditions = { comment: 'true', answer: 'root_id is not null', resolved: 'resolved_at is not null' };
  for (const [kind, condition] of Object.entries(conditions)) {
    const sum = (of: string) => `sum(case when ${of} then 1 else 0 end)`;
    const isTrashed = 'trashed_at is not null and held_at is null';
    const rows = watch.rows(
      `select parent_type, parent_id, ${sum('trashed_at is null')} as live, ${sum(isTrashed)} as trashed
        from entries where kind = 'comment' and ${condition} group by parent_type, parent_id`,
    );
    const counts = watch.rows(
      `select parent_type, parent_id, live, trashed from tallies where kind = '${kind}'`,
    );
    const [actual, stored] = [rows, counts].map((some) =>
      some
        .map(({ parent_type: type, parent_id: id, live, trashed }) => `${type} ${id}: ${live} + ${trashed}`)
        .filter((count) => !count.endsWith(': 0 + 0'))
        .toSorted(),
    );
    assert.deepEqual(stored, actual, kind);
  }
}

/** Compares a list of threads of one state with the rows, as a caller sees it: without what is held but for their own. */
async function assertListed({ watch, users, places }: World): Promise<void> {
  const callers: (readonly [Caller, number])[] = [...users.map((user) => [user, user.id] as const)];
  for (const { path, type, id: parent } of places)
    for (const resolved of [true, false])
      for (const key of ['', 'key 1'])
        for (const [by, userId] of [...callers, ...nodes.map((node) => [node, 0] as const)]) {
          const ids = watch
            .rows(
              `select id from entries where parent_type = '${type}' and parent_id = ${parent} and kind = 'comment'
                and root_id is null and resolved_at is ${resolved ? 'not null' : 'null'}
                and (trashed_at is null or (held_at is not null and created_by_id = ${userId}))
                ${key === '' ? '' : `and anchor_key = '${key}'`} order by id`,
            )
            .map(({ id }) => id);
          const anchor = key === '' ? '' : `&anchor=${encodeURIComponent(key)}`;
          const { data, count }: Parsed = await by.read(`${path}?resolved=${resolved}&top=100${anchor}`);
          const listed = data.map(({ id }: { id: number }) => id);
          assert.deepEqual([listed, count], [ids, ids.length], `${userId} ${resolved} ${key}`);
        }
}

// Whatever users do to threads at the same time, what is counted and listed is what there is.
describe('threads that many change at once', () => {
  test('have the counts, the fields and the lists of their rows', async () => {
    const world = await makeWorld(nodes[0] as TestServer);
    for (let round = 1; round <= rounds; round += 1) {
      await walk(world);
      assertStored(world);
      if (round % 5 === 0) await assertListed(world);
    }
    const actions = world.watch.rows('select distinct action from events').map(({ action }) => action);
    for (const action of ['resolved', 'reopened', 'held'])
      assert.ok(actions.includes(`comment_${action}`), action);
    world.watch.close();
  });
});
