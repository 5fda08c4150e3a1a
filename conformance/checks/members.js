/** Members of an app: added, listed, removed. */

import { decides, row, says } from '../quotes.js';
import { makeApp, makeSharedApp, person } from '../world.js';
import { declaring } from './declare.js';

const { check, checks: memberChecks } = declaring('members');

export { memberChecks };

/** @typedef {import('../trial.js').Trial} Trial */

/** An app and two people who are not in it. @param {Trial} t */
async function people(t) {
  const [first, second] = [await person(t, 'first'), await person(t, 'second')];
  const { id: app } = await makeApp(t);
  return { app, first, second };
}

/** The members of an app as uids with their access, in order. @param {Trial} t @param {number} app */
async function membersOf(t, app) {
  const listed = t.items(await t.call('listMembers', { path: { app } }));
  return listed.map(({ uid, access }) => `${uid} ${access}`).sort();
}

/** Fails unless an answer is 204 with nothing in it. @param {Trial} t @param {import('../send.js').Answer} answer */
function isEmpty(t, answer) {
  t.status(answer, 204);
  t.equal(answer.text, '', 'the body');
}

check('add', row('addMember'), async (t) => {
  const { app, first } = await people(t);
  isEmpty(t, await t.call('addMember', { path: { app, user: first.uid }, body: { access: 'read' } }));
  t.equal(await membersOf(t, app), [`${first.uid} read`], 'the members');
});

check('add.default', row('addMember'), async (t) => {
  const { app, first } = await people(t);
  await t.expect('addMember', 204, { path: { app, user: first.uid } });
  t.equal(await membersOf(t, app), [`${first.uid} write`], 'the members');
});

check('add.id', row('addMember'), async (t) => {
  const { app, first } = await people(t);
  await t.expect('addMember', 204, { path: { app, user: first.id } });
  t.equal(await membersOf(t, app), [`${first.uid} write`], 'the members');
});

check('add.again', row('addMember'), async (t) => {
  const { app, first } = await people(t);
  await t.expect('addMember', 204, { path: { app, user: first.uid }, body: { access: 'write' } });
  await t.expect('addMember', 204, { path: { app, user: first.uid }, body: { access: 'read' } });
  t.equal(await membersOf(t, app), [`${first.uid} read`], 'the members');
});

check('add.byUid', says('appRef'), async (t) => {
  const { first } = await people(t);
  const { uid } = await makeApp(t);
  await t.expect('addMember', 204, { path: { app: uid, user: first.uid } });
});

check('addMany', row('addMembers'), async (t) => {
  const { app, first, second } = await people(t);
  const body = [{ uid: first.uid, access: 'read' }, { uid: second.uid }];
  isEmpty(t, await t.call('addMembers', { path: { app }, body }));
  t.equal(await membersOf(t, app), [`${first.uid} read`, `${second.uid} write`].sort(), 'the members');
});

check('addMany.update', row('addMembers'), async (t) => {
  const { app, first } = await people(t);
  await t.prepare('addMember', { path: { app, user: first.uid }, body: { access: 'write' } });
  await t.expect('addMembers', 204, { path: { app }, body: [{ uid: first.uid, access: 'read' }] });
  t.equal(await membersOf(t, app), [`${first.uid} read`], 'the members');
});

check('addMany.id', row('addMembers'), async (t) => {
  const { app, first } = await people(t);
  await t.expect('addMembers', 204, { path: { app }, body: [{ uid: String(first.id) }] });
  t.equal(await membersOf(t, app), [`${first.uid} write`], 'the members');
});

check('list', row('listMembers'), async (t) => {
  const { app, writer } = await makeSharedApp(t);
  const listed = t.items(await t.call('listMembers', { path: { app: app.id } }));
  t.equal(listed.length, 2, 'the number of members');
  for (const member of listed) t.shape(member, 'Member');
  const found = listed.find(({ uid }) => uid === writer.uid);
  t.equal([found?.id, found?.access], [writer.id, 'write'], 'id and access of the member');
});

check('list.suspended', row('listMembers'), async (t) => {
  const { app } = await makeSharedApp(t);
  const path = { app: app.id };
  t.equal(
    t.items(await t.call('listMembers', { path, query: { suspended: true } })).length,
    0,
    'the suspended members',
  );
  t.equal(
    t.items(await t.call('listMembers', { path, query: { suspended: 'null' } })).length,
    2,
    'all members',
  );
});

check('remove', row('removeMember'), async (t) => {
  const { app, writer, reader } = await makeSharedApp(t);
  isEmpty(t, await t.call('removeMember', { path: { app: app.id, user: writer.uid } }));
  t.equal(await membersOf(t, app.id), [`${reader.uid} read`], 'the members that are left');
});

check('remove.id', row('removeMember'), async (t) => {
  const { app, writer, reader } = await makeSharedApp(t);
  await t.expect('removeMember', 204, { path: { app: app.id, user: writer.id } });
  t.equal(await membersOf(t, app.id), [`${reader.uid} read`], 'the members that are left');
});

check('removeMany', row('removeMembers'), async (t) => {
  const { app, writer, reader } = await makeSharedApp(t);
  isEmpty(t, await t.call('removeMembers', { path: { app: app.id }, body: [writer.uid, reader.uid] }));
  t.equal(await membersOf(t, app.id), [], 'the members that are left');
});

check('removeMany.some', row('removeMembers'), async (t) => {
  const { app, writer, reader } = await makeSharedApp(t);
  await t.expect('removeMembers', 204, { path: { app: app.id }, body: [String(reader.id)] });
  t.equal(await membersOf(t, app.id), [`${writer.uid} write`], 'the members that are left');
});

check('count', says('appMembers'), async (t) => {
  const { app } = await makeSharedApp(t);
  const { members } = await t.expect('getApp', 200, { path: { app: app.id } });
  t.equal(members?.count, 2, '`count` of the members of the app');
});

check('access', decides('no422'), async (t) => {
  const { app, first } = await people(t);
  t.status(await t.call('addMember', { path: { app, user: first.uid }, body: { access: 'all' } }), 400);
  t.status(await t.call('addMembers', { path: { app }, body: [{ uid: first.uid, access: 'all' }] }), 400);
});
