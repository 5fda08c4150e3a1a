/** Apps: their fields, their states, their lists. */

import { decides, row, says } from '../quotes.js';
import { strangeFields, unknownFields } from '../shapes.js';
import { makeApp, makeComment, person } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: appChecks } = declaring('apps');

export { appChecks };

const given = {
  type: 'comments',
  access: 'read',
  name: 'A name',
  description: 'A description',
  metadata: { color: 'red', sizes: [1, 2.5, null], deep: { yes: true } },
  tags: ['zebra', 'apple'],
};

check('create', row('createApp'), async (t) => {
  t.shape(await t.expect('createApp', 201, { body: { uid: t.name(), type: 'comments' } }), 'App');
});

for (const field of /** @type {const} */ (['type', 'access', 'name', 'description', 'metadata', 'tags']))
  check(`create.${field}`, row('createApp'), async (t) => {
    t.equal((await makeApp(t, given))[field], given[field], `\`${field}\` of the app`);
  });

check('create.uid', row('createApp'), async (t) => {
  const uid = t.name();
  t.equal((await makeApp(t, { uid })).uid, uid, 'the uid of the app');
});

check('create.access.default', says('appAccess'), async (t) => {
  t.equal((await makeApp(t)).access, 'none', 'the access of an app that names none');
});

check('create.flags', says('trash'), async (t) => {
  t.equal((await makeApp(t)).is_trashed, false, 'is_trashed of an app that was just made');
});

check('create.creator', row('createApp'), async (t) => {
  const { token: as, id } = await person(t, 'first');
  const app = await t.expect('createApp', 201, { as, body: { uid: t.name(), type: 'comments' } });
  t.equal(app.created_by_id, id, 'created_by_id');
  t.shape(app.created_by, 'User');
});

check('create.unique', says('appUid'), async (t) => {
  const { uid } = await makeApp(t);
  const answer = await t.call('createApp', { body: { uid, type: 'comments' } });
  t.holds(answer.status >= 400, `the status is ${answer.status}, and the uid is taken`);
});

check('create.taken', decides('uidTaken'), async (t) => {
  const { uid } = await makeApp(t);
  t.status(await t.call('createApp', { body: { uid, type: 'comments' } }), 422);
});

check('create.taken.trashed', decides('uidTrashed'), async (t) => {
  const { id, uid } = await makeApp(t);
  await t.prepare('trashApp', { path: { app: id } });
  t.status(await t.call('createApp', { body: { uid, type: 'comments' } }), 422);
});

check('create.type.case', decides('appType'), async (t) => {
  t.equal((await makeApp(t, { type: 'Comments' })).type, 'comments', 'the type');
});

check('create.displayName', decides('displayName'), async (t) => {
  const { uid, display_name: shown } = await makeApp(t);
  t.equal(shown, uid, 'display_name of an app without a name');
  t.equal(
    (await makeApp(t, { name: 'A name' })).display_name,
    'A name',
    'display_name of an app with a name',
  );
});

check('create.permissions', decides('permissions'), async (t) => {
  const { permissions } = await makeApp(t);
  const all = ['admin', 'create', 'delete', 'list', 'read', 'update'];
  t.equal([...(permissions ?? [])].sort(), all, 'the permissions of an API key, in order');
});

check('create.unknown', decides('unknownProperties'), async (t) => {
  await t.expect('createApp', 201, { body: { uid: t.name(), type: 'comments', no_such_field: 1 } });
});

check('create.tags.folded', decides('tags'), async (t) => {
  const tags = [' one ', 'two', 'one'];
  t.equal((await makeApp(t, { tags })).tags, ['one', 'two'], 'the tags, trimmed and folded');
});

for (const type of ['comments', 'files', 'posts', 'chat'])
  check(`create.type.${type}`, says('appType'), async (t) => {
    t.equal((await t.expect('createApp', 201, { body: { uid: t.name(), type } })).type, type, 'the type');
  });

check('get', row('getApp'), async (t) => {
  const made = await makeApp(t, given);
  const app = await t.expect('getApp', 200, { path: { app: made.id } });
  t.shape(app, 'App');
  for (const [field, value] of Object.entries(given)) t.equal(app[field], value, `\`${field}\` of the app`);
});

