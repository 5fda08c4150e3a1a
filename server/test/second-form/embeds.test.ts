import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { type Site, startSite } from 'confab-testing/network/site.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);

const page =
  '<title>Garden</title><meta property="og:image" content="/peas.png"><meta property="og:image:width" content="30">';

describe('embeds in the second form', () => {
  let site: Site;
  let ada: Person;
  let asKit: ReturnType<typeof inSecondForm>;

  before(async () => {
    site = await startSite((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    });
    ada = await makeUser(server);
    asKit = inSecondForm(ada);
  });
  after(() => site.close());

  test('are found by an address, and lead there', async () => {
    const url = `${site.url}/page`;
    const path = `/api/embeds?url=${encodeURIComponent(url)}`;
    const found = await asKit.read(path);
    const picture = `${site.url}/peas.png`;
    assert.deepEqual(
      [found.type, found.title, found.url, found.thumbnail_url, found.image, found.actions],
      ['link', 'Garden', url, picture, { url: picture, width: 30 }, []],
    );
    assert.equal((await asKit.create('/api/embeds', { url })).id, found.id);
    assert.equal((await asKit.read(`/api/embeds/${found.id}`)).url, url);
    const first = await ada.read(path);
    assert.deepEqual(
      [first.id, first.url, first.image, first.actions],
      [found.id, undefined, undefined, undefined],
    );
    for (const query of ['', '?url=', '?url=ftp%3A%2F%2Fexample.com']) {
      const { status, body } = await asKit.call('GET', `/api/embeds${query}`);
      assert.deepEqual([status, body.errors[0].pointer], [422, '/url']);
    }
  });

  test('are made of what a client says, for comments, the log and both forms', async () => {
    const made = await asKit.create('/api/embeds', {
      type: 'link',
      title: '  Plan <b>B</b> ',
      description: 'What to do',
      url: 'https://example.com/plan?a="b"',
      image: 'https://example.com/plan.png',
      actions: ['Approve', 'Refuse'],
    });
    const picture = 'https://example.com/plan.png';
    assert.deepEqual(
      [made.title, made.url, made.thumbnail_url, made.image, made.actions, made.host],
      [
        'Plan B',
        'https://example.com/plan?a=%22b%22',
        picture,
        { url: picture },
        ['Approve', 'Refuse'],
        'example.com',
      ],
    );
    const app = await makeApp(server, { access: 'write' });
    const comment = await asKit.create(`/api/apps/${app.id}/comments`, { text: 'see', embed_id: made.id });
    assert.deepEqual(comment.embed.actions, ['Approve', 'Refuse']);
    const { embed } = (await ada.read(`/api/comments/${comment.id}`)) as any;
    assert.deepEqual(
      [embed.original_url, embed.thumbnail_url, embed.actions],
      [made.url, picture, undefined],
    );
    for (const { payload } of watch.rows(
      `select payload from events where (entity_type = 'embed' and entity_id = ${made.id})
       or (entity_type = 'comment' and entity_id = ${comment.id})`,
    ))
      assert.doesNotMatch(String(payload), /"actions"/);
    const photo = await asKit.create('/api/embeds', { type: 'photo', image: picture });
    assert.deepEqual([photo.url, photo.image, photo.thumbnail_url], [undefined, { url: picture }, picture]);
  });

  test('that a client made are not what others get for the address', async () => {
    const url = `${site.url}/other`;
    await asKit.create('/api/embeds', { type: 'link', title: 'Not what it says', url });
    for (const by of [asKit, inSecondForm(await makeUser(server))])
      assert.equal((await by.create('/api/embeds', { url })).title, 'Garden');
  });

  test('are refused with the field that is wrong', async () => {
    const link = { type: 'link', title: 'A' };
    for (const [body, pointer] of [
      [{}, '/url'],
      [{ url: 'nowhere' }, '/url'],
      [{ type: 'link' }, '/title'],
      [{ type: 'photo', title: 'A' }, '/image'],
      [{ type: 'rich', title: 'A' }, '/type'],
      [{ ...link, html: '<b>' }, '/html'],
      [{ ...link, url: 'javascript:alert(1)' }, '/url'],
      [{ ...link, url: 'https://ada:secret@example.com/' }, '/url'],
      [{ ...link, image: 'data:image/png;base64,AA' }, '/image'],
      [{ ...link, title: 'a'.repeat(257) }, '/title'],
      [{ ...link, actions: ['A', ' '] }, '/actions/1'],
      [{ ...link, actions: ['A', 'A'] }, '/actions/1'],
      [{ ...link, actions: Array.from({ length: 11 }, (_, n) => `${n}`) }, '/actions'],
    ] as const) {
      const answer = await asKit.call('POST', '/api/embeds', body);
      assert.deepEqual([answer.status, answer.body.errors[0].pointer], [422, pointer], JSON.stringify(body));
    }
  });
});

describe('meetings in the second form', () => {
  test('take place on the Jitsi server, and are shown as the provider that was asked for', async () => {
    const ada = await makeUser(server);
    const asKit = inSecondForm(ada);
    const app = await makeApp(server, { access: 'write' });
    for (const provider of ['zoom', 'google', 'microsoft']) {
      const meeting = await asKit.create(`/x/${provider}/meetings`, undefined);
      assert.equal(meeting.provider, provider);
      assert.equal(`https://${meeting.code}`, meeting.join_url);
      assert.match(meeting.join_url, /^https:\/\/meet\.jit\.si\//);
      const comment = await asKit.create(`/api/apps/${app.id}/comments`, {
        text: 'join',
        meeting_id: meeting.id,
      });
      assert.equal(comment.meeting.provider, provider);
      assert.ok(comment.meeting.created_at);
      const first = await ada.read(`/api/comments/${comment.id}`);
      assert.deepEqual([first.meeting.provider, 'code' in first.meeting], ['jitsi', false]);
    }
    const older = await ada.create('/api/meetings', { provider: 'jitsi' });
    assert.equal((await asKit.read(`/api/meetings/${older.id}`)).provider, 'google');
    assertProblem(await ada.call('POST', '/x/skype/meetings'), 404, 'not_found');
    assertProblem(await server.call('POST', '/x/zoom/meetings'), 401, 'user_required');
  });

  test('can be made from a page of another origin', async () => {
    const headers = {
      origin: 'https://host.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-weavy-source',
    };
    for (const path of ['/x/zoom/meetings', '/api/users/2/follow', '/api/embeds'])
      assert.ok((await fetch(`${server.url}${path}`, { method: 'OPTIONS', headers })).ok, path);
  });
});
