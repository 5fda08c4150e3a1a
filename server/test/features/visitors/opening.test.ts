import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageUid } from 'confab-contract/values/page-uid.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { freshName } from 'confab-testing/visitors.ts';
import { defaultRates, ratesText } from '../../../src/kernel/rate-limits.ts';

let now = Date.parse('2026-11-26T08:00:00.000Z');
const signingIn = {
  CONFAB_SIGN_IN: 'guest',
  CONFAB_SIGN_IN_PUZZLE: 'no',
  CONFAB_CORS_ORIGINS: 'https://blog.example.com,http://www.example.org:8080',
};
const settings = {
  ...signingIn,
  CONFAB_PAGES_VISITORS: 'write',
  CONFAB_PAGES_APPROVAL: 'none',
  CONFAB_TRUSTED_PROXIES: '127.0.0.1',
  CONFAB_LIMITS_PERSON: ratesText(defaultRates.person),
  CONFAB_LIMITS_ADDRESS: ratesText({ ...defaultRates.address, signin: 1000 }),
};
const server = useServer(settings, { isQuiet: true, clock: { now: () => now } });
const watch = useStoreWatch(server);

let addresses = 0;
let pages = 0;

/** A page of the blog that nobody has commented on. */
function freshPage(): string {
  pages += 1;
  return `blog.example.com~posts~${pages}`;
}

function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

async function guest(address = freshAddress(), by = server) {
  const from = (as: string | null): Sending => ({ headers: { 'x-forwarded-for': address }, as });
  const { body, status, text } = await by.call(
    'POST',
    '/api/sign-in/guest',
    { name: freshName() },
    from(null),
  );
  assert.equal(status, 200, text);
  const as = from(body.access_token);
  const put = (uid: string, sent: object, query: string) =>
    by.call('PUT', `/api/apps/${encodeURIComponent(uid)}${query}`, sent, as);
  return {
    id: body.user.id as number,
    caller: by.as(body.access_token),
    put,
    open: (uid: string) => put(uid, { type: 'comments' }, '?page=true'),
  };
}

const readPage = (uid: string) => server.as(null).call('GET', `/api/apps/${uid}/comments`);

// The first visitor of a page opens it, so a page needs nothing but its script.
describe('a page that a visitor opens', () => {
  it('has the address with the scheme of its site, and none where the uid does not tell it', async () => {
    const ada = await guest();
    const address = 'http://www.example.org:8080/a/b?d=e';
    const long = `blog.example.com~${'x'.repeat(206)}-${'0'.repeat(32)}`;
    for (const [uid, url] of [
      [pageUid(address) ?? '', address],
      [long, undefined],
    ] as const) {
      const { status, body, text } = await ada.open(uid);
      assert.equal(status, 201, text);
      const { metadata } = await server.read(`/api/apps/${body.id}`);
      assert.deepEqual(metadata, url === undefined ? undefined : { url });
    }
  });

  it('belongs to nobody, is for everyone, and takes comments of all', async () => {
    const uid = freshPage();
    assert.equal((await readPage(uid)).status, 401);
    const ada = await guest();
    const made = await ada.open(uid);
    assert.equal(made.status, 201, made.text);
    const { id } = made.body;
    assert.deepEqual(made.body, { id, type: 'comments', uid });
    assert.deepEqual(watch.actionsOf('app', id), ['app_created']);
    assert.equal(watch.rows(`select * from members where app_id = ${id}`).length, 0);
    const seen = await server.read(`/api/apps/${id}`);
    assert.deepEqual(
      [seen.access, seen.visitors, seen.directory_id, seen.created_by.id],
      ['write', 'write', undefined, ada.id],
    );
    assert.deepEqual(seen.metadata, { url: `https://${uid.replaceAll('~', '/')}` });
    await makeComment(ada.caller, id, { text: 'first' });
    await makeComment((await guest()).caller, id, { text: 'second' });
    await makeComment(server.as((await makeUser(server)).token), id, { text: 'third' });
    assert.equal((await readPage(uid)).body.data.length, 3);
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'mine' }],
      ['POST', '/lock', undefined],
      ['POST', '/trash', undefined],
      ['DELETE', '', undefined],
      ['GET', '', undefined],
    ] as const)
      assertProblem(await ada.caller.call(method, `/api/apps/${id}${path}`, body), 401, 'users_only');
  });

  it('is opened once by many at once, and shown to those who come later', async () => {
    const uid = freshPage();
    const guests = await Promise.all(Array.from({ length: 8 }, () => guest()));
    const answers = await Promise.all(guests.map(({ open }) => open(uid)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(7).fill(200), 201]);
    const [id, ...others] = new Set<number>(answers.map(({ body }) => body.id));
    assert.deepEqual(others, []);
    assert.deepEqual(watch.actionsOf('app', id ?? 0), ['app_created']);
  });

  it('may have a port, a query, a long address or no path', async () => {
    const { open } = await guest();
    for (const uid of [
      'example.org:8080~a',
      'blog.example.com',
      'blog.example.com~~p=12~q=:C3:A4',
      `blog.example.com~${'a'.repeat(206)}-${'0123456789abcdef'.repeat(2)}`,
    ]) {
      const { status, text } = await open(uid);
      assert.equal(status, 201, `${uid}: ${text}`);
    }
  });

  it('is announced where visitors sign in', async () => {
    assert.equal((await server.as(null).read('/api/sign-in')).opens_pages, true);
  });

  it('stays as it is where it is there', async () => {
    const { open } = await guest();
    for (const fields of [
      { uid: freshPage(), access: 'write', visitors: 'read', name: 'The name' },
      { uid: 'product-open', access: 'read', visitors: 'read' },
    ]) {
      const app = await makeApp(server, fields);
      const before = await server.read(`/api/apps/${app.id}`);
      const { status, body } = await open(fields.uid);
      assert.deepEqual([status, body], [200, { id: app.id, type: 'comments', uid: fields.uid }]);
      assert.deepEqual(await server.read(`/api/apps/${app.id}`), before);
    }
  });
});