check('get.uid', says('appRef'), async (t) => {
  const { id, uid } = await makeApp(t);
  t.equal((await t.expect('getApp', 200, { path: { app: uid } })).id, id, 'the id of the app with this uid');
});

check('get.members', says('appMembers'), async (t) => {
  const { uid } = await person(t, 'first');
  const { id } = await makeApp(t);
  await t.prepare('addMember', { path: { app: id, user: uid } });
  const { members } = await t.expect('getApp', 200, { path: { app: id } });
  t.holds(Array.isArray(members?.data), '`members` has no array `data`');
  t.equal(
    members.data.map((/** @type {any} */ member) => member.uid),
    [uid],
    'the members',
  );
  t.equal([members.start, members.end, members.count], [1, 1, 1], 'start, end and count of one member');
});

check('get.exact', decides('exact'), async (t) => {
  const app = await t.expect('getApp', 200, { path: { app: (await makeApp(t, given)).id } });
  t.equal(unknownFields(app, 'App'), [], 'the fields that an App does not have');
});

check('update', row('updateApp'), async (t) => {
  const { id } = await makeApp(t);
  const { type: _, ...change } = given;
  const app = await t.expect('updateApp', 200, { path: { app: id }, body: change });
  t.shape(app, 'App');
  for (const [field, value] of Object.entries(change)) t.equal(app[field], value, `\`${field}\` of the app`);
});

check('update.kept', row('updateApp'), async (t) => {
  const { id } = await makeApp(t);
  await t.prepare('updateApp', { path: { app: id }, body: { name: 'Kept' } });
  t.equal((await t.expect('getApp', 200, { path: { app: id } })).name, 'Kept', 'the name after the update');
});

check('update.absent', decides('patch'), async (t) => {
  const { id } = await makeApp(t, given);
  const app = await t.expect('updateApp', 200, { path: { app: id }, body: { name: 'Other' } });
  for (const field of /** @type {const} */ (['access', 'description', 'metadata', 'tags']))
    t.equal(app[field], given[field], `\`${field}\`, which the update does not name,`);
});

check('update.null', decides('patch'), async (t) => {
  const { id } = await makeApp(t, given);
  const app = await t.expect('updateApp', 200, { path: { app: id }, body: { description: null } });
  t.equal(app.description ?? null, null, 'the description after null');
});

check('update.uid', row('updateApp'), async (t) => {
  const { id, uid } = await makeApp(t);
  const other = t.name();
  t.equal(
    (await t.expect('updateApp', 200, { path: { app: id }, body: { uid: other } })).uid,
    other,
    'the uid',
  );
  t.equal((await t.expect('getApp', 200, { path: { app: other } })).id, id, 'the app with the new uid');
  t.status(await t.call('getApp', { path: { app: uid } }), 404);
});

check('update.modified', row('updateApp'), async (t) => {
  const { id } = await makeApp(t);
  const { modified_at: at } = await t.expect('updateApp', 200, {
    path: { app: id },
    body: { name: 'Other' },
  });
  t.holds(typeof at === 'string' && !Number.isNaN(Date.parse(at)), `modified_at is ${JSON.stringify(at)}`);
});

check('create.modified', decides('modified'), async (t) => {
  const app = await makeApp(t);
  for (const field of ['modified_at', 'modified_by_id', 'modified_by'])
    t.holds(!(field in app), `\`${field}\` is there before an edit`);
});

check('upsert.create', row('upsertApp'), async (t) => {
  const uid = t.name();
  const app = await t.expect('upsertApp', 201, { path: { uid }, body: given });
  t.shape(app, 'App');
  t.equal(app.uid, uid, 'the uid of the app');
  for (const [field, value] of Object.entries(given)) t.equal(app[field], value, `\`${field}\` of the app`);
});

check('upsert.update', row('upsertApp'), async (t) => {
  const { id, uid } = await makeApp(t);
  const app = await t.expect('upsertApp', 200, { path: { uid }, body: { type: 'comments', name: 'Other' } });
  t.shape(app, 'App');
  t.equal([app.id, app.name], [id, 'Other'], 'id and name of the app');
});

