import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Puzzle, SolvedPuzzle } from 'confab-contract/signing-in.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { freshName, newVerifier, signInGuest, solve } from 'confab-testing/visitors.ts';

const open = { access: 'write', visitors: 'write' };

describe('a guest', () => {
  const settings = { CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' };
  const server = useServer(settings, { isQuiet: true });
  const fresh = useServer(settings, { isQuiet: true });

  it('signs in with a name, and writes, edits, answers and deletes', async () => {
    assert.deepEqual(await server.as(null).read('/api/sign-in'), {
      ways: ['guest'],
      has_puzzle: false,
      pictures: 'none',
      comment_pictures: 'none',
      opens_pages: false,
      lacks: ['visitors'],
    });
    const app = await makeApp(server, open);
    const first = await makeComment(server, app.id, { text: 'welcome' });
    const { access_token: token, user } = await signInGuest(server, 'Ada Guest');
    const guest = server.as(token);
    assert.equal(user.way, 'guest');
    const said = await guest.create(`/api/apps/${app.uid}/comments`, { text: 'hello', reply_to: first.id });
    assert.deepEqual(said.created_by, {
      ...{ id: user.id, display_name: 'Ada Guest', is_bot: false, is_guest: true },
    });
    assert.equal(said.reply_to_id, first.id);
    const path = `/api/comments/${said.id}`;
    const edited = await guest.call('PATCH', path, { text: 'hello there' });
    assert.equal(edited.status, 200, edited.text);
    assert.equal(edited.body.text, 'hello there');
    assert.equal((await guest.read(path)).created_by.id, user.id);
    const moderator = await makeUser(server, { name: 'Grace', role: 'moderator' });
    const { data } = await server.as(moderator.token).read(`/api/apps/${app.id}/comments?expand=created_by`);
    const marks = (data as { created_by: { id: number; is_guest?: true } }[]).map(
      ({ created_by: author }) => [author.id === user.id, author.is_guest],
    );
    assert.deepEqual(marks, [
      [false, undefined],
      [true, true],
    ]);
    assert.equal((await guest.read(`/api/apps/${app.id}/comments`)).data.length, 2);
    assert.equal((await guest.call('DELETE', path)).status, 204);
    assert.equal((await guest.call('GET', path)).status, 404);
  });

  it('is told from a moderator and a user on the page and in the feed', async () => {
    const app = await makeApp(server, open);
    const moderator = await makeUser(server, { name: 'Grace Hopper', role: 'moderator' });
    const user = await makeUser(server, { name: 'Jean Bartik' });
    const { access_token: guest } = await signInGuest(server, 'Kathleen Guest');
    let answered: number | undefined;
    for (const by of [moderator.token, user.token, guest].map((token) => server.as(token)))
      answered = (await makeComment(by, app.id, { text: 'x', ...(answered && { reply_to: answered }) })).id;
    await makeComment(server, app.id, { text: 'x', reply_to: answered });
    const address = `${server.url}/pages/${encodeURIComponent(app.uid)}`;
    const page = await (await fetch(address)).text();
    const feed = await (await fetch(`${address}/feed.atom`)).text();
    const heads = [...page.matchAll(/<header><strong>(.*?)<\/strong>(?: to <a[^>]*>(.*?)<\/a>)?/g)];
    const marked = (text = '') => text.replaceAll(/<[^>]*>/g, '');
    assert.deepEqual(
      heads.map(([, author, to]) => [marked(author), marked(to)]),
      [
        ['Grace Hopper (moderator)', ''],
        ['Jean Bartik', 'Grace Hopper (moderator)'],
        ['Kathleen Guest (guest)', 'Jean Bartik'],
        ['System', 'Kathleen Guest (guest)'],
      ],
    );
    const names = [...feed.matchAll(/<author><name>(.*?)<\/name>/g)].map(([, name]) => name);
    assert.deepEqual(names, heads.map(([, author]) => marked(author)).toReversed());
  });

  it('writes no mention, whose words could be anything', async () => {
    const app = await makeApp(server, open);
    const guest = server.as((await signInGuest(server)).access_token);
    const text = 'Ask [**the** owner](@u1), or [x]\n\n[x]: @u1';
    const html = '<p>Ask <strong>the</strong> owner, or x</p>';
    const said = await guest.create(`/api/apps/${app.id}/comments`, { text });
    assert.deepEqual([said.text, said.html?.trim()], [text, html]);
    const preview = await guest.call('POST', '/api/markdown', { text });
    assert.equal(preview.body.html.trim(), html);
    const long = `${text.split('\n')[0]}\n\n${'more words '.repeat(500)}`;
    const edited = await guest.call('PATCH', `/api/comments/${said.id}`, { text: long });
    assert.doesNotMatch(edited.body.html ?? '', /span|mention/);
    assert.match((await makeComment(server, app.id, { text })).html ?? '', /<span class="mention"/);
  });

  it('reacts, reports, and cannot touch what others wrote', async () => {
    const app = await makeApp(server, open);
    const { id } = await makeComment(server, app.id);
    const guest = server.as((await signInGuest(server)).access_token);
    const path = `/api/comments/${id}`;
    assert.equal((await guest.call('POST', `${path}/reactions`, { content: '👍' })).status, 204);
    const counted = await server.as(null).read(path);
    assert.deepEqual(counted.reactions, [{ content: '👍', count: 1 }]);
    assert.equal((await guest.call('DELETE', `${path}/reactions`)).status, 200);
    assert.equal((await guest.call('POST', `${path}/reports`, { reason: 'spam' })).status, 200);
    assert.equal((await guest.call('PATCH', path, { text: 'mine now' })).body.code, 'edit_forbidden');
    assert.equal((await guest.call('DELETE', path)).body.code, 'edit_forbidden');
  });

  it('moderates nothing, so it gets no role', async () => {
    const { user } = await signInGuest(server);
    const answer = await server.call('PATCH', `/api/users/${user.id}`, { role: 'moderator' });
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].pointer, '/role');
  });

  it('writes nowhere else', async () => {
    const guest = server.as((await signInGuest(server)).access_token);
    for (const [fields, status] of [
      [{ access: 'write' }, 404],
      [{ access: 'write', visitors: 'read' }, 403],
      [{ access: 'read', visitors: 'write' }, 403],
      [{ access: 'none', visitors: 'write' }, 404],
    ] as const) {
      const app = await makeApp(server, fields);
      const answer = await guest.call('POST', `/api/apps/${app.id}/comments`, { text: 'x' });
      assert.equal(answer.status, status, `${JSON.stringify(fields)}: ${answer.text}`);
    }
  });

  it('has an address that only API keys see and no mail goes to', async () => {
    const name = freshName();
    const body = { name, email: 'guest@example.com' };
    const { body: signedIn } = await server.call('POST', '/api/sign-in/guest', body, { as: null });
    const user = await server.read(`/api/users/${signedIn.user.id}`);
    assert.equal(user.email, 'guest@example.com');
    assert.equal(user.directory.name, 'visitors');
    const app = await makeApp(server, open);
    const said = await server
      .as(signedIn.access_token)
      .create(`/api/apps/${app.id}/comments`, { text: 'hello' });
    assert.doesNotMatch(JSON.stringify(said), /guest@/);
  });

  it('has a directory that no user of the product and no app is put into', async () => {
    // The name is reserved before a visitor has signed in as well.
    const put = await fresh.call('PUT', '/api/users/early', { directory: 'visitors' });
    assertProblem(put, 422, 'validation_failed', '/directory');
    assertProblem(
      await fresh.call('POST', '/api/directories', { name: 'visitors' }),
      422,
      'validation_failed',
      '/name',
    );
    const { user } = await signInGuest(fresh);
    const { directory } = await fresh.read(`/api/users/${user.id}`);
    const { id } = await fresh.create('/api/directories', { name: 'acme' });
    await fresh.create('/api/users', { uid: 'mia', directory: 'acme', role: 'moderator' });
    const app = await makeApp(fresh, open);
    for (const named of ['visitors', String(directory.id), `00${directory.id}`]) {
      for (const [method, path, rest] of [
        ['PUT', '/api/users/x', {}],
        ['PUT', '/api/users/mia', {}],
        ['PATCH', '/api/users/mia', {}],
        ['POST', '/api/users', { uid: 'y' }],
        ['PATCH', `/api/apps/${app.id}`, {}],
        ['PUT', '/api/apps/x', { type: 'posts' }],
        ['POST', '/api/apps', { uid: 'y', type: 'posts' }],
      ] as const) {
        const answer = await fresh.call(method, path, { ...rest, directory: named });
        assertProblem(answer, 422, 'validation_failed', '/directory');
      }
    }
    const renamed = (path: string | number, name: string) =>
      fresh.call('PATCH', `/api/directories/${path}`, { name });
    assertProblem(await renamed(id, 'visitors'), 422, 'validation_failed', '/name');
    assertProblem(await renamed('visitors', 'open'), 422, 'validation_failed', '/name');
    // Programs repeat what they have read.
    assert.equal((await renamed('visitors', 'visitors')).status, 200);
    const same = await fresh.call('PATCH', `/api/users/${user.id}`, { directory: directory.id.toString() });
    assert.equal(same.status, 200, same.text);
    const { user: next } = await signInGuest(fresh);
    assert.equal((await fresh.read(`/api/users/${next.id}`)).directory.id, directory.id);
    assert.deepEqual(
      (await fresh.as(await fresh.token('mia')).read('/api/users')).data.map(({ uid }) => uid),
      ['mia'],
    );
  });

  it('changes their name, gets what is known of them, and erases themselves', async () => {
    const { access_token: token, user } = await signInGuest(server);
    const guest = server.as(token);
    const name = freshName();
    const renamed = await guest.call('PATCH', '/api/user', { name });
    assert.equal(renamed.body.display_name, name, renamed.text);
    assert.equal((await guest.read('/api/user')).name, name);
    const archive = await guest.call('GET', `/api/users/${user.id}/export`);
    assert.equal(archive.status, 200);
    assert.ok(archive.text.includes(name));
    const { id: other } = (await signInGuest(server)).user;
    assert.equal((await guest.call('GET', `/api/users/${other}/export`)).status, 404);
    assert.equal((await guest.call('DELETE', `/api/users/${other}`)).status, 404);
    assert.equal((await guest.call('DELETE', `/api/users/${user.id}`)).status, 202);
    assert.equal((await guest.call('GET', '/api/user')).status, 401);
  });

  it('gets no token by a key, and is no user to an identity provider', async () => {
    const { user } = await signInGuest(server);
    const { status, body } = await server.call('POST', `/api/users/${user.id}/tokens`, {});
    assert.deepEqual([status, body.code], [422, 'validation_failed']);
  });

  it('becomes no member of an app, and is in no conversation', async () => {
    const app = await makeApp(server, { access: 'write' });
    const { user } = await signInGuest(server);
    const answer = await server.call('PUT', `/api/apps/${app.id}/members/${user.id}`, { access: 'write' });
    assert.equal(answer.status, 404, answer.text);
    const asked = await server.call(
      'POST',
      '/api/conversations',
      { members: [user.id] },
      { as: await server.token('asks') },
    );
    assert.equal(asked.status, 422, asked.text);
  });

  it('leaves users of the product free to open apps', async () => {
    await signInGuest(server);
    const token = await server.token('opens');
    const app = await makeApp(server, { access: 'write' }, { as: token });
    assert.equal(app.access, 'write');
  });

  it('is gone once suspended', async () => {
    const { access_token: token, renewal_secret: secret, user } = await signInGuest(server);
    assert.equal((await server.call('PATCH', `/api/users/${user.id}`, { is_suspended: true })).status, 200);
    assert.equal((await server.as(token).call('GET', '/api/user')).status, 401);
    await server.call('PATCH', `/api/users/${user.id}`, { is_suspended: false });
    const { status } = await server.call(
      'POST',
      '/api/sign-in/renewal',
      { renewal_secret: secret },
      { as: null },
    );
    assert.equal(status, 403);
  });
});

