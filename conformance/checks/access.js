/** Who may do what in an app. */

import { decides, says } from '../quotes.js';
import { file, makeApp, makeComment, makeSharedApp, person, post } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: accessChecks } = declaring('access');

export { accessChecks };

/** @typedef {import('../trial.js').Trial} Trial */

/** An app of this access with a comment, and somebody who is not in it. @param {Trial} t @param {string} access */
async function strange(t, access) {
  const { token: as, uid } = await person(t, 'second');
  const app = await makeApp(t, { access });
  const comment = await makeComment(t, app.id);
  return { app, comment, as, uid, path: { app: app.id } };
}

check('none.get', says('accessNone'), async (t) => {
  const { as, path } = await strange(t, 'none');
  t.status(await t.call('getApp', { path, as }), 404);
});

check('none.list', says('accessNone'), async (t) => {
  const { app, as } = await strange(t, 'none');
  const listed = t.items(await t.call('listApps', { as, query: { q: app.uid, top: 100 } }));
  t.holds(!listed.some(({ id }) => id === app.id), 'the app is in the list of somebody who cannot access it');
});

check('none.comments', says('accessNone'), async (t) => {
  const { as, path } = await strange(t, 'none');
  t.status(await t.call('listAppComments', { path, as }), 404);
});

check('none.comment', says('accessNone'), async (t) => {
  const { comment, as } = await strange(t, 'none');
  t.status(await t.call('getComment', { path: { id: comment.id }, as }), 404);
});

check('none.create', says('accessNone'), async (t) => {
  const { as, path } = await strange(t, 'none');
  t.status(await t.call('createAppComment', { path, as, body: { text: 'Let me in' } }), 403, 404);
});

check('none.listComments', decides('readable'), async (t) => {
  const { comment, as } = await strange(t, 'none');
  const listed = t.items(await t.call('listComments', { as, query: { order_by: 'id desc', top: 100 } }));
  t.holds(
    !listed.some(({ id }) => id === comment.id),
    'the comment is in the list of somebody who cannot read it',
  );
});

check('none.members', says('accessNone'), async (t) => {
  const { as, path } = await strange(t, 'none');
  t.status(await t.call('listMembers', { path, as }), 404);
});

check('none.subscribe', says('accessNone'), async (t) => {
  const { as, path } = await strange(t, 'none');
  t.status(await t.call('subscribeApp', { path, as }), 404);
});

check('none.update', decides('invisible'), async (t) => {
  const { as, path } = await strange(t, 'none');
  t.status(await t.call('updateApp', { path, as, body: { name: 'Mine' } }), 404);
});

check('none.upsert', decides('upsertForbidden'), async (t) => {
  const { app, as } = await strange(t, 'none');
  const body = { type: 'comments', name: 'Mine' };
  t.status(await t.call('upsertApp', { path: { uid: app.uid }, as, body }), 403);
});

check('read.see', says('accessRead'), async (t) => {
  const { app, as, path } = await strange(t, 'read');
  t.equal((await t.expect('getApp', 200, { path, as })).id, app.id, 'the id of the app');
});

check('read.list', says('accessRead'), async (t) => {
  const { app, as } = await strange(t, 'read');
  const listed = t.items(await t.call('listApps', { as, query: { q: app.uid, top: 100 } }));
  t.holds(
    listed.some(({ id }) => id === app.id),
    'the app is not in the list of somebody who can read it',
  );
});

check('read.content', says('accessRead'), async (t) => {
  const { comment, as, path } = await strange(t, 'read');
  const listed = t.items(await t.call('listAppComments', { path, as }));
  t.equal(
    listed.map(({ id }) => id),
    [comment.id],
    'the comments that a reader sees',
  );
});

check('read.comment', says('accessRead'), async (t) => {
  const { comment, as } = await strange(t, 'read');
  await t.expect('getComment', 200, { path: { id: comment.id }, as });
});

check('read.create', says('accessRead'), async (t) => {
  const { as, path } = await strange(t, 'read');
  t.status(await t.call('createAppComment', { path, as, body: { text: 'May I?' } }), 403);
});

check('write.create', says('accessWrite'), async (t) => {
  const { as, uid, path } = await strange(t, 'write');
  const comment = await t.expect('createAppComment', 201, { path, as, body: { text: 'I may' } });
  t.equal(comment.created_by?.uid, uid, 'the author of the comment');
});

check('write.update', says('authStatuses'), async (t) => {
  const { as, path } = await strange(t, 'write');
  t.status(await t.call('updateApp', { path, as, body: { name: 'Mine' } }), 403);
});

check('member.read', says('accessRead'), async (t) => {
  const { app, reader } = await makeSharedApp(t);
  await t.expect('getApp', 200, { path: { app: app.id }, as: reader.token });
});

check('member.read.create', says('accessRead'), async (t) => {
  const { app, reader } = await makeSharedApp(t);
  const call = { path: { app: app.id }, as: reader.token, body: { text: 'May I?' } };
  t.status(await t.call('createAppComment', call), 403);
});

