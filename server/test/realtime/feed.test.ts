import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { poll } from 'confab-testing/poll.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

type Page = { data: any[]; next: number; has_more: boolean };

async function page(query: string, as = server.key): Promise<Page> {
  const { status, body } = await server.call('GET', `/api/events?${query}`, undefined, { as });
  assert.equal(status, 200);
  return body;
}

/** Reads the feed to its end, a few events at a time. */
async function readAll(after: number, as = server.key, top = 7): Promise<any[]> {
  const events = [];
  for (let cursor = after, more = true; more; ) {
    const { data, next, has_more } = await page(`after=${cursor}&top=${top}`, as);
    assert.ok(data.length <= top && next >= cursor);
    events.push(...data);
    [cursor, more] = [next, has_more];
  }
  return events;
}

/** Reads the feed backwards from its end, a few events at a time. */
async function readBack(query: string, as = server.key, from = Number.MAX_SAFE_INTEGER): Promise<any[]> {
  const events = [];
  for (let before = from, more = true; more; ) {
    const { data, next, has_more } = await page(`${query}&before=${before}&top=7`, as);
    assert.ok(data.length <= 7 && next <= before);
    events.push(...data);
    [before, more] = [next, has_more];
  }
  return events;
}

const end = async () => (await page('after=9007199254740991')).next;

/** The newest position. */
async function newest(): Promise<number> {
  let cursor = 0;
  for (let more = true; more; ) {
    const { next, has_more } = await page(`after=${cursor}&top=100`);
    [cursor, more] = [next, has_more];
  }
  return cursor;
}