// A stranger takes no uid of a product, and learns of no app.
describe('what no visitor opens', () => {
  const uids: readonly string[] = [
    ...['product-42', 'evil.example.com~a', 'example.com~a', 'blog.example.com.evil.example~a'],
    ...['blog.example.com:8443~a', 'example.org~a', 'www.example.org:8080~a', 'BLOG.example.com~a'],
    // These name a page otherwise than its address does.
    ...['blog.example.com~a~index.html', 'blog.example.com~', 'blog.example.com~a~~utm_source=x'],
    ...['blog.example.com~a:62', 'blog.example.com~:', 'blog.example.com-42', 'blog.example.comX~a'],
  ];
  for (const uid of uids)
    it(`is ${uid}`, async () => {
      assertProblem(await (await guest()).open(uid), 403, 'page_forbidden');
      assert.equal((await server.call('GET', `/api/apps/${encodeURIComponent(uid)}`)).status, 404);
    });

  it('is an app that is closed, in the trash, of a directory or of another type: all in the same words', async () => {
    await server.create('/api/directories', { name: 'of-pages' });
    const { open } = await guest();
    const refusals = [(await open('product-42')).body];
    for (const fields of [
      { access: 'write' },
      { access: 'none', visitors: 'write' },
      { access: 'write', visitors: 'write', directory: 'of-pages' },
      { type: 'posts', access: 'write' },
    ]) {
      const uid = freshPage();
      await makeApp(server, { uid, ...fields });
      refusals.push((await open(uid)).body);
    }
    const { id, uid } = await makeApp(server, { uid: freshPage(), access: 'write', visitors: 'write' });
    assert.equal((await server.call('POST', `/api/apps/${id}/trash`)).status, 200);
    refusals.push((await open(uid)).body);
    assert.equal((await server.read(`/api/apps/${id}?trashed=true`)).is_trashed, true);
    const words = refusals.map(({ status, code, detail }) => `${status} ${code} ${detail}`);
    assert.deepEqual([...new Set(words)], ['403 page_forbidden Visitors cannot open this page.']);
  });

  it('is anything but a page of comments, asked for with nothing else', async () => {
    const { put, caller } = await guest();
    const uid = freshPage();
    for (const [sent, query] of [
      [{ type: 'comments' }, ''],
      [{ type: 'comments' }, '?page=false'],
      [{}, ''],
      [{ type: 'posts' }, '?page=true'],
      [{ type: 'files' }, '?page=true'],
      [{ type: 'chat_room' }, '?page=true'],
      [{ type: 'comments', name: 'mine' }, '?page=true'],
      [{ type: 'comments', access: 'write' }, '?page=true'],
      [{ type: 'comments', visitors: 'write' }, '?page=true'],
      [{ type: 'comments', uid: freshPage() }, '?page=true'],
      [{ type: 'comments', tags: ['a'] }, '?page=true'],
    ] as const)
      assertProblem(await put(uid, sent, query), 401, 'users_only');
    assertProblem(await put(uid, { type: 'no such type' }, '?page=true'), 422, 'validation_failed');
    const client = { 'x-weavy-source': '@weavy/uikit-web@21.1.2' };
    const asClient = await caller.call('PUT', `/api/apps/${uid}`, { type: 'comments' }, { headers: client });
    assertProblem(asClient, 401, 'users_only');
    assert.equal((await server.call('GET', `/api/apps/${uid}`)).status, 404);
  });

  it('is opened without a credential', async () => {
    const uid = freshPage();
    const path = `/api/apps/${uid}?page=true` as const;
    const { status } = await server.call('PUT', path, { type: 'comments' }, { as: null });
    assert.equal(status, 401);
    assert.equal((await server.call('GET', `/api/apps/${uid}`)).status, 404);
  });

  it('is opened by somebody who is suspended, or from an address that is banned', async () => {
    const suspended = await guest();
    const { status } = await server.call('PATCH', `/api/users/${suspended.id}`, { is_suspended: true });
    assert.equal(status, 200);
    assert.equal((await suspended.open(freshPage())).status, 401);
    const banned = await guest();
    await server.create('/api/bans', { user: String(banned.id), seconds: 600 });
    assertProblem(await banned.open(freshPage()), 403, 'address_banned');
  });
});

