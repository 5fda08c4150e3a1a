import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Comment } from 'confab-contract/comments.ts';
import {
  addMembers,
  makeApp,
  makeBlob,
  makeComment,
  makeFile,
  makePost,
  makeUser,
} from 'confab-testing/fixtures.ts';
import { idsOf } from 'confab-testing/lists.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { testContent } from '../../engines/entries/content.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);
const app = use(() => makeApp(server));

const itemFields = [
  'app_id',
  'attachment_count',
  'attachments',
  'created_at',
  'created_by_id',
  'id',
  'is_trashed',
  'option_count',
  'options',
  'reactions',
  'tags',
];
const texts = ['html', 'plain', 'text'];

const actionsOf = (id: number) => watch.actionsOf('comment', id);

testContent({ kind: 'comment', type: 'comments', server, watch, statements });

// A comment has exactly the fields of specification section 2.4, and those without a value are left out.
describe('a comment', () => {
  test('with nothing in it is allowed and has its empty arrays and counts', async () => {
    const comment = await makeComment(server, app.id, {});
    assert.deepEqual(Object.keys(comment).sort(), [...itemFields, 'created_by', 'parent'].sort());
    const { id, created_at, created_by, created_by_id, ...rest } = comment;
    assert.ok(Number.isSafeInteger(id));
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(created_by.id, created_by_id);
    assert.deepEqual(rest, {
      app_id: app.id,
      parent: { id: app.id, type: 'app' },
      attachment_count: 0,
      attachments: [],
      option_count: 0,
      options: [],
      reactions: [],
      tags: [],
      is_trashed: false,
    });
    const bodiless = await server.call('POST', `/api/apps/${app.id}/comments`);
    assert.equal(bodiless.status, 201);
  });

  test('gives its text as Markdown, as safe HTML and without markup', async () => {
    const text = 'Ready for **review**, see https://example.com/a?b=1&c=2\n\n<script>alert(1)</script>';
    const comment = await makeComment(server, app.id, { text });
    assert.equal(comment.text, text);
    assert.match(comment.html ?? '', /<strong>review<\/strong>/);
    assert.match(comment.html ?? '', /<a [^>]*href="https:\/\/example\.com\/a\?b=1&amp;c=2"/);
    assert.doesNotMatch(comment.html ?? '', /<script/);
    assert.match(comment.plain ?? '', /^Ready for review, see https:\/\/example\.com\/a\?b=1&c=2/);
    assert.deepEqual(await server.read(`/api/comments/${comment.id}`), comment);
  });

  test('keeps metadata as sent and tags trimmed, each once', async () => {
    const metadata = { parent_id: '7', list: [1, { deep: null }], flag: false, '': 'x', ü: 1e-7 };
    const comment = await makeComment(server, app.id, { text: 'x', metadata, tags: [' b', 'a', 'b'] });
    assert.deepEqual(comment.metadata, metadata);
    assert.deepEqual(comment.tags, ['b', 'a']);
  });

  test('has a poll with its options in order', async () => {
    const comment = await makeComment(server, app.id, {
      options: [{ text: ' yes ' }, { text: 'no' }, { text: 'yes' }],
    });
    assert.equal(comment.option_count, 3);
    assert.deepEqual(
      comment.options.map(({ id, ...option }) => [Number.isSafeInteger(id), option]),
      [' yes ', 'no', 'yes'].map((text) => [true, { text, vote_count: 0, has_voted: false, voters: [] }]),
    );
    assert.equal(new Set(comment.options.map(({ id }) => id)).size, 3);
  });

  test('in a list has only the flat fields', async () => {
    const quiet = await makeApp(server);
    const plain = await makeComment(server, quiet.id, {});
    const full = await makeComment(server, quiet.id, { text: 'x', metadata: {}, tags: ['t'] });
    await server.call('PATCH', `/api/comments/${full.id}`, { text: 'y' });
    for (const path of [
      `/api/apps/${quiet.id}/comments`,
      `/api/apps/${quiet.uid}/comments`,
      '/api/comments?top=100',
    ]) {
      const body = await server.read(path);
      const fieldsOf = (id: number) => Object.keys(body.data.find((item: Comment) => item.id === id)).sort();
      assert.deepEqual(fieldsOf(plain.id), itemFields);
      assert.deepEqual(
        fieldsOf(full.id),
        [...itemFields, ...texts, 'metadata', 'modified_at', 'modified_by_id'].sort(),
      );
    }
  });

  test('needs an app of the type comments', async () => {
    for (const type of ['chat', 'files', 'posts', 'chat_room', 'private_chat']) {
      const other = await makeApp(server, { type });
      const answer = await server.call('POST', `/api/apps/${other.id}/comments`, { text: 'x' });
      assertProblem(answer, 422, 'validation_failed');
    }
  });

  test('treats null on create as absent', async () => {
    const nothing = {
      text: null,
      metadata: null,
      tags: null,
      blobs: null,
      options: null,
      embed_id: null,
      meeting_id: null,
    };
    const comment = await makeComment(server, app.id, nothing);
    assert.deepEqual(Object.keys(comment).sort(), [...itemFields, 'created_by', 'parent'].sort());
  });
});