check('upsert.keeps', decides('upsertKeeps'), async (t) => {
  const { uid } = await makeApp(t, given);
  const app = await t.expect('upsertApp', 200, { path: { uid }, body: { type: 'comments', name: 'Other' } });
  for (const field of /** @type {const} */ (['access', 'description', 'metadata', 'tags']))
    t.equal(app[field], given[field], `\`${field}\`, which the request does not name,`);
});

check('upsert.type', decides('upsertKeeps'), async (t) => {
  const { uid } = await makeApp(t);
  t.status(await t.call('upsertApp', { path: { uid }, body: { type: 'posts' } }), 422);
});

check('upsert.race', decides('upsertOnce'), async (t) => {
  const call = { path: { uid: t.name() }, body: { type: 'comments' } };
  const answers = await Promise.all(Array.from({ length: 5 }, async () => await t.call('upsertApp', call)));
  const statuses = answers.map(({ status }) => status).sort();
  t.equal(statuses, [200, 200, 200, 200, 201], 'the statuses of five requests at once');
});

check('list', row('listApps'), async (t) => {
  const { id, uid } = await makeApp(t, given);
  const item = t.items(await t.call('listApps', { query: { q: uid } })).find((app) => app.id === id);
  t.shape(item, 'App');
  for (const [field, value] of Object.entries(given)) t.equal(item[field], value, `\`${field}\` of the item`);
});

check('list.absent', says('appListAbsent'), async (t) => {
  const { id, uid } = await makeApp(t, given);
  await t.prepare('updateApp', { path: { app: id }, body: { name: 'Other' } });
  const [item] = t.items(await t.call('listApps', { query: { q: uid } }));
  for (const field of ['created_by', 'modified_by', 'members'])
    t.holds(!(field in (item ?? {})), `an item of the list has \`${field}\``);
});

check('list.flat', says('appList'), async (t) => {
  const { uid } = await makeApp(t, given);
  const [item] = t.items(await t.call('listApps', { query: { q: uid } }));
  t.equal(strangeFields(item ?? {}, 'App'), [], 'the fields of an item that are not flat');
});

check('list.type', row('listApps'), async (t) => {
  const tag = t.name('tag');
  await makeApp(t, { tags: [tag] });
  const posts = await makeApp(t, { tags: [tag], type: 'posts' });
  const listed = t.items(await t.call('listApps', { query: { tag, type: 'posts' } }));
  t.equal(
    listed.map(({ id }) => id),
    [posts.id],
    'the apps of the type posts',
  );
});

check('list.contextual', decides('contextual'), async (t) => {
  const tag = t.name('tag');
  const inPlace = await makeApp(t, { tags: [tag] });
  const answer = await t.call('createApp', { body: { uid: t.name(), type: 'chat_room', tags: [tag] } });
  if (answer.status >= 300) t.skip('the server makes no app of a type that is not contextual');
  for (const [contextual, ids] of /** @type {const} */ ([
    ['true', [inPlace.id]],
    ['false', [answer.body.id]],
    ['null', [inPlace.id, answer.body.id]],
  ])) {
    const listed = t.items(await t.call('listApps', { query: { tag, contextual } }));
    t.equal(
      listed.map(({ id }) => id),
      ids,
      `the apps with contextual=${contextual}`,
    );
  }
});

check('trash', row('trashApp'), async (t) => {
  const { id } = await makeApp(t);
  const app = await t.expect('trashApp', 200, { path: { app: id } });
  t.shape(app, 'App');
  t.equal(app.id, id, 'the id of the app');
});

check('trash.state', says('trash'), async (t) => {
  const { id } = await makeApp(t);
  t.equal((await t.expect('trashApp', 200, { path: { app: id } })).is_trashed, true, 'is_trashed');
});

check('trash.get', says('trashedHidden'), async (t) => {
  const { id } = await makeApp(t);
  await t.prepare('trashApp', { path: { app: id } });
  t.status(await t.call('getApp', { path: { app: id } }), 404);
});

check('trash.get.trashed', says('trashedHidden'), async (t) => {
  const { id } = await makeApp(t);
  await t.prepare('trashApp', { path: { app: id } });
  const app = await t.expect('getApp', 200, { path: { app: id }, query: { trashed: true } });
  t.equal([app.id, app.is_trashed], [id, true], 'id and is_trashed');
});

check('trash.get.null', decides('trashedOne'), async (t) => {
  const { id } = await makeApp(t);
  await t.prepare('trashApp', { path: { app: id } });
  t.status(await t.call('getApp', { path: { app: id }, query: { trashed: 'null' } }), 404);
});