// Pages take room, and trying uids tells which apps there are.
describe('a flood of pages', () => {
  it('ends after 20 of a person in a day, of those too that are refused', async () => {
    // The day is that of UTC, and a session lasts an hour.
    now = Date.parse('2026-11-26T23:50:00.000Z');
    const { open } = await guest();
    const uid = freshPage();
    assert.equal((await open(uid)).status, 201);
    for (let tried = 0; tried < 9; tried += 1) assert.equal((await open(freshPage())).status, 201);
    for (let tried = 0; tried < 10; tried += 1) assert.equal((await open(`product-${tried}`)).status, 403);
    const refused = await open(freshPage());
    assertProblem(refused, 429, 'rate_limited');
    assert.equal((await open(uid)).status, 200, 'a page that is there is not counted');
    now += 15 * 60_000;
    assert.equal((await open(freshPage())).status, 201);
  });

  it('ends after 100 of an address', async () => {
    const address = freshAddress();
    let opened = 0;
    for (let person = 0; person < 6; person += 1) {
      const { open } = await guest(address);
      for (let tried = 0; tried < 20; tried += 1) opened += Number((await open(freshPage())).status === 201);
    }
    assert.equal(opened, 100);
  });
});

// Visitors open pages where the operator says so, and only there.
describe('pages of a server where', () => {
  for (const [name, env] of [
    ['only keys make them', { ...signingIn, CONFAB_PAGES: 'keys', CONFAB_PAGES_VISITORS: 'write' }],
    ['visitors only read', { ...signingIn, CONFAB_PAGES_VISITORS: 'read' }],
    ['nothing is said of visitors', signingIn],
    ['no origin is listed', { ...signingIn, CONFAB_CORS_ORIGINS: '', CONFAB_PAGES_VISITORS: 'write' }],
  ] as const)
    describe(name, () => {
      const other = useServer(env, { isQuiet: true });

      it('are not opened by visitors', async () => {
        const { open } = await guest(freshAddress(), other);
        assertProblem(await open('blog.example.com~a'), 403, 'page_forbidden');
        assert.equal((await other.as(null).read('/api/sign-in')).opens_pages, false);
      });
    });
});

// Whoever puts the element into a page sees no error before anybody has written.
describe('a page that nobody has opened yet', () => {
  const list = (uid: string, query = 'page=true') => `/api/apps/${uid}/comments?${query}`;
  const changes = (uid: string) => `/api/apps/${uid}/changes?page=true`;

  it('has an empty list and no stream where clients ask for that, whether it is closed or absent', async () => {
    const absent = freshPage();
    const closed = freshPage();
    await makeApp(server, { uid: closed, access: 'write' });
    const { caller } = await guest();
    const user = await makeUser(server);
    const cases = [
      [server.as(null), absent],
      [server.as(null), closed],
      [caller, absent],
      [caller, closed],
      [user, absent],
      [server, absent],
    ] as const;
    for (const [by, uid] of cases) {
      const { status, body, headers } = await by.call('GET', list(uid, 'page=true&thread=roots&top=5'));
      assert.deepEqual([status, body], [200, { data: [], count: 0, start: 0, end: 0 }]);
      assert.equal(headers.get('allow'), null);
      assert.equal((await by.call('GET', changes(uid))).status, 204);
    }
    for (const path of [
      list(absent, 'page=false'),
      list(closed, ''),
      changes(absent).replace('true', 'false'),
    ])
      assertProblem(await server.as(null).call('GET', path), 401, 'unauthorized');
    assertProblem(await user.call('GET', list(absent, '')), 404, 'not_found');
    const answered = await server.as(null).call('GET', list(absent));
    assert.match(answered.headers.get('cache-control') ?? '', /no-store/);
    assert.equal(answered.headers.get('access-control-allow-origin'), '*');
  });

  it('has its first comment for the next reader', async () => {
    const uid = freshPage();
    const read = () => server.as(null).call('GET', list(uid));
    assert.deepEqual((await read()).body.data, []);
    const ada = await guest();
    await ada.open(uid);
    const { body, headers } = await read();
    assert.deepEqual(body.data, []);
    assert.equal(headers.get('allow'), 'GET, HEAD, POST');
    await makeComment(ada.caller, uid, { text: 'The first' });
    assert.equal((await read()).body.data.length, 1);
  });

  it('refuses a wrong credential, and what a reader without one may not ask', async () => {
    const uid = freshPage();
    assertProblem(await server.as('wyu_wrong').call('GET', list(uid)), 401, 'invalid_credential');
    assertProblem(await server.as(null).call('GET', list(uid, 'page=true&q=x')), 401, 'unauthorized');
  });
});