describe('the name of a guest', () => {
  const server = useServer({ CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' }, { isQuiet: true });

  async function refused(name: string): Promise<string> {
    const { status, body, text } = await server.call('POST', '/api/sign-in/guest', { name }, { as: null });
    assert.equal(status, 422, `${name}: ${text}`);
    return body.errors[0].code;
  }

  it('is given once, whoever asks for it at once', async () => {
    const [shared, ...others] = Array.from({ length: 8 }, freshName);
    // They are the first visitors, so each of them would make the directory.
    const names = [...Array.from({ length: 8 }, () => shared), ...others];
    const answers = await Promise.all(
      names.map((name) => server.call('POST', '/api/sign-in/guest', { name }, { as: null })),
    );
    const taken = answers.filter(({ status }) => status === 422);
    assert.equal(taken.length, 7);
    for (const answer of taken) assertProblem(answer, 422, 'validation_failed', '/name');
    const given = answers.filter(({ status }) => status === 200);
    assert.deepEqual(given.map(({ body: { user } }) => user.name).toSorted(), [shared, ...others].toSorted());
  });

  it('looks like that of no moderator', async () => {
    const app = await makeApp(server, open);
    await signInGuest(server, 'Somebody Else');
    await server.create('/api/users', { uid: 'admin', name: 'Modest Admin', role: 'moderator' });
    await server.create('/api/users', { uid: 'boss', name: 'Grace Boss' });
    await server.call('PUT', `/api/apps/${app.id}/members/boss`, { access: 'write', role: 'moderator' });
    for (const name of [
      'Modest Admin',
      'modest admin',
      'MODESTADMIN',
      'Rnodest Adrnin',
      'Módest Âdmin',
      'Modest-Admin',
      'Ｍｏｄｅｓｔ Ａｄｍｉｎ',
      '𝐌𝐨𝐝𝐞𝐬𝐭 𝐀𝐝𝐦𝐢𝐧',
      'Grace Boss',
      'Grace B0ss',
    ])
      assert.equal(await refused(name), 'taken', name);
  });

  // Each letter is drawn like the one of the name, by its shape, in a box, with strokes, or in another script.
  it('looks like that of no moderator in any letters of Unicode', async () => {
    await server.create('/api/users', { uid: 'anna', name: 'Admin Anna', role: 'moderator' });
    const taken = [
      ...['Adᴍin Anna', 'ᴀdmin ᴀnna', 'ᴀᴅᴍɪɴ ᴀɴɴᴀ', 'Admin Annɐ', 'Admin Ann₳', '🅰dmin Anna', '🅐dmin Anna'],
      ...['🄰dmin Anna', 'Ⓐdmin Anna', 'ⓐⓓⓜⓘⓝ Anna', '🇦dmin Anna', 'Ađmin Anna', 'Aɗmin Anna', 'Adɱin Anna'],
      ...['𝔄𝔡𝔪𝔦𝔫 𝔄𝔫𝔫𝔞', 'Adｍin Anna', 'Admin Anña', 'Adm1n Anna', 'Admin Аппа', '@Admin Anna!'],
    ];
    for (const name of taken) assert.equal(await refused(name), 'taken', name);
    for (const name of [
      'Aժmin Anna',
      'Admin Aᥒᥒa',
      'Admin Aпna',
      'Аdmin Anna',
      'Ꭺdmin',
      'ꓮdmin',
      'Αnna',
      'Modest Admіn',
    ])
      assert.equal(await refused(name), 'invalid', name);
    await server.create('/api/users', { uid: 'second', name: 'Anna', role: 'moderator' });
    assert.equal(await refused('Аппа'), 'taken');
  });

  it('may be in any script, and in several', async () => {
    for (const name of [
      ...[
        'Анна Smith',
        'Мария',
        'Γιώργος',
        '김민수',
        '山田太郎',
        'サンドイッチー',
        'Tシャツ',
        'K팝',
        'Zoë',
        "O'Brien",
      ],
      ...['Łukasz', 'Đặng', 'محمد', 'שרה', 'नमस्ते', 'Հայկ', 'ᎠᎹᎦ', 'Hannah 🙂', 'R2D2', 'X Æ A-12', 'ᥓᥙᥒ'],
    ])
      assert.equal((await signInGuest(server, name)).user.name, name);
  });

  it('is none with which Confab signs or marks others', async () => {
    for (const name of ['System', 'Deleted user', 'deleted-user', 'Moderator', 'Admin'])
      assert.equal(await refused(name), 'taken', name);
  });

  it('looks like that of no other visitor, until that one is gone', async () => {
    const { access_token: token } = await signInGuest(server, 'Lovelace');
    assert.equal(await refused('Lovelace'), 'taken');
    assert.equal(await refused('Love1ace'), 'taken');
    const other = server.as((await signInGuest(server)).access_token);
    assert.equal((await other.call('PATCH', '/api/user', { name: 'LoveIace' })).status, 422);
    assert.equal((await server.as(token).call('DELETE', '/api/sign-in')).status, 204);
    assert.equal((await signInGuest(server, 'Lovelace')).user.name, 'Lovelace');
  });

  it('is seen, and stays in its line', async () => {
    for (const name of [
      ' ',
      '\u200b',
      '...',
      '\u3164',
      'a\u202eb',

      `a${'\u0301'.repeat(9)}`,
      '\u2066x',
    ])
      assert.equal(await refused(name), 'invalid', JSON.stringify(name));
    assert.equal((await signInGuest(server, '  Zoë \t Q  ')).user.name, 'Zoë Q');
  });
});

describe('a puzzle', () => {
  let now = Date.parse('2026-11-26T10:00:00Z');
  const server = useServer({ CONFAB_SIGN_IN: 'guest' }, { clock: { now: () => now }, isQuiet: true });

  async function puzzle(): Promise<Puzzle> {
    const { status, body } = await server.call('POST', '/api/sign-in/puzzle', undefined, { as: null });
    assert.equal(status, 200);
    return body;
  }

  async function signIn(solved?: unknown) {
    const body = { name: freshName(), ...(solved === undefined ? {} : { puzzle: solved }) };
    return await server.call('POST', '/api/sign-in/guest', body, { as: null });
  }

  it('signs a guest in once', async () => {
    assert.deepEqual(await server.as(null).read('/api/sign-in'), {
      ways: ['guest'],
      has_puzzle: true,
      pictures: 'none',
      comment_pictures: 'none',
      opens_pages: false,
      lacks: ['visitors'],
    });
    const solved = await solve(await puzzle());
    assert.equal((await signIn(solved)).status, 200);
    const again = await signIn(solved);
    assert.deepEqual([again.status, again.body.code], [403, 'puzzle_unsolved']);
  });

  it('is refused unsolved, made easier, of another server, and late', async () => {
    const given = await puzzle();
    const solved = await solve(given);
    const { solution } = solved;
    const easier = { ...given, parameters: { ...given.parameters, keyPrefix: '0' } };
    const wrong: readonly (SolvedPuzzle | undefined)[] = [
      undefined,
      { challenge: given, solution: { ...solution, counter: solution.counter + 1 } },
      { challenge: given, solution: { ...solution, derivedKey: '00'.repeat(32) } },
      { challenge: { ...given, signature: '00'.repeat(32) }, solution },
      await solve(easier),
      { challenge: { ...given, parameters: { ...given.parameters, data: { until: 4e9 } } }, solution },
    ];
    for (const one of wrong) {
      const answer = await signIn(one);
      assert.deepEqual([answer.status, answer.body.code], [403, 'puzzle_unsolved'], JSON.stringify(one));
    }
    now += 301_000;
    assert.equal((await signIn(solved)).status, 403);
  });
});

describe('a server that lets no visitor sign in', () => {
  const server = useServer({ CONFAB_CORS_ORIGINS: 'https://blog.example.com' }, { isQuiet: true });

  it('says so', async () => {
    assert.deepEqual(await server.as(null).read('/api/sign-in'), {
      ways: [],
      has_puzzle: false,
      pictures: 'none',
      comment_pictures: 'none',
      opens_pages: false,
      lacks: ['sign_in', 'visitors'],
    });
    assert.equal((await server.call('POST', '/api/sign-in/guest', { name: 'A' }, { as: null })).status, 404);
    assert.equal((await server.call('POST', '/api/sign-in/puzzle', undefined, { as: null })).status, 404);
    const { challenge } = newVerifier();
    for (const [path, body] of [
      ['', { email: 'a@example.com', origin: 'https://blog.example.com', challenge }],
      ['/code', { ticket: 'x', code: '000000' }],
      ['/link', { secret: 'x', challenge }],
      ['/refusal', { secret: 'x' }],
    ] as const) {
      const { status } = await server.call('POST', `/api/sign-in/email${path}`, body, { as: null });
      assert.equal(status, 404, path);
    }
  });
});
