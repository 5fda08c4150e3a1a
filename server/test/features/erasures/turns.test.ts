import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeApp, makeComment, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch, writeStore } from 'confab-testing/stores/store-watch.ts';
import { signInGuest } from 'confab-testing/visitors.ts';
import { createBlobLinks } from '../../../src/features/blobs/blob-links.ts';
import { createErasing } from '../../../src/features/erasures/erasing.ts';
import { noteLastIds } from '../../../src/features/erasures/newest-ids.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { openBlobFolder } from '../../../src/storage/folder.ts';

// Without its own loop of erasures.
const server = useServer({ CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' }, { isQuiet: true });
const watch = useStoreWatch(server);

let ahead = 0;
const clock = {
  ...systemClock,
  now: () => (systemClock.now() + ahead) as ReturnType<typeof systemClock.now>,
};
let steps = 0;

type Erasing = ReturnType<typeof createErasing>;

async function loop(): Promise<Erasing> {
  const storage = await openBlobFolder(join(server.folder, 'blobs'), clock.now());
  const links = createBlobLinks({ secret: 'secret', publicUrl: () => server.url, clock, lifeMs: 60_000 });
  return createErasing({ db: server.running.db, clock, storage, links });
}

/** Does steps until none is due; returns the users in the order in which they are gone. */
async function run(erasing: Erasing): Promise<number[]> {
  const order: number[] = [];
  const gone = () =>
    watch
      .rows('select user_id from erasures where finished_at is not null')
      .map(({ user_id }) => Number(user_id));
  const known = new Set(gone());
  for (;;) {
    steps += 1;
    const isResting = await erasing.step().then(
      (next) => next !== 0,
      () => false,
    );
    for (const id of gone()) {
      if (!known.has(id)) order.push(id);
      known.add(id);
    }
    if (isResting) return order;
  }
}

/** Makes rows of a table out of its newest one, as an import does. */
function multiply(table: string, count: number): void {
  const names = watch
    .rows(`select * from ${table} limit 1`)
    .flatMap((row) => Object.keys(row))
    .filter((name) => name !== 'id')
    .map((name) => `"${name}"`)
    .join(', ');
  writeStore(
    server.folder,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     insert into ${table} (${names}) select ${names} from n, (select * from ${table} order by id desc limit 1) as newest`,
  );
}

async function guest() {
  const { access_token: token, user } = await signInGuest(server);
  return { ...server.as(token), id: Number(user.id) };
}

/** Where visitors come from, behind a trusted proxy. */
const headers = { 'x-forwarded-for': '203.0.113.7' };

async function eraseSelf({ call, id }: Awaited<ReturnType<typeof guest>>): Promise<void> {
  const { status, text } = await call('DELETE', `/api/users/${id}`, undefined, { headers });
  assert.equal(status, 202, text);
}

const eraseByKey = async ({ id }: { readonly id: number }) => {
  const { status, text } = await server.call('DELETE', `/api/users/${id}`);
  assert.equal(status, 202, text);
};

let bob: Person;
let appId: number;
before(async () => {
  bob = await makeUser(server, { name: 'Bob' });
  appId = (await makeApp(server, { access: 'write', visitors: 'write' })).id;
});

// What a visitor may ask for must not cost as much as the store is large.
describe('the erasure of somebody who has just come', () => {
  it('takes as many steps beside 40,000 events and comments as beside none', async () => {
    const erasing = await loop();
    const stepsOf = async () => {
      await eraseSelf(await guest());
      steps = 0;
      await run(erasing);
      return steps;
    };
    await stepsOf();
    const alone = await stepsOf();
    await makeComment(bob, appId, { text: 'old' });
    for (const table of ['entries', 'events']) multiply(table, 40_000);
    await noteLastIds(server.running.db);
    const beside = await stepsOf();
    assert.ok(beside <= alone + 5, `${beside} steps, ${alone} without`);
  });

  it('finds what was said of them in a text that is older than they are', async () => {
    const old = await makeComment(bob, appId, { text: 'older' });
    for (const table of ['entries', 'events']) multiply(table, 3000);
    await noteLastIds(server.running.db);
    const ada = await makeUser(server, { name: 'Ada Later' });
    await bob.call('PATCH', `/api/comments/${old.id}`, { text: `[Ada Later](@u${ada.id})` });
    await eraseByKey(ada);
    await run(await loop());
    assert.equal((await server.read(`/api/comments/${old.id}`)).text, 'Deleted user');
    const left = watch.rows("select id from entries where content like '%Ada Later%'");
    assert.deepEqual(left, []);
  });

  it('finds what an account wrote that is older and became a part of theirs', async () => {
    const old = await guest();
    const { id } = await makeComment(old, appId, { text: 'by the older account' });
    for (const table of ['entries', 'events']) multiply(table, 3000);
    writeStore(
      server.folder,
      `delete from entries where id > ${id} and content like '%by the older account%'`,
    );
    await noteLastIds(server.running.db);
    const heir = await guest();
    await eraseSelf(old);
    writeStore(
      server.folder,
      `update erasures set heir_id = ${heir.id}, content = 'keep' where user_id = ${old.id}`,
    );
    await eraseByKey(heir);
    // The operator's erasure waits for the one by which the user inherits.
    assert.deepEqual(await run(await loop()), [old.id, heir.id]);
    assert.deepEqual(watch.rows("select id from entries where content like '%by the older account%'"), []);
  });
});

// Anyone can be many guests; an operator has a duty to erase in time.
describe('the turn of an erasure', () => {
  it('comes to those of keys before those of visitors', async () => {
    const guests = [await guest(), await guest(), await guest()];
    for (const each of guests) await eraseSelf(each);
    const ada = await makeUser(server);
    await eraseByKey(ada);
    const [first, ...others] = await run(await loop());
    assert.equal(first, ada.id);
    assert.deepEqual(others.toSorted(), guests.map(({ id }) => id).toSorted());
  });

  it('passes to the others while one fails, which is tried again later each time', async () => {
    const [ada, eve] = [await makeUser(server), await makeUser(server)];
    const [event] = watch.rows(
      `select id, payload from events where entity_type = 'user' and entity_id = ${ada.id}`,
    );
    const setPayload = (text: string) =>
      writeStore(
        server.folder,
        `update events set payload = '${text.replaceAll("'", "''")}' where id = ${event?.id}`,
      );
    setPayload(`"torn": {"created_by_id":${ada.id},`);
    await eraseByKey(ada);
    await eraseByKey(eve);
    const erasing = await loop();
    assert.deepEqual(await run(erasing), [eve.id]);
    const state = () => watch.rows(`select failures, due_at from erasures where user_id = ${ada.id}`)[0];
    const waits: number[] = [];
    for (let tries = 1; tries <= 12; tries += 1) {
      assert.equal(Number(state()?.failures), tries);
      const wait = Number(state()?.due_at) - clock.now();
      waits.push(Math.ceil(wait / 1000));
      ahead += wait + 1;
      assert.deepEqual(await run(erasing), []);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    setPayload(String(event?.payload));
    ahead += 600_001;
    assert.deepEqual(await run(erasing), [ada.id]);
  });

  it('comes again at once where the clock that put it off was ahead', async () => {
    const ada = await makeUser(server);
    await eraseByKey(ada);
    writeStore(
      server.folder,
      `update erasures set failures = 3, due_at = ${clock.now() + 900_000} where user_id = ${ada.id}`,
    );
    assert.deepEqual(await run(await loop()), [ada.id]);
  });
});

describe('the erasures of visitors', () => {
  it('are limited by their address in a day, and those of keys are not', async () => {
    const settings = { CONFAB_TRUSTED_PROXIES: '127.0.0.1', CONFAB_LIMITS_ADDRESS: 'erasure=2' };
    await server.restart(undefined, settings);
    await eraseSelf(await guest());
    await eraseSelf(await guest());
    const third = await guest();
    const answer = await third.call('DELETE', `/api/users/${third.id}`, undefined, { headers });
    assertProblem(answer, 429, 'rate_limited');
    assert.equal((await third.call('GET', '/api/user')).status, 200);
    await eraseByKey(third);
  });
});
