/** Comments: on apps, files and posts. */

import { decides, row, says } from '../quotes.js';
import { strangeFields, unknownFields } from '../shapes.js';
import { file, makeApp, makeBlob, makeComment, person, post } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: commentChecks } = declaring('comments');

export { commentChecks };

/** @typedef {import('../trial.js').Trial} Trial */

const given = {
  text: 'Some **words**',
  metadata: { color: 'red', deep: { yes: [1, null] } },
  tags: ['zebra', 'apple'],
};

/** A comment with all that a body can give it. @param {Trial} t */
async function full(t) {
  const app = await makeApp(t);
  return {
    app,
    comment: await makeComment(t, app.id, { ...given, options: [{ text: 'Yes' }, { text: 'No' }] }),
  };
}

/** Where comments are created. */
const places = /** @type {const} */ ([
  ['createAppComment', async (/** @type {Trial} */ t) => ({ app: (await makeApp(t)).id })],
  ['createFileComment', async (/** @type {Trial} */ t) => ({ id: (await file(t)).id })],
  ['createPostComment', async (/** @type {Trial} */ t) => ({ id: (await post(t)).id })],
]);

for (const [id, place] of places) {
  check(id, row(id), async (t) => {
    const path = await place(t);
    const comment = await t.expect(id, 201, { path, body: given });
    t.shape(comment, 'Comment');
    t.equal(comment.text, given.text, 'the text');
  });

  check(`${id}.parent`, says('places'), async (t) => {
    const path = await place(t);
    const { parent } = await t.expect(id, 201, { path, body: given });
    t.equal(parent?.id, Object.values(path)[0], 'the id of the parent');
    t.holds(typeof parent?.type === 'string', `the type of the parent is ${JSON.stringify(parent?.type)}`);
  });

  check(`${id}.empty`, says('commentsBody'), async (t) => {
    await t.expect(id, 201, { path: await place(t), body: {} });
  });
}

for (const field of /** @type {const} */ (['text', 'metadata', 'tags']))
  check(`create.${field}`, says('commentsBody'), async (t) => {
    const { comment } = await full(t);
    t.equal(comment[field], given[field], `\`${field}\` of the comment`);
  });

check('create.app', row('createAppComment'), async (t) => {
  const { app, comment } = await full(t);
  t.equal(comment.app_id, app.id, 'app_id');
});

check('create.byUid', says('appRef'), async (t) => {
  const { id, uid } = await makeApp(t);
  const comment = await t.expect('createAppComment', 201, { path: { app: uid }, body: given });
  t.equal(comment.app_id, id, 'app_id');
});

check('create.options', says('attachable'), async (t) => {
  const { comment } = await full(t);
  t.equal(comment.option_count, 2, 'option_count');
  t.equal(
    (comment.options ?? []).map((/** @type {any} */ { text }) => text),
    ['Yes', 'No'],
    'the texts of the options',
  );
});

check('create.plain', row('createAppComment'), async (t) => {
  const { comment } = await full(t);
  t.holds(String(comment.plain).includes('Some'), `\`plain\` is ${JSON.stringify(comment.plain)}`);
  t.holds(String(comment.html).includes('Some'), `\`html\` is ${JSON.stringify(comment.html)}`);
});

check('create.blob', says('attachable'), async (t) => {
  const blob = await makeBlob(t);
  const { id: app } = await makeApp(t);
  const comment = await t.expect('createAppComment', 201, { path: { app }, body: { blobs: [blob] } });
  t.equal(comment.attachment_count, 1, 'attachment_count');
  t.equal(comment.attachments?.length, 1, 'the number of attachments');
  t.shape(comment.attachments[0], 'Attachment');
});

check('create.author', row('createAppComment'), async (t) => {
  const { token: as, id, uid } = await person(t, 'first');
  const app = await makeApp(t, { access: 'write' });
  const comment = await t.expect('createAppComment', 201, { path: { app: app.id }, as, body: given });
  t.equal(comment.created_by_id, id, 'created_by_id');
  t.shape(comment.created_by, 'User');
  t.equal(comment.created_by.uid, uid, 'the uid of created_by');
});

check('create.flags', row('createAppComment'), async (t) => {
  t.equal((await full(t)).comment.is_trashed, false, 'is_trashed of a comment that was just made');
});

check('create.arrays', decides('arrays'), async (t) => {
  const { id } = await makeApp(t);
  const comment = await makeComment(t, id);
  for (const field of ['attachments', 'options', 'reactions', 'tags'])
    t.equal(comment[field], [], `\`${field}\` of a comment without any`);
  t.equal([comment.attachment_count, comment.option_count], [0, 0], 'attachment_count and option_count');
});

check('create.wrongApp', decides('wrongApp'), async (t) => {
  const { id } = await makeApp(t, { type: 'files' });
  t.status(await t.call('createAppComment', { path: { app: id }, body: given }), 422);
});

check('create.unknown', decides('unknownProperties'), async (t) => {
  const { id } = await makeApp(t);
  await t.expect('createAppComment', 201, { path: { app: id }, body: { ...given, no_such_field: 1 } });
});

check('create.blank', decides('emptyBody'), async (t) => {
  const { id } = await makeApp(t);
  const headers = { 'content-type': 'application/json' };
  await t.expect('createAppComment', 201, { path: { app: id }, body: '', headers });
});

check('create.modified', decides('modified'), async (t) => {
  const { comment } = await full(t);
  for (const field of ['modified_at', 'modified_by_id', 'modified_by'])
    t.holds(!(field in comment), `\`${field}\` is there before an edit`);
});