// By default a moderator reads the first comment of each author, because nobody manages a page that opens itself.
describe('the approval of a page that opens itself', () => {
  const { CONFAB_PAGES_APPROVAL: _, ...defaults } = settings;
  const held = useServer(defaults, { isQuiet: true });

  it('is that of newcomers, and a page that exists keeps what it has', async () => {
    const uid = freshPage();
    const ada = await guest(freshAddress(), held);
    const opened = await ada.open(uid);
    assert.equal((await held.read(`/api/apps/${uid}`)).approval, 'newcomers');
    const { id } = await makeComment(ada.caller, opened.body.id, { text: 'first' });
    assert.deepEqual((await held.as(null).read(`/api/apps/${uid}/comments`)).data, []);
    assert.equal((await held.call('POST', `/api/comments/${id}/approve`)).status, 200);
    await makeComment(ada.caller, opened.body.id, { text: 'second' });
    assert.equal((await held.as(null).read(`/api/apps/${uid}/comments`)).data.length, 2);

    await held.call('PATCH', `/api/apps/${uid}`, { approval: null });
    assert.equal((await ada.open(uid)).status, 200);
    assert.equal((await held.read(`/api/apps/${uid}`)).approval, undefined);
  });

  it('leaves an app that its maker configures alone', async () => {
    const uid = freshPage();
    await held.call('PUT', `/api/apps/${uid}`, { type: 'comments', access: 'write' });
    assert.equal((await held.read(`/api/apps/${uid}`)).approval, undefined);
  });
});

// The first visitor of a page names it, once: afterwards its name is a matter of managers and API keys.
describe('the title of a page that opens itself', () => {
  const openTitled = async (uid: string, title: unknown) =>
    (await guest()).put(uid, { type: 'comments', page_title: title }, '?page=true');
  const nameOf = async (uid: string) => (await server.read(`/api/apps/${uid}`)).name;

  it('becomes the name of the app, and no visitor changes it', async () => {
    const uid = freshPage();
    assert.equal((await openTitled(uid, '  Why\n <b>SQLite</b> ')).status, 201);
    assert.equal(await nameOf(uid), 'Why <b>SQLite</b>');
    assert.equal((await openTitled(uid, 'Cheap pills')).status, 200);
    assert.equal(await nameOf(uid), 'Why <b>SQLite</b>');
    const { text } = await server.as(null).call('GET', `/pages/${uid}`);
    assert.match(text, /Why &lt;b&gt;SQLite&lt;\/b&gt;/);
  });

  it('is at most 200 characters, and is left out where nobody sees it', async () => {
    const uid = freshPage();
    const answer = await openTitled(uid, 'x'.repeat(201));
    assertProblem(answer, 422, 'validation_failed');
    assert.match(answer.text, /page_title/);
    assert.equal((await openTitled(uid, ' \u200b ')).status, 201);
    assert.equal(await nameOf(uid), undefined);
  });

  it('is changed by its owner, and so is the address, with the comments', async () => {
    const [uid, moved] = [freshPage(), freshPage()];
    const ada = await guest();
    const opened = await ada.put(uid, { type: 'comments', page_title: 'Why SQLite' }, '?page=true');
    await makeComment(ada.caller, opened.body.id, { text: 'Because' });
    const change = await server.call('PATCH', `/api/apps/${uid}`, { name: 'Why not', uid: moved });
    assert.equal(change.status, 200);
    assert.equal((await openTitled(moved, 'Cheap pills')).status, 200);
    assert.equal(await nameOf(moved), 'Why not');
    const { data } = await server.as(null).read(`/api/apps/${moved}/comments`);
    assert.deepEqual(
      data.map(({ text }: any) => text),
      ['Because'],
    );
    assert.equal((await openTitled(uid, 'The old address')).status, 201, 'the old uid is free');
  });

  it('names the page of a user, but no app that has one', async () => {
    const user = server.as((await makeUser(server)).token);
    const uid = freshPage();
    const put = (title: string) =>
      user.call('PUT', `/api/apps/${uid}?page=true`, { type: 'comments', page_title: title });
    assert.equal((await put('Beans')).status, 201);
    await put('Pills');
    assert.equal(await nameOf(uid), 'Beans');
  });
});
