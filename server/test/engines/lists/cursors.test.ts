import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import {
  makeApp,
  makeBlob,
  makeComment,
  makeDirectory,
  makeFile,
  makeUser,
  makeWebhook,
} from 'confab-testing/fixtures.ts';
import { type Random, seededRandom } from 'confab-testing/harness/random.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Answer, before, freshUid, use, useServer } from 'confab-testing/server.ts';

let now = Date.parse('2026-11-21T08:00:00Z');
// Some rows are created in the same millisecond, so that orders by time have ties.
const server = useServer({}, { clock: { now: () => now } });
const caller = use(() => makeUser(server));

type Items = { id: number; data: { id: number }[]; start: number; end: number; count?: number };

async function call(method: string, path: string, body?: object, as = server.key) {
  const answer: Answer<Items> = await server.call(method, path, body, { as });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer;
}

/** The path of the next page, from the `Link` header. */
function nextOf(headers: Headers): string | undefined {
  const link = headers.get('link');
  if (link === null) return undefined;
  const [, url = ''] = /^<([^<>]+)>; rel="next"$/.exec(link) ?? [];
  assert.ok(url.startsWith(`${server.url}/`), link);
  return url.slice(server.url.length);
}

/** A list whose rows change: each `add` creates a row and returns a function that removes it. */
type Changing = {
  readonly path: string;
  readonly id: string;
  readonly as?: string;
  readonly add: () => Promise<{ id: number; remove?: () => Promise<unknown> }>;
};