// The same body works on an app, on a file and on a post, and the comment names its parent.
describe('the parent of a comment', () => {
  for (const [kind, make] of [
    ['file', makeFile],
    ['post', makePost],
  ] as const)
    test(`is the ${kind} it was created on`, async () => {
      const app = await makeApp(server, { type: `${kind}s` });
      const id = await make(server, app.id);
      const comments = `/api/${kind}s/${id}/comments`;
      const comment = await server.create(comments, { text: 'on it' });
      assert.deepEqual(comment.parent, { id, type: kind });
      assert.equal(comment.app_id, app.id);
      assert.deepEqual(await idsOf(server, comments), [comment.id]);
      assert.equal((await server.read(`/api/comments/${comment.id}`)).text, 'on it');
    });

  for (const [type, make, path] of [
    ['files', makeFile, 'files'],
    ['posts', makePost, 'posts'],
  ] as const)
    test(`among ${type} hides its comments while it is in the trash`, async () => {
      const place = await makeApp(server, { type });
      const parent = await make(server, place.id);
      const { body } = await server.call('POST', `/api/${path}/${parent}/comments`, { text: 'hidden' });
      const count = async () => (await server.read('/api/comments?q=hidden&count_only=true')).count;
      const before = await count();
      await server.call('POST', `/api/${path}/${parent}/trash`);
      assert.equal((await server.call('GET', `/api/comments/${body.id}`)).status, 404);
      assert.equal((await server.call('PATCH', `/api/comments/${body.id}`, { text: 'y' })).status, 404);
      assert.equal((await server.call('POST', `/api/${path}/${parent}/comments`, { text: 'y' })).status, 404);
      assert.equal(await count(), before - 1);
      await server.call('POST', `/api/${path}/${parent}/restore`);
      assert.equal((await server.call('GET', `/api/comments/${body.id}`)).status, 200);
      assert.equal(await count(), before);
    });
});

