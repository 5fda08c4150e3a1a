import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { contentKind, contentKinds, makeContent } from 'confab-testing/content.ts';
import { makeApp, makeBlob, makeUser } from 'confab-testing/fixtures.ts';
import { png } from 'confab-testing/pictures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, type Caller, freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { freshName, signInGuest } from 'confab-testing/visitors.ts';
import { rootUrl } from 'confab-tools/places.ts';

const server = useServer(
  {
    CONFAB_SIGN_IN: 'guest',
    CONFAB_SIGN_IN_PUZZLE: 'no',
    CONFAB_SIGN_IN_PICTURES: 'all',
    CONFAB_JITSI_URL: 'https://meet.example.com/',
  },
  { isQuiet: true },
);
const watch = useStoreWatch(server);
const anyone = () => server.as(null);

const helpful = 'Thank you, very helpful!';
const spam = 'CHEAP PILLS';

async function user(fields: object = {}): Promise<Caller> {
  return server.as((await makeUser(server, fields)).token);
}

async function guest(fields: object = {}): Promise<Caller> {
  const { access_token: token, user: made } = await signInGuest(server);
  await server.call('PATCH', `/api/users/${made.id}`, fields);
  return server.as(token);
}

/** Who writes: each is somebody else in every row. */
const authors = {
  guest: () => guest(),
  'trusted guest': () => guest({ is_trusted: true }),
  user: () => user(),
  'trusted user': () => user({ is_trusted: true }),
  moderator: () => user({ role: 'moderator' }),
  key: async (): Promise<Caller> => server,
};
type Author = keyof typeof authors;
const everyone = Object.keys(authors) as Author[];

/** Whose edits are held, by the `approval` of the app. One item of each author has been approved, of two for newcomers. */
const heldEdits: { readonly [approval: string]: readonly Author[] } = {
  everything: ['guest', 'trusted guest', 'user', 'trusted user'],
  newcomers: ['guest', 'user'],
  guests: ['guest'],
  // It holds what a rule matches, whoever but a moderator or a key wrote it; these texts match none.
  rules: [],
  null: [],
};

async function appWith(approval: string, type = 'comments', fields: object = {}) {
  const asked = approval === 'null' ? {} : { approval };
  const count = approval === 'newcomers' ? { approval_count: 2 } : {};
  const visitors = type === 'comments' ? { visitors: 'write' } : {};
  return await makeApp(server, { type, access: 'write', ...visitors, ...asked, ...count, ...fields });
}

/** Everything that people without a credential can see of an app. */
async function shownToAll({ id, uid }: { readonly id: number; readonly uid: string }): Promise<string> {
  const page = `${server.url}/pages/${encodeURIComponent(uid)}`;
  const texts = [page, `${page}/feed.atom`].map(async (address) => await (await fetch(address)).text());
  const list = await anyone().call('GET', `/api/apps/${id}/comments?order_by=id`);
  return [list.text, ...(await Promise.all(texts))].join('\n');
}

async function queued(path: string): Promise<string | undefined> {
  const [, , list = '', id] = path.split('/');
  const { data } = await server.read('/api/reports?held=true&top=1000');
  const type = list.slice(0, -1);
  const found = data.find(({ entity }) => entity.type === type && entity.id === Number(id));
  return found?.held?.reason;
}