check('get', row('getComment'), async (t) => {
  const { comment: made } = await full(t);
  const comment = await t.expect('getComment', 200, { path: { id: made.id } });
  t.shape(comment, 'Comment');
  t.equal(comment.id, made.id, 'the id');
  for (const [field, value] of Object.entries(given))
    t.equal(comment[field], value, `\`${field}\` of the comment`);
});

check('get.exact', decides('exact'), async (t) => {
  const { comment } = await full(t);
  t.equal(unknownFields(comment, 'Comment'), [], 'the fields that a Comment does not have');
});

check('get.text', decides('pathId'), async (t) => {
  t.status(await t.call('getComment', { path: { id: 'no-number' } }), 404);
});

check('update', row('updateComment'), async (t) => {
  const { id: app } = await makeApp(t);
  const { id } = await makeComment(t, app);
  const comment = await t.expect('updateComment', 200, { path: { id }, body: given });
  t.shape(comment, 'Comment');
  for (const [field, value] of Object.entries(given))
    t.equal(comment[field], value, `\`${field}\` of the comment`);
});

check('update.kept', row('updateComment'), async (t) => {
  const { comment } = await full(t);
  await t.prepare('updateComment', { path: { id: comment.id }, body: { text: 'Kept' } });
  t.equal(
    (await t.expect('getComment', 200, { path: { id: comment.id } })).text,
    'Kept',
    'the text after the update',
  );
});

check('update.options', row('updateComment'), async (t) => {
  const { id: app } = await makeApp(t);
  const { id } = await makeComment(t, app);
  const body = { options: [{ text: 'Now' }, { text: 'Never' }] };
  const comment = await t.expect('updateComment', 200, { path: { id }, body });
  t.equal(comment.option_count, 2, 'option_count');
});

check('update.absent', decides('patch'), async (t) => {
  const { comment: made } = await full(t);
  const comment = await t.expect('updateComment', 200, { path: { id: made.id }, body: { text: 'Other' } });
  t.equal([comment.tags, comment.metadata], [given.tags, given.metadata], 'tags and metadata');
});

check('update.modified', row('updateComment'), async (t) => {
  const { comment: made } = await full(t);
  const { modified_at: at } = await t.expect('updateComment', 200, {
    path: { id: made.id },
    body: { text: 'Other' },
  });
  t.holds(typeof at === 'string' && !Number.isNaN(Date.parse(at)), `modified_at is ${JSON.stringify(at)}`);
});

check('list', row('listComments'), async (t) => {
  const { comment } = await full(t);
  const query = { order_by: 'id desc', top: 100 };
  const item = t.items(await t.call('listComments', { query })).find(({ id }) => id === comment.id);
  t.holds(item !== undefined, 'the comment is not in the list');
  t.shape(item, 'Comment');
});

check('listApp', row('listAppComments'), async (t) => {
  const { app, comment } = await full(t);
  await full(t);
  const listed = t.items(await t.call('listAppComments', { path: { app: app.id } }));
  t.equal(
    listed.map(({ id }) => id),
    [comment.id],
    'the comments of the app',
  );
  t.shape(listed[0], 'Comment');
  for (const [field, value] of Object.entries(given))
    t.equal(listed[0][field], value, `\`${field}\` of the item`);
});

for (const id of /** @type {const} */ (['listComments', 'listAppComments'])) {
  const itemOf = async (/** @type {Trial} */ t) => {
    const { app, comment } = await full(t);
    await t.prepare('updateComment', { path: { id: comment.id }, body: { text: 'Edited' } });
    const call =
      id === 'listComments' ? { query: { order_by: 'id desc', top: 100 } } : { path: { app: app.id } };
    const item = t.items(await t.call(id, call)).find((one) => one.id === comment.id);
    t.holds(item !== undefined, 'the comment is not in the list');
    return item;
  };
  check(`${id}.absent`, says('commentListAbsent'), async (t) => {
    const item = await itemOf(t);
    for (const field of ['parent', 'embed', 'meeting', 'created_by', 'modified_by'])
      t.holds(!(field in item), `an item of the list has \`${field}\``);
  });
  check(`${id}.flat`, says('commentList'), async (t) => {
    t.equal(strangeFields(await itemOf(t), 'Comment'), [], 'the fields of an item that are not flat');
  });
}

check('trashed', row('getComment'), async (t) => {
  const { comment } = await full(t);
  await t.beyond('comments cannot be trashed', 'POST', `/api/comments/${comment.id}/trash`, {});
  t.status(await t.call('getComment', { path: { id: comment.id } }), 404);
  const trashed = await t.expect('getComment', 200, { path: { id: comment.id }, query: { trashed: true } });
  t.equal(trashed.is_trashed, true, 'is_trashed');
});

for (const [name, trashed, shown] of /** @type {const} */ ([
  ['false', 'false', [1]],
  ['true', 'true', [0]],
  ['null', 'null', [0, 1]],
]))
  check(`trashed.list.${name}`, says('trashed'), async (t) => {
    const { id: app } = await makeApp(t);
    const ids = [(await makeComment(t, app)).id, (await makeComment(t, app)).id];
    await t.beyond('comments cannot be trashed', 'POST', `/api/comments/${ids[0]}/trash`, {});
    const listed = t.items(await t.call('listAppComments', { path: { app }, query: { trashed } }));
    t.equal(
      listed.map(({ id }) => id).sort((a, b) => a - b),
      shown.map((at) => ids[at]),
      'the comments in the list',
    );
  });