async function changingLists(): Promise<Changing[]> {
  const comments = (await makeApp(server)).id;
  const files = (await makeApp(server, { type: 'files' })).id;
  const room = (await makeApp(server)).id;
  const { id: comment } = await makeComment(server, comments);
  const reported = (await makeApp(server, { access: 'write' })).id;
  const reporters = await Promise.all([makeUser(server), makeUser(server), makeUser(server)]);
  const reacting = await makeUser(server);
  await call('PUT', `/api/apps/${comments}/members/${reacting.id}`);
  const { token } = caller;
  let made = 0;
  const isOdd = () => {
    made += 1;
    if (made % 3 === 0) now += 1;
    return made % 2 === 1;
  };
  const trashed = (kind: string, id: number) => ({
    id,
    remove: () => call('POST', `/api/${kind}/${id}/trash`),
  });
  const addComment = async () => {
    const { id } = await makeComment(server, comments);
    if (isOdd()) await call('PATCH', `/api/comments/${id}`, { text: 'changed' });
    return trashed('comments', id);
  };
  const addReply = async () => {
    const { id } = await makeComment(server, comments, { text: 'words', reply_to: comment });
    if (isOdd()) await call('POST', `/api/comments/${id}/reactions`, { content: '👍' }, reacting.token);
    return trashed('comments', id);
  };
  const addFile = async () => {
    const id = await makeFile(server, files);
    if (isOdd()) await call('PATCH', `/api/files/${id}`, { name: `${made % 4} ${freshUid('file')}.txt` });
    return trashed('files', id);
  };
  const addUser = async () => {
    const { id } = await makeUser(
      server,
      isOdd() ? { name: `Name ${made % 4}`, email: `${made % 5}@x.org` } : {},
    );
    if (made % 4 === 0) await call('PATCH', `/api/users/${id}`, { comment: 'changed' });
    return trashed('users', id);
  };
  const addApp = async () => {
    const { id } = await makeApp(server, isOdd() ? { name: `App ${made % 4}`, type: 'posts' } : {});
    if (made % 4 === 0) await call('PATCH', `/api/apps/${id}`, { name: 'changed' });
    return trashed('apps', id);
  };
  const addMember = async () => {
    const { id } = await makeUser(server, { name: `Name ${made % 4}` });
    await call('PUT', `/api/apps/${room}/members/${id}`, { access: isOdd() ? 'read' : 'write' });
    return { id, remove: () => call('DELETE', `/api/apps/${room}/members/${id}`) };
  };
  const addStar = async () => {
    const { id } = await makeApp(server, { access: 'write' });
    await call('POST', `/api/apps/${id}/stars`, undefined, token);
    return { id, remove: () => call('DELETE', `/api/apps/${id}/stars`, undefined, token) };
  };
  const addWebhook = async () => {
    const id = await makeWebhook(server);
    if (isOdd())
      await call('PATCH', `/api/webhooks/${id}`, { payload_url: `http://127.0.0.1:9/${made % 4}` });
    return { id, remove: () => call('DELETE', `/api/webhooks/${id}`) };
  };
  const addDirectory = async () => {
    isOdd();
    const id = await makeDirectory(server, freshUid('directory'));
    return { id, remove: () => call('DELETE', `/api/directories/${id}`) };
  };
  const addReaction = async () => {
    isOdd();
    const user = await makeUser(server);
    await call('PUT', `/api/apps/${comments}/members/${user.id}`);
    const path = `/api/comments/${comment}/reactions`;
    await call('POST', path, { content: '👍' }, user.token);
    const [made] = (await call('GET', `${path}?order_by=id+desc&top=1`)).body.data;
    return { id: made?.id ?? 0, remove: () => call('DELETE', path, undefined, user.token) };
  };
  const addRevision = async () => {
    isOdd();
    await call('PATCH', `/api/comments/${comment}`, { text: freshUid('text') });
    const path = `/api/comments/${comment}/revisions?order_by=id+desc&top=1`;
    return { id: (await call('GET', path)).body.data[0]?.id ?? 0 };
  };
  const addReport = async () => {
    isOdd();
    const { id } = await makeComment(server, reported);
    for (const user of reporters.slice(0, 1 + (made % 3)))
      await call('POST', `/api/comments/${id}/reports`, { reason: 'spam' }, user.token);
    const [report] = (await call('GET', `/api/reports?app=${reported}&order_by=id+desc&top=1`)).body.data;
    const remove = () => call('POST', `/api/reports/${report?.id}/resolve`, { action: 'keep' });
    return { id: report?.id ?? 0, remove };
  };
  const addConversation = async () => {
    const { id } = await server.create(
      '/api/conversations',
      { type: 'chat_room', name: `Room ${made % 3}`, members: [] },
      { as: token },
    );
    if (isOdd()) await server.create(`/api/apps/${id}/messages`, { text: 'hello' }, { as: token });
    if (made % 4 === 0) await call('PUT', `/api/conversations/${id}/pin`, undefined, token);
    return { id, remove: () => call('POST', `/api/apps/${id}/trash`) };
  };
  const blobs = await Promise.all(Array.from({ length: 9 }, () => makeBlob(server)));
  const withFiles = await makeComment(server, comments, { text: 'files', blobs });
  const attached = (await call('GET', `/api/comments/${withFiles.id}/attachments`)).body.data;
  return [
    { id: 'listAppComments', path: `/api/apps/${comments}/comments`, add: addComment },
    { id: 'listComments', path: '/api/comments', add: addComment },
    { id: 'listComments', path: '/api/comments?q=changed&trashed=null', as: token, add: addComment },
    { id: 'listAppFiles', path: `/api/apps/${files}/files`, add: addFile },
    { id: 'listUsers', path: '/api/users', add: addUser },
    { id: 'listReplies', path: `/api/comments/${comment}/replies`, add: addReply },
    { id: 'listApps', path: '/api/apps', add: addApp },
    { id: 'listMembers', path: `/api/apps/${room}/members`, add: addMember },
    { id: 'listStars', path: '/api/stars', as: token, add: addStar },
    { id: 'listWebhooks', path: '/api/webhooks', add: addWebhook },
    { id: 'listDirectories', path: '/api/directories', add: addDirectory },
    { id: 'listCommentReactions', path: `/api/comments/${comment}/reactions`, add: addReaction },
    { id: 'listCommentRevisions', path: `/api/comments/${comment}/revisions`, add: addRevision },
    { id: 'listReports', path: `/api/reports?app=${reported}&state=open`, add: addReport },
    { id: 'listConversations', path: '/api/conversations', as: token, add: addConversation },
    {
      id: 'listCommentAttachments',
      path: `/api/comments/${withFiles.id}/attachments`,
      add: async () => ({ id: attached.pop()?.id ?? 0 }),
    },
  ];
}

/** All ids of a list, read with `skip` while nothing changes. */
async function idsOf(path: string, as: string): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const { data } = (await call('GET', `${path}&top=100&skip=${ids.length}`, undefined, as)).body;
    ids.push(...data.map(({ id }) => id));
    if (data.length < 100) return ids;
  }
}

