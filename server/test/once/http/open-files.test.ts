import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { useFolders } from 'confab-testing/folders.ts';
import { Client, uploadOf } from 'confab-testing/harness/client.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { poll } from 'confab-testing/poll.ts';

const freshFolder = useFolders();
const descriptorsMax = 120;

// Each connection takes a descriptor, and so does each upload that is written.
describe('a server without file descriptors', () => {
  test('goes on with the connections that it has, and takes others when some are free', async (t) => {
    if (process.platform !== 'linux') {
      t.diagnostic('descriptors are limited with prlimit, which is not here');
      return;
    }
    const folder = freshFolder();
    await using server = await startConfab({
      folder,
      under: ['prlimit', `--nofile=${descriptorsMax}:${descriptorsMax}`],
      settings: { CONFAB_LOG_LEVEL: 'warn' },
    });
    assert.match(
      readFileSync(join(folder, 'server.log'), 'utf8'),
      /too few file descriptors for the readers/,
    );
    await using client = new Client(server, { connections: 1 });
    await client.must('PUT', '/api/apps/open', { type: 'comments' });
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    t.after(() => {
      for (const socket of sockets) socket.destroy();
    });
    /** Opens connections until the server closes one. */
    async function takeAll(): Promise<void> {
      const added: Socket[] = [];
      const isRefused = () => added.some((socket) => socket.destroyed || socket.readableEnded);
      while (added.length < 2 * descriptorsMax && !isRefused()) {
        const socket = connect(Number(port), hostname).on('error', () => undefined);
        socket.resume();
        added.push(socket);
        sockets.push(socket);
        await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      }
      // The system takes some connections before the server closes the first.
      await poll('a refused connection', () => isRefused() || undefined);
    }
    await takeAll();

    await client.must('GET', '/api/apps/open');
    const id = await client.create('/api/apps/open/comments', { text: 'still there' });
    // The server may close something else meanwhile, whose descriptor an upload would find.
    await poll('an upload that is refused', async () => {
      await takeAll();
      const sent = client.must('POST', '/api/blobs', uploadOf('a.txt', 'some text'));
      const error = await sent.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) return undefined;
      assert.match(String(error), /answered 503/);
      return true;
    });

    for (const socket of sockets) socket.destroy();
    const other = await poll('a new connection', async () => {
      await using fresh = new Client(server);
      return await fresh.send('GET', `/api/comments/${id}`);
    });
    assert.equal(other.body['text'], 'still there');
    await client.create('/api/blobs', uploadOf('a.txt', 'some text'));
    const page = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.key}` } });
    // What the alert ConfabFilesRunOut looks at.
    assert.match(
      await page.text(),
      new RegExp(`^process_open_fds [1-9]\\d*\n[^]*^process_max_fds ${descriptorsMax}$`, 'm'),
    );
    await client.close();
    await server.stop();
  });
});