check('member.write', says('accessWrite'), async (t) => {
  const { app, writer } = await makeSharedApp(t);
  await t.expect('createAppComment', 201, {
    path: { app: app.id },
    as: writer.token,
    body: { text: 'I may' },
  });
});

check('member.lower', decides('override'), async (t) => {
  const { app, as, uid, path } = await strange(t, 'write');
  await t.prepare('addMember', { path: { app: app.id, user: uid }, body: { access: 'read' } });
  t.status(await t.call('createAppComment', { path, as, body: { text: 'May I?' } }), 403);
});

check('member.none', decides('override'), async (t) => {
  const { app, as, uid, path } = await strange(t, 'write');
  await t.prepare('addMember', { path: { app: app.id, user: uid }, body: { access: 'none' } });
  t.status(await t.call('getApp', { path, as }), 404);
});

check('member.removed', says('accessNone'), async (t) => {
  const { app, writer } = await makeSharedApp(t);
  await t.prepare('removeMember', { path: { app: app.id, user: writer.uid } });
  t.status(await t.call('getApp', { path: { app: app.id }, as: writer.token }), 404);
});

/** What a reader of an app may not do. @type {Readonly<Record<string, (user: string) => import('../session.js').Call>>} */
const changes = {
  updateApp: () => ({ body: { name: 'Mine' } }),
  addMember: (user) => ({ path: { user }, body: { access: 'write' } }),
  addMembers: (user) => ({ body: [{ uid: user, access: 'write' }] }),
  removeMember: (user) => ({ path: { user } }),
  removeMembers: (user) => ({ body: [user] }),
  trashApp: () => ({}),
};

for (const [name, call] of Object.entries(changes)) {
  const id = /** @type {import('../operations.js').OperationId} */ (name);
  check(`reader.${id}`, says('authStatuses'), async (t) => {
    const { app, reader, writer } = await makeSharedApp(t);
    const { path, ...rest } = call(writer.uid);
    t.status(await t.call(id, { path: { app: app.id, ...path }, ...rest, as: reader.token }), 403);
  });
}

check('reader.upsertApp', says('authStatuses'), async (t) => {
  const { app, reader } = await makeSharedApp(t);
  const body = { type: 'comments', name: 'Mine' };
  t.status(await t.call('upsertApp', { path: { uid: app.uid }, body, as: reader.token }), 403);
});

check('reader.upsertApp.same', decides('upsertSame'), async (t) => {
  const { app, reader } = await makeSharedApp(t);
  const call = { path: { uid: app.uid }, body: { type: 'comments' }, as: reader.token };
  t.equal((await t.expect('upsertApp', 200, call)).id, app.id, 'the id of the app');
});

check('reader.restoreApp', says('authStatuses'), async (t) => {
  const { app, reader } = await makeSharedApp(t);
  await t.prepare('trashApp', { path: { app: app.id } });
  t.status(await t.call('restoreApp', { path: { app: app.id }, as: reader.token }), 403, 404);
  t.equal(
    (await t.prepare('getApp', { path: { app: app.id }, query: { trashed: true } })).is_trashed,
    true,
    'is_trashed',
  );
});

for (const [id, place] of /** @type {const} */ ([
  ['createPostComment', post],
  ['createFileComment', file],
]))
  check(`reader.${id}`, says('accessRead'), async (t) => {
    const { token: as, uid } = await person(t, 'second');
    const { id: on, app } = await place(t);
    if (app === undefined) return t.skip('whose app it is in is not known');
    await t.prepare('addMember', { path: { app, user: uid }, body: { access: 'read' } });
    t.status(await t.call(id, { path: { id: on }, as, body: { text: 'May I?' } }), 403);
  });

check('words', decides('ownWords'), async (t) => {
  const { token: as, uid } = await person(t, 'second');
  const { app, writer } = await makeSharedApp(t);
  await t.prepare('addMember', { path: { app: app.id, user: uid }, body: { access: 'write' } });
  const comment = await makeComment(t, app.id, { as: writer.token });
  t.status(await t.call('updateComment', { path: { id: comment.id }, as, body: { text: 'Mine' } }), 403);
});

check('words.own', decides('ownWords'), async (t) => {
  const { app, writer } = await makeSharedApp(t);
  const comment = await makeComment(t, app.id, { as: writer.token });
  const call = { path: { id: comment.id }, as: writer.token, body: { text: 'Better' } };
  t.equal((await t.expect('updateComment', 200, call)).text, 'Better', 'the text');
});

check('creator', decides('manager'), async (t) => {
  const [first, second] = [await person(t, 'first'), await person(t, 'second')];
  const app = await makeApp(t, {}, first.token);
  const path = { app: app.id };
  await t.expect('updateApp', 200, { path, as: first.token, body: { name: 'Renamed' } });
  await t.expect('addMember', 204, { path: { ...path, user: second.uid }, as: first.token });
  await t.expect('trashApp', 200, { path, as: first.token });
});