type Removals = Map<number, () => Promise<unknown>>;

async function addTo(removals: Removals, { add }: Changing): Promise<void> {
  const { id, remove } = await add();
  if (remove !== undefined) removals.set(id, remove);
}

/** Follows the links of a list to its end while rows change; returns the ids seen and those that existed throughout. */
async function readWhileChanging(
  list: Changing,
  { path: first, removals, random }: { path: string; removals: Removals; random: Random },
) {
  const { as = server.key } = list;
  const before = await idsOf(first, as);
  const seen: number[] = [];
  const removed = new Set<number>();
  let path: string | undefined =
    `${first}&count=${random.oneIn(2)}&top=${Math.ceil(before.length / random.integer(2, 6))}`;
  for (let end = 0; path !== undefined; ) {
    const { body, headers } = await call('GET', path, undefined, as);
    const last = end + body.data.length;
    assert.deepEqual([body.start, body.end], body.data.length === 0 ? [0, 0] : [end + 1, last]);
    end = last;
    seen.push(...body.data.map(({ id }) => id));
    path = nextOf(headers);
    if (random.oneIn(2)) await addTo(removals, list);
    const gone = random.oneIn(2) ? random.pick([...removals.keys()]) : undefined;
    if (gone !== undefined) {
      await removals.get(gone)?.();
      removals.delete(gone);
      removed.add(gone);
    }
    assert.ok(seen.length < 1000, 'the list does not end');
  }
  return { seen, throughout: before.filter((id) => !removed.has(id)) };
}

// Rows added or removed before or after the reader's position cause no other row to be repeated or skipped.
describe('a list read by its links', () => {
  test('has every row that exists throughout exactly once, in every order', async (t) => {
    const random = seededRandom(13);
    let reads = 0;
    for (const list of await changingLists()) {
      const removals: Removals = new Map();
      for (let i = 0; i < 9; i += 1) await addTo(removals, list);
      const orders = operationList.find(({ id }) => id === list.id)?.list?.orderBy ?? [];
      assert.ok(orders.length > 0);
      for (const order of orders)
        for (const direction of ['', '+desc']) {
          const path = `${list.path}${list.path.includes('?') ? '&' : '?'}order_by=${order}${direction}`;
          const { seen, throughout } = await readWhileChanging(list, { path, removals, random });
          const times = Map.groupBy(seen, (id) => id);
          const wrong = throughout.filter((id) => times.get(id)?.length !== 1);
          assert.deepEqual(wrong, [], path);
          assert.equal(times.size, seen.length, `${path}: a row came twice`);
          reads += 1;
        }
    }
    t.diagnostic(`${reads} lists read to the end`);
    assert.ok(reads > 80);
  });

  test('is in the order that skipping gives, with the same envelopes', async () => {
    for (const list of await changingLists()) {
      for (let i = 0; i < 5; i += 1) await list.add();
      const { as = server.key } = list;
      const first = `${list.path}${list.path.includes('?') ? '&' : '?'}top=2`;
      let path: string | undefined = first;
      for (let skip = 0; path !== undefined; skip += 2) {
        const { body, headers } = await call('GET', path, undefined, as);
        assert.deepEqual(body, (await call('GET', `${first}&skip=${skip}`, undefined, as)).body);
        assert.equal(nextOf(headers) === undefined, body.end === body.count, path);
        path = nextOf(headers);
      }
    }
  });
});