// A blob becomes an attachment once; an invalid one is reported with its position and nothing is stored.
describe('attachments', () => {
  test('are created from blobs in order and shown in full', async () => {
    const blobs = [await makeBlob(server), await makeBlob(server)];
    const comment = await makeComment(server, app.id, { blobs });
    assert.equal(comment.attachment_count, 2);
    assert.equal(comment.attachments.length, 2);
    const [first] = comment.attachments;
    assert.equal(first?.media_type.split(';')[0], 'text/plain');
    assert.equal(first?.size, 'some text'.length);
    assert.equal(first?.app_id, app.id);
    assert.equal(first?.version, 1);
    const body = await server.read(`/api/comments/${comment.id}`);
    assert.deepEqual(body.attachments, comment.attachments);
  });

  test('that are used, unknown, another user’s or named twice are refused', async () => {
    const user = await makeUser(server);
    const [used, free, foreign] = [await makeBlob(server), await makeBlob(server), await makeBlob(user)];
    const other = await makeUser(server);
    const place = await makeApp(server, { access: 'write' });
    await makeComment(server, app.id, { blobs: [used] });
    const post = (blobs: number[], as?: string) =>
      server.call('POST', `/api/apps/${place.id}/comments`, { blobs }, as === undefined ? {} : { as });
    watch.hasChanged();
    assertProblem(await post([free, used]), 422, 'validation_failed', '/blobs/1');
    assertProblem(await post([987654]), 422, 'validation_failed', '/blobs/0');
    assertProblem(await post([foreign], other.token), 422, 'validation_failed', '/blobs/0');
    assertProblem(await post([free, free]), 422, 'validation_failed');
    assert.equal(watch.hasChanged(), false);
    assert.equal((await post([foreign], user.token)).status, 201);
    assert.equal((await post([free])).status, 201);
  });

  test('of an edit are those kept and those added', async () => {
    const blobs = [await makeBlob(server), await makeBlob(server)];
    const comment = await makeComment(server, app.id, { text: 'x', blobs });
    const [first, second] = comment.attachments.map(({ id }) => id);
    const patch = (body: object) => server.call('PATCH', `/api/comments/${comment.id}`, body);
    const ids = (body: Comment) => body.attachments.map(({ id }) => id);
    assert.deepEqual(ids((await patch({ text: 'y' })).body), [first, second]);
    const { body } = await patch({ attachments: [second], blobs: [await makeBlob(server)] });
    assert.equal(body.attachment_count, 2);
    assert.equal(ids(body)[0], second);
    assertProblem(await patch({ attachments: [first] }), 422, 'validation_failed', '/attachments/0');
    assert.deepEqual((await patch({ attachments: null })).body.attachments, []);
  });
});

// PATCH leaves what is absent, clears the fields that are null and replaces arrays whole.
describe('editing a comment', () => {
  const full = {
    text: 'before',
    metadata: { a: 1 },
    tags: ['t'],
    options: [{ text: 'yes' }, { text: 'no' }],
  };
  const patch = (id: number, body: unknown, as?: string) =>
    server.call('PATCH', `/api/comments/${id}`, body, as === undefined ? {} : { as });

  test('changes the text in all its forms and keeps the rest', async () => {
    const user = await makeUser(server);
    const open = await makeApp(server, { access: 'write' });
    const comment = await makeComment(user, open.id, full);
    const answer = await patch(comment.id, { text: '_after_' }, user.token);
    assert.equal(answer.status, 200);
    const { text, html, plain, modified_at, modified_by, modified_by_id, ...rest } = answer.body;
    assert.deepEqual([text, plain], ['_after_', 'after']);
    assert.match(html, /<em>after<\/em>/);
    assert.ok(modified_at >= comment.created_at);
    assert.deepEqual([modified_by.uid, modified_by_id], [user.uid, user.id]);
    const { text: _text, html: _html, plain: _plain, ...before } = comment;
    assert.deepEqual(rest, before);
  });

  test('clears the fields that are null', async () => {
    const comment = await makeComment(server, app.id, full);
    const { body } = await patch(comment.id, { text: null, metadata: null, tags: null, options: null });
    for (const name of [...texts, 'metadata']) assert.ok(!(name in body), name);
    assert.deepEqual([body.tags, body.options, body.option_count], [[], [], 0]);
  });

  test('keeps options by their id, adds those without and drops the others', async () => {
    const comment = await makeComment(server, app.id, full);
    const [yes, no] = comment.options.map(({ id }) => id);
    const { body } = await patch(comment.id, {
      options: [{ text: 'maybe' }, { id: no, text: 'never' }],
    });
    assert.equal(body.option_count, 2);
    assert.deepEqual(
      body.options.map((option: { text: string }) => option.text),
      ['maybe', 'never'],
    );
    assert.equal(body.options[1].id, no);
    assert.ok(![yes, no].includes(body.options[0].id));
    const gone = { options: [{ id: yes, text: 'yes' }] };
    assertProblem(await patch(comment.id, gone), 422, 'validation_failed', '/options/0/id');
  });

  test('that changes nothing is not an edit and has no event', async () => {
    const comment = await makeComment(server, app.id, full);
    for (const body of [
      {},
      { text: 'before' },
      { metadata: { a: 1 }, tags: ['t'] },
      { options: comment.options },
    ])
      assert.deepEqual((await patch(comment.id, body)).body, comment, JSON.stringify(body));
    assert.deepEqual(actionsOf(comment.id), ['comment_created']);
  });

  test('is found by its new words and not by the old ones', async () => {
    const comment = await makeComment(server, app.id, { text: 'quokka', tags: ['marsupial'] });
    await patch(comment.id, { text: 'numbat', tags: ['dasyurid'] });
    const count = async (query: string) =>
      (await server.read(`/api/comments?count_only=true&${query}`)).count;
    assert.deepEqual(
      [
        await count('q=quokka'),
        await count('q=numbat'),
        await count('tag=marsupial'),
        await count('tag=dasyurid'),
      ],
      [0, 1, 0, 1],
    );
  });

  test('is for its author and for API keys, not for managers of the app', async () => {
    const [author, member, manager] = [
      await makeUser(server),
      await makeUser(server),
      await makeUser(server),
    ];
    const place = await makeApp(manager, { access: 'write' });
    const { id } = await makeComment(author, place.id, full);
    assertProblem(await patch(id, { text: 'x' }, member.token), 403, 'edit_forbidden');
    assert.equal((await patch(id, { text: 'x' }, author.token)).status, 200);
    assertProblem(await patch(id, { text: 'y' }, manager.token), 403, 'edit_forbidden');
    assert.equal((await patch(id, { text: 'y' }, server.key)).status, 200);
    await addMembers(server, place.id, { read: [author] });
    assertProblem(await patch(id, { text: 'z' }, author.token), 403, 'edit_forbidden');
    await addMembers(server, place.id, { none: [author] });
    assertProblem(await patch(id, { text: 'z' }, author.token), 404, 'not_found');
  });
});