// What a moderator approved is what the moderator read: an edit by an author whose creation would be held is held.
describe('an edit of an approved comment', () => {
  for (const [approval, held] of Object.entries(heldEdits))
    for (const author of everyone) {
      const isHeld = held.includes(author);
      it(`of a ${author} is ${isHeld ? 'held' : 'shown'} where the approval is ${approval}`, async () => {
        const app = await appWith(approval);
        const by = await authors[author]();
        const made = await makeContent(by, app.id, { kind: 'comment', words: helpful });
        assert.equal(made.isHeld, isHeld);
        await server.call('POST', `${made.path}/approve`);
        assert.ok((await shownToAll(app)).includes(helpful));

        const { status, body } = await by.call('PATCH', made.path as '/api/comments/1', { text: spam });
        assert.equal(status, 200);
        assert.equal(body.text, spam, 'the author sees the edit');
        assert.equal(body.is_held, isHeld ? true : undefined);
        const shown = await shownToAll(app);
        assert.equal(shown.includes(spam), !isHeld, shown);
        assert.equal(await queued(made.path), isHeld ? 'approval' : undefined);
        assert.equal((await by.read(made.path as '/api/comments/1')).text, spam);

        await server.call('POST', `${made.path}/approve`);
        assert.ok((await shownToAll(app)).includes(spam));
        assert.equal(await queued(made.path), undefined);
      });
    }

  it('is in the table of the guide', async () => {
    const approvals = Object.keys(heldEdits);
    const row = (author: Author) =>
      approvals.map((approval) => (heldEdits[approval]?.includes(author) ? 'held' : 'shown'));
    const table = everyone.map((author) => `| ${[author, ...row(author)].join(' | ')} |`);
    const guide = await readFile(new URL('docs/keeping-a-community.md', rootUrl), 'utf8');
    const head = `${approvals.map((approval) => `\`${approval}\``).join(' | ')} |\n|---|---|---|---|---|---|\n`;
    assert.ok(guide.includes(head + table.join('\n')), table.join('\n'));
  });

  it('that changes nothing holds nothing', async () => {
    const app = await appWith('everything');
    const by = await user();
    const { path } = await makeContent(by, app.id, { kind: 'comment', words: helpful });
    await server.call('POST', `${path}/approve`);
    assert.equal((await by.call('PATCH', path, { text: helpful })).status, 200);
    assert.ok((await shownToAll(app)).includes(helpful));
  });

  it('keeps the place of the comment while answers to it are shown', async () => {
    const app = await appWith('guests');
    const by = await guest();
    const { id, path } = await makeContent(by, app.id, { kind: 'comment', words: helpful });
    await server.call('POST', `${path}/approve`);
    await server.create(`/api/apps/${app.id}/comments`, { text: 'You are welcome', reply_to: id });
    await by.call('PATCH', path, { text: spam });
    const { data } = await anyone().read(`/api/apps/${app.id}/comments?thread=roots`);
    assert.equal(data.length, 1);
    assert.doesNotMatch(JSON.stringify(data), /PILLS|helpful/);
    assert.match(JSON.stringify(data), /You are welcome/);
  });

  it('by an API key is shown, whoever wrote it', async () => {
    const app = await appWith('everything');
    const { path } = await makeContent(await user(), app.id, { kind: 'comment', words: helpful });
    await server.call('POST', `${path}/approve`);
    await server.call('PATCH', path, { text: spam });
    assert.ok((await shownToAll(app)).includes(spam));
  });
});

type Change = {
  readonly kind: string;
  readonly made?: (by: Caller) => Promise<object>;
  readonly edit: (by: Caller, item: { readonly path: string; readonly body: any }) => Promise<unknown>;
};

const patch = (fields: object | ((by: Caller, body: any) => Promise<object>)): Change['edit'] => {
  return async (by, { path, body }) =>
    await by.call('PATCH', path, typeof fields === 'function' ? await fields(by, body) : fields);
};
const poll = async () => ({ options: [{ text: 'Yes' }, { text: 'No' }] });
const withFile = async (by: Caller) => ({ blobs: [await makeBlob(by)] });
const meeting = async (by: Caller) => ({
  meeting_id: (await by.create('/api/meetings', { provider: 'jitsi' })).id,
});
const file = async (by: Caller) => ({ blob_id: await makeBlob(by), name: 'approved.txt' });

/** Each way to change what is shown of something that was approved. */
const changes: { readonly [what: string]: Change } = {
  ...Object.fromEntries(
    ['comment', 'post', 'message'].flatMap((kind): [string, Change][] => [
      [`the text of a ${kind}`, { kind, edit: patch({ text: spam }) }],
      [`the tags of a ${kind}`, { kind, edit: patch({ tags: ['pills'] }) }],
      [`the metadata of a ${kind}`, { kind, edit: patch({ metadata: { link: 'https://spam.example' } }) }],
      [`a poll in a ${kind}`, { kind, edit: patch(poll) }],
      [
        `a word of the poll in a ${kind}`,
        {
          kind,
          made: poll,
          edit: patch(async (_, { options }) => ({
            options: [
              { id: options[0].id, text: 'PILLS' },
              { id: options[1].id, text: 'No' },
            ],
          })),
        },
      ],
      [
        `one answer less in the poll of a ${kind}`,
        { kind, made: poll, edit: patch({ options: [{ text: 'Yes' }] }) },
      ],
      [`an attachment of a ${kind}`, { kind, edit: patch(withFile) }],
      [`one attachment less of a ${kind}`, { kind, made: withFile, edit: patch({ attachments: [] }) }],
      [`the meeting of a ${kind}`, { kind, edit: patch(meeting) }],
      [`no meeting in a ${kind}`, { kind, made: meeting, edit: patch({ meeting_id: null }) }],
    ]),
  ),
  'the name of a file': { kind: 'file', made: file, edit: patch({ name: 'pills.txt' }) },
  'the tags of a file': { kind: 'file', made: file, edit: patch({ tags: ['pills'] }) },
  'the metadata of a file': {
    kind: 'file',
    made: file,
    edit: patch({ metadata: { link: 'https://spam.example' } }),
  },
  'the content of a file': {
    kind: 'file',
    made: file,
    edit: patch(async (by) => ({ blob_id: await makeBlob(by) })),
  },
  'an upload in place of a file': {
    kind: 'file',
    made: file,
    edit: async (by, { body }) =>
      await by.call('POST', `/api/apps/${body.app_id}/files`, { ...(await file(by)), replace: true }),
  },
  'an upload in place of a file in the trash': {
    kind: 'file',
    made: file,
    edit: async (by, { path, body }) => {
      await by.call('POST', `${path}/trash`);
      return await by.call('POST', `/api/apps/${body.app_id}/files`, await file(by));
    },
  },
};

// Everything that is shown of an item is what was approved, whichever part of it an edit changes.
describe('where an app approves everything', () => {
  for (const [what, { kind, made, edit }] of Object.entries(changes))
    it(`holds ${what}`, async () => {
      const { type, list } = contentKind(kind);
      const app = await appWith('everything', type);
      const by = await user();
      const fields = { ...(kind === 'file' ? {} : { text: helpful }), ...(await made?.(by)) };
      const { id } = await by.create(`/api/apps/${app.id}/${list}` as '/api/apps/1/posts', fields);
      const path = `/api/${list}/${id}`;
      const approved = (await server.call('POST', `${path}/approve`)) as { status: number; body: any };
      assert.deepEqual([approved.status, approved.body.is_held], [200, undefined]);
      const reader = await user();
      assert.equal((await reader.call('GET', path)).status, 200);

      const { status, body } = (await edit(by, { path, body: approved.body })) as typeof approved;
      assert.deepEqual([status, body?.is_held], [200, true]);
      assertProblem(await reader.call('GET', path), 404, 'not_found');
      assert.equal((await reader.call('GET', `/api/apps/${app.id}/${list}`)).body.count, 0);
      assert.equal(await queued(path), 'approval');
      assert.equal((await server.call('POST', `${path}/approve`)).status, 200);
      assert.equal((await reader.call('GET', `/api/apps/${app.id}/${list}`)).body.count, 1);
    });

  it('holds an earlier version of a file', async () => {
    const app = await appWith('everything', 'files');
    const by = await user();
    const { id } = await by.create(`/api/apps/${app.id}/files`, await file(by));
    await server.call('POST', `/api/files/${id}/approve`);
    await by.call('PATCH', `/api/files/${id}`, { blob_id: await makeBlob(by), backup: true });
    await server.call('POST', `/api/files/${id}/approve`);
    const { status, body } = await by.call('POST', `/api/files/${id}/versions/1/restore`);
    assert.deepEqual([status, body.is_held], [200, true]);
    assert.equal(await queued(`/api/files/${id}`), 'approval');
  });

  it('tells others nothing of an upload in place of a file in the trash', async () => {
    const app = await appWith('everything', 'files');
    const by = await user();
    const { id } = await by.create(`/api/apps/${app.id}/files`, await file(by));
    await server.call('POST', `/api/files/${id}/approve`);
    await by.call('POST', `/api/files/${id}/trash`);
    const last = watch.rows('select max(id) as id from events')[0]?.['id'];
    const { status, body } = await by.call('POST', `/api/apps/${app.id}/files`, await file(by));
    assert.deepEqual([status, body.is_held], [200, true]);
    const since = async (caller: Caller) =>
      (await caller.read(`/api/events?after=${last}&top=100`)).data.map(({ action }) => action);
    assert.deepEqual(await since(await user()), []);
    assert.deepEqual(
      (await since(server)).filter((action) => action.startsWith('file_')),
      ['file_held'],
    );
    await server.call('POST', `/api/files/${id}/approve`);
    assert.deepEqual(await since(await user()), ['file_restored']);
  });

  it(`tells others of an edit no more than that it is gone`, async () => {
    const reader = await user();
    for (const kind of Object.keys(contentKinds)) {
      const { type, edit } = contentKind(kind);
      const app = await appWith('everything', type);
      const by = await user();
      const { id, path } = await makeContent(by, app.id, { kind, words: helpful });
      await server.call('POST', `${path}/approve`);
      const last = watch.rows('select max(id) as id from events')[0]?.['id'];
      await by.call('PATCH', path, edit);
      const events = await reader.read(`/api/events?after=${last}&top=100`);
      assert.deepEqual(
        events.data.map(({ action }) => action),
        [`${kind}_trashed`],
      );
      assert.doesNotMatch(JSON.stringify(events.data), /other/, `${kind} ${id}`);
    }
  });
});

// A name and a picture stand beside what was approved, so they are what the moderator saw as well.
describe('the name and the picture of a visitor', () => {
  const picture = `data:image/png;base64,${Buffer.from(png(64, 64)).toString('base64')}`;

  /** Changes the name and the picture, and returns the codes of the faults. */
  async function change(by: Caller): Promise<string[]> {
    const codes: string[] = [];
    for (const fields of [{ name: freshName() }, { picture }]) {
      const { status, body } = await by.call('PATCH', '/api/user', fields);
      codes.push(status === 200 ? 'shown' : `${body.errors[0].pointer} ${body.errors[0].code}`);
    }
    return codes;
  }
  const shown = ['shown', 'shown'];
  const refused = ['/name not_allowed', '/picture not_allowed'];

  for (const [approval, held] of Object.entries(heldEdits))
    for (const author of ['guest', 'trusted guest'] as const) {
      const isHeld = held.includes(author);
      it(`of a ${author} ${isHeld ? 'stay' : 'change'} where the approval is ${approval}`, async () => {
        const app = await appWith(approval);
        const by = await authors[author]();
        assert.deepEqual(await change(by), shown, 'before anything is written');
        const before = await by.read('/api/user');
        const { path } = await makeContent(by, app.id, { kind: 'comment' });
        assert.deepEqual(await change(by), isHeld ? refused : shown, 'before it is approved');
        await server.call('POST', `${path}/approve`);
        assert.deepEqual(await change(by), isHeld ? refused : shown, 'once it is approved');
        assert.equal((await by.read('/api/user')).name === before.name, isHeld);
        const same = { name: (await by.read('/api/user')).name, picture: null };
        assert.equal((await by.call('PATCH', '/api/user', same)).status, 200, 'a picture can be removed');
      });
    }

  it('change once the visitor is known on another page of the site', async () => {
    const by = await guest();
    const host = `${freshUid('names')}.example`;
    const [first, second] = [
      await appWith('newcomers', 'comments', { uid: `${host}~1` }),
      await appWith('newcomers', 'comments', { uid: `${host}~2` }),
    ];
    await makeContent(by, second.id, { kind: 'comment' });
    for (const expected of [refused, shown]) {
      const { path } = await makeContent(by, first.id, { kind: 'comment' });
      await server.call('POST', `${path}/approve`);
      assert.deepEqual(await change(by), expected);
    }
  });

  it('change once the visitor is known, or trusted', async () => {
    const app = await appWith('newcomers');
    const by = await guest();
    for (const expected of [refused, shown]) {
      const { path } = await makeContent(by, app.id, { kind: 'comment' });
      await server.call('POST', `${path}/approve`);
      assert.deepEqual(await change(by), expected);
    }
    const { access_token: token, user: made } = await signInGuest(server);
    const other = server.as(token);
    await makeContent(other, (await appWith('guests')).id, { kind: 'comment' });
    assert.deepEqual(await change(other), refused);
    await server.call('PATCH', `/api/users/${made.id}`, { is_trusted: true });
    assert.deepEqual(await change(other), shown);
  });
});

// With `approval: rules` an edit is held where a rule matches it, as a new text is.
describe('where an app approves what rules match', () => {
  const rule = { name: 'Gambling', words: ['casino'], action: 'report' };
  before(async () => {
    const { status } = await server.call('PUT', '/api/moderation/rules', { version: 0, rules: [rule] });
    assert.equal(status, 200);
  });

  for (const [approval, reason] of [
    ['rules', 'rule'],
    ['everything', 'approval'],
    ['null', undefined],
  ] as const)
    it(`queues an edit for ${reason} where the approval is ${approval}`, async () => {
      const app = await appWith(approval);
      const by = await user();
      const { path } = await makeContent(by, app.id, { kind: 'comment', words: helpful });
      await server.call('POST', `${path}/approve`);
      await by.call('PATCH', path, { text: 'Come to the casino' });
      assert.equal(await queued(path), reason);
    });

  it('looks at the names of visitors', async () => {
    const { version } = await server.read('/api/moderation/rules');
    const refusing = { name: 'Pills', pattern: 'pills', action: 'hold' };
    await server.call('PUT', '/api/moderation/rules', { version, rules: [rule, refusing] });
    const named = await anyone().call('POST', '/api/sign-in/guest', { name: 'Buy pills' });
    assertProblem(named, 422, 'validation_failed', '/name');
    const by = await guest();
    assertProblem(
      await by.call('PATCH', '/api/user', { name: 'Buy Pills' }),
      422,
      'validation_failed',
      '/name',
    );

    const app = await appWith('rules');
    const gambler = server.as((await signInGuest(server, 'Casino Royal')).access_token);
    const { path, isHeld } = await makeContent(gambler, app.id, { kind: 'comment', words: helpful });
    assert.deepEqual([isHeld, await queued(path)], [true, 'rule']);
    const product = await user({ name: 'Casino Palace' });
    assert.equal((await makeContent(product, app.id, { kind: 'comment' })).isHeld, false);
  });

  it('keeps the name of a guest whose text a rule holds in an app that approves as well', async () => {
    const { version } = await server.read('/api/moderation/rules');
    const holding = { name: 'Pills', words: ['pills'], action: 'hold' };
    await server.call('PUT', '/api/moderation/rules', { version, rules: [holding] });
    for (const first of [spam, helpful]) {
      const app = await appWith(first === spam ? 'everything' : 'null');
      const by = await guest();
      const { path } = await makeContent(by, app.id, { kind: 'comment', words: first });
      if (first === helpful) {
        await server.call('PATCH', `/api/apps/${app.id}`, { approval: 'everything' });
        await by.call('PATCH', path, { text: spam });
      }
      assert.equal(await queued(path), 'rule');
      await server.call('POST', `${path}/approve`);
      const renamed = await by.call('PATCH', '/api/user', { name: freshName() });
      assertProblem(renamed, 422, 'validation_failed', '/name');
    }
  });

  it('lets a guest take another name after an edit that changes nothing', async () => {
    const app = await appWith('null');
    const by = await guest();
    const { path } = await makeContent(by, app.id, { kind: 'comment', words: helpful });
    await server.call('PATCH', `/api/apps/${app.id}`, { approval: 'everything' });
    assert.equal((await by.call('PATCH', path, { text: helpful })).status, 200);
    assert.equal((await by.call('PATCH', '/api/user', { name: freshName() })).status, 200);
  });

  it('finds a picture of a pattern in names, however it is spelled', async () => {
    const { version } = await server.read('/api/moderation/rules');
    const loving = { name: 'Love', pattern: '❤️', action: 'hold' };
    await server.call('PUT', '/api/moderation/rules', { version, rules: [rule, loving] });
    const by = await guest();
    for (const heart of ['❤️', '❤']) {
      const renamed = await by.call('PATCH', '/api/user', { name: `${heart} ${freshName()}` });
      assertProblem(renamed, 422, 'validation_failed', '/name');
    }
  });
});