// The feed is the log in order: each event once and complete, with the position to continue from.
describe('the feed of events', () => {
  test('shows each event as webhooks receive it, with its position', async () => {
    const ada = await makeUser(server, { name: 'Ada' });
    const app = await makeApp(server, { access: 'write' });
    const after = await newest();
    const comment = await makeComment(server, app.id, { text: 'x' }, { as: ada.token });
    const { data, next, has_more } = await page(`after=${after}`);
    const [event] = data.filter(({ action }) => action === 'comment_created');
    assert.deepEqual([event.id, has_more], [event.position, false]);
    assert.ok(next >= event.position);
    assert.deepEqual(
      [event.actor.id, event.comment.id, event.timestamp, event.type],
      [ada.id, comment.id, comment.created_at, 'comment.created'],
    );
    assert.deepEqual(event.comment.parent, { id: app.id, type: 'app' });
    assert.deepEqual(await page(`after=${next}`), { data: [], next, has_more: false });
  });

  test('is lenient about its query, and strict on request', async () => {
    const defaults = await page('');
    assert.equal(defaults.data.length, Math.min(25, defaults.next));
    assert.equal((await page('top=0&after=x')).data.length, 1);
    assert.equal((await page('top=1000')).data[0].position, defaults.data[0].position);
    assert.equal(await end(), 9007199254740991);
    const headers = { authorization: `Bearer ${server.key}`, prefer: 'handling=strict' };
    const strict = await fetch(`${server.url}/api/events?after=x`, { headers });
    assert.deepEqual([strict.status, JSON.parse(await strict.text()).errors[0].parameter], [400, 'after']);
    assert.equal((await server.call('GET', '/api/events', undefined, { as: null })).status, 401);
  });

  test('shows a user what the user may see at the time of the call', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const after = await newest();
    const [hidden, open] = [await makeApp(server), await makeApp(server, { access: 'read' })];
    for (const { id } of [hidden, open]) await makeComment(server, id);
    await server.call('POST', `/api/apps/${open.id}/subscribe`, undefined, { as: bob.token });
    const seen = async (as: string) =>
      (await readAll(after, as)).map(({ action, app, comment }) => `${action} ${app?.id ?? comment?.app_id}`);
    const ofOpen = [`app_created ${open.id}`, `comment_created ${open.id}`];
    assert.deepEqual(
      (await seen(ada.token)).filter((line) => ofOpen.includes(line)),
      ofOpen,
    );
    assert.ok((await seen(ada.token)).every((line) => !line.endsWith(` ${hidden.id}`)));
    await server.call('PUT', `/api/apps/${hidden.id}/members/${ada.uid}`);
    const ofHidden = [`app_created ${hidden.id}`, `comment_created ${hidden.id}`];
    assert.deepEqual(
      (await seen(ada.token)).filter((line) => ofHidden.includes(line)),
      ofHidden,
    );
    await server.call('POST', `/api/apps/${hidden.id}/trash`);
    assert.ok(!(await seen(ada.token)).includes(`comment_created ${hidden.id}`));
    await server.call('POST', `/api/users/${bob.uid}/tokens`);
    assert.ok((await seen(server.key)).some((line) => line.startsWith('token_issued')));
    assert.ok(!(await seen(bob.token)).some((line) => line.startsWith('token_issued')));
  });

  test('skips any number of events that a user may not see', async () => {
    const ada = await makeUser(server);
    const hidden = await makeApp(server);
    const after = await newest();
    for (let n = 0; n < 12; n += 1)
      await Promise.all(Array.from({ length: 100 }, () => makeComment(server, hidden.id)));
    const open = await makeApp(server, { access: 'read' });
    const { id } = await makeComment(server, open.id);
    const first = await page(`after=${after}&top=100`, ada.token);
    assert.deepEqual([first.data, first.has_more], [[], true]);
    const rest = await readAll(first.next, ada.token);
    assert.deepEqual(
      rest.filter(({ comment }) => comment !== undefined).map(({ comment }) => comment.id),
      [id],
    );
  });

  test('is read backwards, each event once, for keys and for users', async () => {
    const ada = await makeUser(server);
    const open = await makeApp(server, { access: 'write' });
    for (const text of ['one', 'two']) await makeComment(server, open.id, { text }, { as: ada.token });
    const hidden = await makeApp(server);
    await makeComment(server, hidden.id);
    for (const as of [server.key, ada.token]) {
      const forwards = await readAll(0, as);
      const end = forwards.at(-1)?.position + 1;
      assert.deepEqual(await readBack('', as, end), forwards.toReversed());
      const middle = forwards.at(-3)?.position;
      const { data, next, has_more } = await page(`before=${middle}&top=2`, as);
      assert.deepEqual(data, forwards.slice(-5, -3).reverse());
      // What a user may not see may be passed over as well.
      assert.ok(next <= data.at(-1)?.position && has_more);
    }
    const first = (await page('top=1')).data[0]?.position;
    assert.deepEqual(await page(`before=${first}`), { data: [], next: first, has_more: false });
    const last = await newest();
    const [event] = (await page('after=5&before=9007199254740991&top=1')).data;
    assert.ok(event.position >= last);
  });

  test('finds what happened to one thing, however long ago, with the rights of the reader', async () => {
    const ada = await makeUser(server);
    const bob = await makeUser(server);
    const app = await makeApp(server);
    await server.call('PUT', `/api/apps/${app.id}/members/${ada.uid}`, { access: 'write' });
    const { id } = await makeComment(server, app.id, { text: 'followed' }, { as: ada.token });
    for (let n = 0; n < 12; n += 1)
      await Promise.all(Array.from({ length: 100 }, () => makeComment(server, app.id)));
    await server.call('PATCH', `/api/comments/${id}`, { text: 'edited' }, { as: ada.token });
    await server.call('POST', `/api/comments/${id}/reactions`, { content: '👍' }, { as: ada.token });
    await server.call('POST', `/api/comments/${id}/trash`);
    const of = async (query: string, as?: string) =>
      (await readBack(query, as)).map(({ action }: { action: string }) => action);
    const changes = ['comment_trashed', 'comment_updated', 'comment_created'];
    const about = `entity_type=comment&entity_id=${id}`;
    assert.deepEqual(await of(about), changes);
    assert.deepEqual((await page(`${about}&top=1`)).data[0]?.action, 'comment_trashed');
    assert.deepEqual(await of(about, ada.token), changes);
    assert.deepEqual(await of(about, bob.token), []);
    assert.deepEqual(await of(`entity_type=comment&entity_id=987654321`), []);
    assert.equal((await of(`entity_type=user&entity_id=${ada.id}`)).at(-1), 'user_created');
  });

  test('has every event once and in order for a reader who follows concurrent writers', async () => {
    const app = await makeApp(server);
    const after = await newest();
    let isDone = false;
    const writers = Array.from({ length: 8 }, async () => {
      const ids = [];
      for (let n = 0; n < 50; n += 1) ids.push((await makeComment(server, app.id)).id);
      return ids;
    });
    const written = Promise.all(writers).finally(() => {
      isDone = true;
    });
    const positions: number[] = [];
    const comments: number[] = [];
    for (let cursor = after, more = true; more || !isDone; ) {
      const wasDone = isDone;
      const { data, next, has_more } = await page(`after=${cursor}&top=10`);
      for (const event of data) {
        positions.push(event.position);
        if (event.action === 'comment_created') comments.push(event.comment.id);
      }
      [cursor, more] = [next, has_more || !wasDone];
    }
    const made = await written;
    const inOrder = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
    assert.deepEqual(inOrder(comments), inOrder(made.flat()));
    // Comments that are committed together may have their events in another order than their ids.
    for (const own of made)
      assert.deepEqual(
        comments.filter((id) => own.includes(id)),
        own,
      );
    assert.deepEqual(
      positions,
      [...new Set(positions)].sort((a, b) => a - b),
    );
    assert.equal(positions.length, (positions.at(-1) ?? 0) - after, 'a position was left out');
  });
});

