import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { keptFiles, sendUpload } from 'confab-testing/uploads.ts';
import { waitingCountMax } from '../../../src/features/blobs/upload-quota.ts';

const kibi = 1024;
const dayMs = 24 * 3_600_000;
let now = Date.parse('2026-11-21T07:42:00.000Z');
const server = useServer({ CONFAB_UPLOAD_QUOTA_MIB: '1' }, { isQuiet: true, clock: { now: () => now } });

const send = (kibibytes: number, as?: string) =>
  sendUpload(server, { bytes: new Uint8Array(kibibytes * kibi) }, as === undefined ? {} : { as });
const unfinished = (): string[] => readdirSync(join(server.folder, 'blobs', 'tmp'));

/** Unused uploads take shared disk space, so each user may have only a limited amount. */
describe('the unused uploads of a user', () => {
  test('have 1 MiB here: more is 429 with a time to retry, and leaves nothing', async () => {
    const { token } = await makeUser(server);
    assert.equal((await send(600, token)).status, 201);
    const before = keptFiles(server.folder);
    const refused = await send(600, token);
    assertProblem(refused, 429, 'upload_quota_reached');
    assert.equal(refused.headers.get('retry-after'), String(dayMs / 1000));
    assert.deepEqual([keptFiles(server.folder), unfinished()], [before, []]);
    assert.equal((await send(400, token)).status, 201);
  });

  test('do not count once something uses them', async () => {
    const { token: as } = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const { body } = await send(900, as);
    assertProblem(await send(900, as), 429, 'upload_quota_reached');
    const comment = { text: 'a', blobs: [body.id] };
    const made = await server.as(as).call('POST', `/api/apps/${app.id}/comments`, comment);
    assert.equal(made.status, 201, made.text);
    assert.equal((await send(900, as)).status, 201);
  });

  test('do not count once their day is over', async () => {
    const { token, uid } = await makeUser(server);
    assert.equal((await send(900, token)).status, 201);
    now += dayMs;
    const { body } = await server.call('POST', `/api/users/${uid}/tokens`);
    assert.equal((await send(900, body.access_token)).status, 201);
  });

  test('that arrive at the same time share it: of eight of 300 KiB three are stored', async () => {
    const { token } = await makeUser(server);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(300, token)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual([...new Set(statuses)], [201, 429]);
    const kept = statuses.filter((status) => status === 201).length;
    assert.ok(kept <= 3, `${kept} kept`);
    for (let more = kept; more < 3; more += 1) assert.equal((await send(300, token)).status, 201);
    assertProblem(await send(300, token), 429, 'upload_quota_reached');
    assert.deepEqual(unfinished(), []);
  });

  test('and links of others that arrive at the same time stay apart', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => makeUser(server)));
    const link = (n: number) => ({
      provider: 'Elsewhere',
      link: 'https://example.com/',
      name: `link ${n}.txt`,
    });
    const kept = await Promise.all(
      users.flatMap(({ token: as }, n) => [
        sendUpload(server, { bytes: new Uint8Array(n + 1), name: `upload ${n}.txt` }, { as }),
        server.as(as).call('POST', '/api/blobs/external', link(n)),
      ]),
    );
    for (const [n, { token }] of users.entries()) {
      const own = kept.slice(2 * n, 2 * n + 2);
      const read = await Promise.all(
        own.map(({ body: { id } }) => server.as(token).read(`/api/blobs/${id}`)),
      );
      assert.deepEqual(
        read.map(({ name, size }) => [name, size]),
        [
          [`upload ${n}.txt`, n + 1],
          [`link ${n}.txt`, 0],
        ],
      );
    }
  });

  test('count while they are arriving, and not after they break off', async () => {
    const { token } = await makeUser(server);
    const { hostname, port } = new URL(server.url);
    const head = 'Content-Disposition: form-data; name="blob"; filename="a.txt"';
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.write(
      `POST /api/blobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${900 * kibi}\r\n` +
        `Content-Type: multipart/form-data; boundary=xx\r\n\r\n--xx\r\n${head}\r\n\r\nsome`,
    );
    await poll('the first bytes of the upload', () => unfinished().length === 1 || undefined);
    assertProblem(await send(300, token), 429, 'upload_quota_reached');
    socket.destroy();
    await poll('the end of the upload', () => unfinished().length === 0 || undefined);
    assert.equal((await send(300, token)).status, 201);
  });

  test('are counted for each user, and not for an API key', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    assert.equal((await send(900, ada.token)).status, 201);
    assert.equal((await send(900, bob.token)).status, 201);
    for (let i = 0; i < 3; i += 1) assert.equal((await send(900)).status, 201);
  });

  test('are limited in number, including links to files elsewhere, which have no bytes here', async () => {
    const { token: as } = await makeUser(server);
    const external = { provider: 'p', link: 'https://example.com/', name: 'a', size: 10 * kibi * kibi };
    const create = () => server.as(as).call('POST', '/api/blobs/external', external);
    for (let made = 0; made < waitingCountMax; made += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, create));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    }
    assertProblem(await create(), 429, 'upload_quota_reached');
    assertProblem(await send(1, as), 429, 'upload_quota_reached');
  });
});