for (const [name, query, shown] of /** @type {const} */ ([
  ['default', {}, ['kept']],
  ['false', { trashed: 'false' }, ['kept']],
  ['true', { trashed: 'true' }, ['trashed']],
  ['null', { trashed: 'null' }, ['kept', 'trashed']],
]))
  check(
    `trash.list.${name}`,
    says(name === 'default' || name === 'null' ? 'trashed' : 'trashedHidden'),
    async (t) => {
      const tag = t.name('tag');
      const made = { kept: await makeApp(t, { tags: [tag] }), trashed: await makeApp(t, { tags: [tag] }) };
      await t.prepare('trashApp', { path: { app: made.trashed.id } });
      const listed = t.items(await t.call('listApps', { query: { tag, ...query } }));
      const ids = listed.map(({ id }) => id).sort((a, b) => a - b);
      t.equal(
        ids,
        shown.map((which) => made[which].id),
        'the apps in the list',
      );
    },
  );

check('trash.again', decides('idempotent'), async (t) => {
  const { id } = await makeApp(t);
  await t.prepare('trashApp', { path: { app: id } });
  t.equal((await t.expect('trashApp', 200, { path: { app: id } })).is_trashed, true, 'is_trashed');
});

check('trash.content', decides('trashedApp'), async (t) => {
  const { id } = await makeApp(t);
  const comment = await makeComment(t, id);
  await t.prepare('trashApp', { path: { app: id } });
  t.status(await t.call('listAppComments', { path: { app: id } }), 404);
  t.status(await t.call('createAppComment', { path: { app: id }, body: { text: 'Too late' } }), 404);
  t.status(await t.call('listMembers', { path: { app: id } }), 404);
  t.status(await t.call('getComment', { path: { id: comment.id } }), 404);
});

check('restore', row('restoreApp'), async (t) => {
  const { id } = await makeApp(t);
  await t.prepare('trashApp', { path: { app: id } });
  await t.expect('restoreApp', 200, { path: { app: id } });
});

check('restore.state', says('restore'), async (t) => {
  const { id } = await makeApp(t);
  await t.prepare('trashApp', { path: { app: id } });
  await t.prepare('restoreApp', { path: { app: id } });
  t.equal((await t.expect('getApp', 200, { path: { app: id } })).is_trashed, false, 'is_trashed');
});

check('restore.again', decides('idempotent'), async (t) => {
  const { id } = await makeApp(t);
  await t.expect('restoreApp', 200, { path: { app: id } });
});

check('subscribe', row('subscribeApp'), async (t) => {
  const { token: as } = await person(t, 'first');
  const app = await makeApp(t, { access: 'read' });
  t.shape(await t.expect('subscribeApp', 200, { path: { app: app.id }, as }), 'App');
});

check('subscribe.state', says('appSubscribed'), async (t) => {
  const { token: as } = await person(t, 'second');
  const path = { app: (await makeApp(t, { access: 'read' })).id };
  t.equal((await t.expect('subscribeApp', 200, { path, as })).is_subscribed, true, 'is_subscribed');
  t.equal((await t.expect('getApp', 200, { path, as })).is_subscribed, true, 'is_subscribed afterwards');
});

check('subscribe.own', says('authSubscribe'), async (t) => {
  const [first, second] = [await person(t, 'first'), await person(t, 'second')];
  const path = { app: (await makeApp(t, { access: 'read' })).id };
  await t.prepare('subscribeApp', { path, as: first.token });
  t.equal(
    (await t.expect('getApp', 200, { path, as: second.token })).is_subscribed,
    false,
    'is_subscribed of another',
  );
});

check('unsubscribe', row('unsubscribeApp'), async (t) => {
  const { token: as } = await person(t, 'first');
  const path = { app: (await makeApp(t, { access: 'read' })).id };
  await t.prepare('subscribeApp', { path, as });
  const app = await t.expect('unsubscribeApp', 200, { path, as });
  t.shape(app, 'App');
  t.equal(app.is_subscribed, false, 'is_subscribed');
  t.equal((await t.expect('getApp', 200, { path, as })).is_subscribed, false, 'is_subscribed afterwards');
});