// A trashed comment is shown only on request, and counted separately.
describe('the trash of comments', () => {
  test('accepts a comment twice and returns it twice, with one event each', async () => {
    const comment = await makeComment(server, app.id, { text: 'x' });
    for (const [verb, isTrashed] of [
      ['trash', true],
      ['trash', true],
      ['restore', false],
      ['restore', false],
    ] as const) {
      const answer = await server.call('POST', `/api/comments/${comment.id}/${verb}`);
      assert.deepEqual(answer.body, { ...comment, is_trashed: isTrashed });
    }
    assert.deepEqual(actionsOf(comment.id), ['comment_created', 'comment_trashed', 'comment_restored']);
  });

  test('is excluded from reads and lists by default', async () => {
    const place = await makeApp(server);
    const [kept, trashed] = [await makeComment(server, place.id), await makeComment(server, place.id)];
    await server.call('POST', `/api/comments/${trashed.id}/trash`);
    const get = async (query: string) =>
      (await server.call('GET', `/api/comments/${trashed.id}${query}`)).status;
    assert.deepEqual([await get(''), await get('?trashed=false'), await get('?trashed=1')], [404, 404, 404]);
    assert.equal(await get('?trashed=true'), 200);
    assert.equal((await server.call('PATCH', `/api/comments/${trashed.id}`, { text: 'y' })).status, 404);
    for (const [query, expected] of [
      ['', [kept.id]],
      ['?trashed=true', [trashed.id]],
      ['?trashed=null', [kept.id, trashed.id]],
      ['?trashed=perhaps', [kept.id]],
    ] as const) {
      const body = await server.read(`/api/apps/${place.id}/comments${query}`);
      assert.deepEqual(
        body.data.map((item: Comment) => item.id),
        expected,
        query,
      );
      assert.equal(body.count, expected.length, query);
    }
  });
});