// The stream is the same log as it grows, and a client that reconnects has no gap.
describe('the stream of events', () => {
  test('sends a key everything from now on, and a user what the user may see', async () => {
    const ada = await makeUser(server);
    const [hidden, open] = [await makeApp(server), await makeApp(server, { access: 'read' })];
    const readers = [await readEvents(server), await readEvents(server, { as: ada.token })];
    const [first, second] = [await makeComment(server, hidden.id), await makeComment(server, open.id)];
    for (const reader of readers) await reader.waitFor(({ comment }) => comment?.id === second.id);
    assert.deepEqual(
      readers.map(({ events }) =>
        events.filter(({ comment }) => comment !== undefined).map(({ comment }) => comment.id),
      ),
      [[first.id, second.id], [second.id]],
    );
    for (const reader of readers) await reader.close();
  });

  test('continues after a reader’s last event, without gap or repetition, during writes', async () => {
    const app = await makeApp(server, { access: 'read' });
    const ada = await makeUser(server);
    const start = await newest();
    const writing = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 60; n += 1) await makeComment(server, app.id);
      }),
    );
    const events: any[] = [];
    for (let reconnects = 0; reconnects < 6; reconnects += 1) {
      const last = String(events.at(-1)?.position ?? start);
      const reader = await readEvents(server, { as: ada.token, last });
      const wanted = Math.min(240, events.length + 40);
      await poll('more events', () => (events.length + reader.events.length >= wanted ? true : undefined));
      await reader.close();
      events.push(...reader.events);
    }
    await writing;
    const whole = (await readAll(start)).filter(({ comment }) => comment?.app_id === app.id);
    assert.ok(events.length >= 240);
    assert.deepEqual(
      events.map(({ position }) => position),
      whole.slice(0, events.length).map(({ position }) => position),
    );
  });

  test('begins where `after` says, takes the token in its query, and prefers what the reader had', async () => {
    const app = await makeApp(server, { access: 'read' });
    const ada = await makeUser(server);
    const start = await newest();
    const [first, second] = [await makeComment(server, app.id), await makeComment(server, app.id)];
    const path = `/api/events/stream?after=${start}&access_token=${ada.token}`;
    const response = await fetch(server.url + path);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    await response.body?.cancel();
    const reader = await readEvents(server, { as: ada.token, path: `/api/events/stream?after=${start}` });
    const event = await reader.waitFor(({ comment }) => comment?.id === first.id);
    await reader.waitFor(({ comment }) => comment?.id === second.id);
    await reader.close();
    const later = await readEvents(server, {
      path: `/api/events/stream?after=${start}`,
      last: String(event.position),
    });
    await later.waitFor(({ comment }) => comment?.id === second.id);
    assert.ok(later.events.every(({ position }) => position > event.position));
    await later.close();
  });

  test('ends with the credential it was opened with', async () => {
    const ada = await makeUser(server);
    const app = await makeApp(server, { access: 'read' });
    const reader = await readEvents(server, { as: ada.token });
    await server.call('DELETE', `/api/users/${ada.uid}/tokens`);
    await makeComment(server, app.id);
    assert.equal(await poll('the end of the stream', () => (reader.state.ended ? true : undefined)), true);
    assert.deepEqual(reader.events, []);
    const refused = await readEvents(server, { as: ada.token });
    assert.equal(refused.status, 401);
  });

  test('for a HEAD has only headers', async () => {
    const { status, headers, text } = await server.call('HEAD', '/api/events/stream');
    assert.deepEqual([status, text], [200, '']);
    assert.match(headers.get('content-type') ?? '', /event-stream/);
  });
});