// An invalid cursor is refused: if it returned the first page, a client would never reach the end.
describe('a cursor', () => {
  const app = use(() => makeApp(server));
  const other = use(() => makeApp(server));
  const comments = () => `/api/apps/${app.id}/comments`;
  const cursorOf = (path: string | undefined) =>
    new URL(path ?? '', server.url).searchParams.get('after') ?? '';
  async function cursor(query = ''): Promise<string> {
    return cursorOf(nextOf((await call('GET', `${comments()}?top=1${query}`)).headers));
  }
  before(async () => {
    for (const text of ['one', 'two', 'three']) await makeComment(server, app.id, { text });
  });

  async function assertRefused(path: string, parameter = 'after', as = server.key) {
    assertProblem(await server.call('GET', path, undefined, { as }), 400, 'invalid_query', parameter);
  }

  test('of another order, direction or list is refused', async () => {
    const after = await cursor('&order_by=created_at');
    await call('GET', `${comments()}?order_by=created_at&after=${after}`);
    await assertRefused(`${comments()}?after=${after}`);
    await assertRefused(`${comments()}?order_by=created_at+desc&after=${after}`);
    await assertRefused(`/api/comments?order_by=created_at&after=${after}`);
    await assertRefused(`/api/apps/${other.id}/files?order_by=created_at&after=${after}`);
  });

  test('that was changed is refused', async () => {
    const text = Buffer.from(await cursor(), 'base64url').toString();
    const parts: unknown[] = JSON.parse(text);
    const changed = [
      text.slice(1),
      `${text} `,
      'null',
      '{}',
      '[]',
      '5',
      JSON.stringify([...parts, 1]),
      ...parts.flatMap((_, index) =>
        [null, 'x', '\0', '\ud800', 1.5, -1e300, [], {}].map((value) =>
          JSON.stringify(parts.with(index, value)),
        ),
      ),
    ].map((json) => Buffer.from(json).toString('base64url'));
    const texts = ['x', 'eyJ', '1', '-1', '%00', '%F0%9F%92%A9', 'a'.repeat(9000), `${await cursor()}=`];
    for (const after of [...changed, ...texts]) await assertRefused(`${comments()}?after=${after}`);
  });

  test('with a value that the order cannot have is refused', async () => {
    const [, users] = [0, '/api/users?order_by=email'];
    const text = ['listUsers', 'email', false, 1, 1];
    for (const keys of [[], [1], ['x', 'y'], ['\0'], ['\ud800'], [true]])
      await assertRefused(
        `${users}&after=${Buffer.from(JSON.stringify([...text, ...keys])).toString('base64url')}`,
      );
    for (const keys of [['x'], [null], [1.5]]) {
      const crafted = ['listAppComments', 'created_at', false, 1, 1, ...keys];
      await assertRefused(
        `${comments()}?order_by=created_at&after=${Buffer.from(JSON.stringify(crafted)).toString('base64url')}`,
      );
    }
  });

  test('cannot be combined with skip, and an empty one counts as absent', async () => {
    await assertRefused(`${comments()}?skip=1&after=${await cursor()}`, 'skip');
    assert.equal((await call('GET', `${comments()}?after=`)).body.start, 1);
  });

  test('of an order by a field that users do not see of each other reveals nothing', async () => {
    await call('PUT', `/api/apps/${app.id}/members/${caller.id}`);
    await makeUser(server, { email: 'hidden@secret.example' });
    const path = '/api/users?order_by=email&top=1';
    const shown = cursorOf(nextOf((await call('GET', path, undefined, caller.token)).headers));
    assert.equal(JSON.parse(Buffer.from(shown, 'base64url').toString()).length, 5);
    const asked = cursorOf(nextOf((await call('GET', path)).headers));
    assert.equal(JSON.parse(Buffer.from(asked, 'base64url').toString()).length, 6);
    await assertRefused(`${path}&after=${asked}`, 'after', caller.token);
  });
});

describe('a link', () => {
  test('keeps the rest of the query unchanged', async () => {
    const { id } = await makeApp(server);
    for (const text of ['a', 'b']) await makeComment(server, id, { text });
    const { headers } = await call(
      'GET',
      `/api/apps/${id}/comments?TOP=1&x=%3E%20&y='"<>&s_kip=0&order_by=id+desc`,
    );
    const next = nextOf(headers) ?? '';
    assert.match(
      next,
      /^\/api\/apps\/\d+\/comments\?after=[\w-]+&TOP=1&x=%3E%20&y=%27%22%3C%3E&order_by=id\+desc$/,
    );
    assert.equal((await call('GET', next)).body.start, 2);
  });

  test('is left out where it would be too long', async () => {
    const { id } = await makeApp(server);
    for (const text of ['a', 'b']) await makeComment(server, id, { text });
    const { headers } = await call('GET', `/api/apps/${id}/comments?top=1&x=${'x'.repeat(4096)}`);
    assert.equal(headers.get('link'), null);
  });

  test('leads through the log of events to its end', async () => {
    const { body, headers } = await server.call('GET', '/api/events?top=2');
    assert.equal(nextOf(headers), `/api/events?after=${body.next}&top=2`);
    const end = await server.call('GET', '/api/events?after=9007199254740991');
    assert.equal(end.headers.get('link'), null);
  });
});
