import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer({ CONFAB_JITSI_URL: 'https://meet.example.com/rooms/' });
const watch = useStoreWatch(server);

const make = (body: unknown, as?: string) =>
  server.call('POST', '/api/meetings', body, as === undefined ? {} : { as });

/** A meeting has an address that only those know who were given it. */
describe('a meeting', () => {
  test('is created with Jitsi, without an account', async () => {
    const ada = await makeUser(server);
    const { status, body } = await make({ provider: 'jitsi' }, ada.token);
    assert.equal(status, 201);
    assert.equal(body.provider, 'jitsi');
    assert.match(body.provider_id, /^Confab-[0-9a-f]{32}$/);
    assert.match(body.uuid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal(body.join_url, `https://meet.example.com/rooms/${body.provider_id}`);
    assert.deepEqual(Object.keys(body), ['id', 'provider', 'provider_id', 'uuid', 'join_url']);
    const events = watch.rows(
      `select user_id as user, app_id as app from events where action = 'meeting_created' and entity_id = ${body.id}`,
    );
    assert.deepEqual(
      events.map((row) => ({ ...row })),
      [{ user: ada.id, app: null }],
    );
  });

  test('has its own room each time', async () => {
    const rooms = new Set<string>();
    for (let made = 0; made < 20; made += 1) rooms.add((await make({ provider: 'jitsi' })).body.join_url);
    assert.equal(rooms.size, 20);
  });

  for (const provider of ['zoom', 'teams'])
    test(`is not created with ${provider}, which is not supported`, async () => {
      const answer = await make({ provider });
      assertProblem(answer, 422, 'validation_failed', '/provider');
      assert.match(answer.body.detail, /not set up on this server, which has jitsi/);
    });

  test('needs an existing provider and a credential', async () => {
    assertProblem(await make({}), 422, 'validation_failed', '/provider');
    assertProblem(await make({ provider: 'skype' }), 422, 'validation_failed', '/provider');
    assertProblem(await make({ provider: 1 }), 400, 'wrong_type', '/provider');
    const answer = await server.as(null).call('POST', '/api/meetings', { provider: 'jitsi' });
    assertProblem(answer, 401, 'unauthorized');
  });

  test('can be read only by its creator and API keys', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const { body } = await make({ provider: 'jitsi' }, ada.token);
    const get = (id: number, as: string | null) => server.as(as).call('GET', `/api/meetings/${id}`);
    assert.deepEqual((await get(body.id, ada.token)).body, body);
    assert.deepEqual((await get(body.id, server.key)).body, body);
    const hidden = await get(body.id, bob.token);
    assertProblem(hidden, 404, 'not_found');
    assert.equal(hidden.body.detail, (await get(987_654_321, bob.token)).body.detail);
    assertProblem(await get(body.id, null), 401, 'unauthorized');
  });
});

/** Who sees a comment sees the meeting it invites to. */
describe('a comment with a meeting', () => {
  test('shows it, keeps it when an edit leaves it out, and can remove it', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'write' });
    const { body: meeting } = await make({ provider: 'jitsi' }, ada.token);
    const sending = { as: ada.token };
    const comment = await makeComment(server, app.id, { text: 'join', meeting_id: meeting.id }, sending);
    assert.equal(comment.meeting_id, meeting.id);
    assert.deepEqual(comment.meeting, meeting);
    const list = await bob.call('GET', `/api/apps/${app.id}/comments?expand=meeting`);
    assert.deepEqual(list.body.data[0].meeting, meeting);
    const patch = async (fields: object) =>
      (await server.call('PATCH', `/api/comments/${comment.id}`, fields, sending)).body;
    assert.deepEqual((await patch({ text: 'join us' })).meeting, meeting);
    assert.equal((await patch({ meeting_id: null })).meeting, undefined);
  });

  test('cannot have one that does not exist or belongs to another user', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'write' });
    const { body: foreign } = await make({ provider: 'jitsi' }, bob.token);
    for (const meeting_id of [foreign.id, 987_654_321]) {
      const path = `/api/apps/${app.id}/comments`;
      const answer = await ada.call('POST', path, { meeting_id });
      assertProblem(answer, 422, 'validation_failed', '/meeting_id');
    }
  });
});
