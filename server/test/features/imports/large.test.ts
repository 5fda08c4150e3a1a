import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { disqusExport } from 'confab-testing/disqus-export.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
import { reached } from 'confab-testing/imports.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Answer, type TestServer, useServer } from 'confab-testing/server.ts';
import { keptFiles } from 'confab-testing/uploads.ts';

const mebibyte = 1024 * 1024;

/** Uploads a file for an import. */
async function send(server: TestServer, file: Blob): Promise<Answer<{ id: number; size: number }>> {
  const form = new FormData();
  form.set('blob', file, 'disqus.xml');
  return await server.call('POST', '/api/blobs/import', form);
}

async function tryImport(server: TestServer, file: Blob): Promise<number> {
  const { status, body } = await send(server, file);
  assert.equal(status, 201);
  return (await server.create('/api/imports', { kind: 'disqus', blob_id: body.id })).id;
}

// Exports come in packed.
describe('a packed export', () => {
  const server = useServer();

  test('is imported as it is', async () => {
    const id = await tryImport(server, new Blob([gzipSync(disqusExport(500))]));
    assert.equal((await reached(server, id, 'ready')).planned?.comments, 500);
    await server.call('POST', `/api/imports/${id}/run`);
    assert.equal((await reached(server, id, 'finished')).made.comments, 500);
  });
});

// The limit of an upload for an import is exact, and only an import takes more than other uploads have.
describe('the upload of an export', () => {
  const server = useServer();
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'confab-large-'));
  });
  after(async () => await rm(folder, { recursive: true, force: true }));

  /** A file of zeros behind a beginning, which takes no room on the disk. */
  async function sparse(bytes: number, start = ''): Promise<Blob> {
    const path = join(folder, String(bytes));
    const file = await open(path, 'w');
    await file.write(start);
    await file.truncate(bytes);
    await file.close();
    return await openAsBlob(path);
  }

  test('may be larger than others, and is then used by an import alone', async () => {
    const { status, body } = await send(server, await sparse(50 * mebibyte + 1));
    assert.deepEqual([status, body.size], [201, 50 * mebibyte + 1]);
    const app = await makeApp(server);
    const answer = await server.call('POST', `/api/apps/${app.id}/comments`, { text: 'a', blobs: [body.id] });
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual(answer.body.errors, [
      { pointer: '/blobs/0', code: 'too_long', message: 'has more than 52428800 bytes' },
    ]);
    await server.create('/api/imports', { kind: 'disqus', blob_id: body.id });
  });

  test('has at most 512 MiB, told by its length and with the name of the field', async () => {
    const files = keptFiles(server.folder);
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      `POST /api/blobs/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n` +
        `Content-Type: multipart/form-data; boundary=xx\r\nContent-Length: ${513 * mebibyte}\r\n\r\n`,
    );
    // As much as the server drains before it answers.
    socket.write(Buffer.alloc(64 * mebibyte + 1));
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(
      answer,
      /"pointer":"\/blob","code":"too_long","message":"must have at most 536870912 bytes"/,
    );
    assert.deepEqual(keptFiles(server.folder), files);
  });

  test('refuses a body that is no form', async () => {
    assertProblem(await server.call('POST', '/api/blobs/import', new FormData()), 400, 'malformed_request');
  });
});

// Node limits the time of all requests alike; a large upload has more.
describe('a slow upload', () => {
  const server = useServer({}, { limits: { headersMs: 1000, requestMs: 2000, checkMs: 50 } });
  const form = (content: string) => [
    `--xx\r\nContent-Disposition: form-data; name="blob"; filename="a"\r\n\r\n${content}`,
    '\r\n--xx--\r\n',
  ];

  /** Sends all of a form but its end. */
  function begin(path: string): Socket {
    const [start = '', end = ''] = form('a');
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${server.key}\r\n` +
        `Content-Type: multipart/form-data; boundary=xx\r\nContent-Length: ${start.length + end.length}\r\n\r\n${start}`,
    );
    return socket;
  }

  test('ends if it is an ordinary one, and goes on if it is for an import', async () => {
    const patient = begin('/api/blobs/import');
    // It began later, so the time of the other is over when this one has ended.
    assert.match(await text(begin('/api/blobs')), /^HTTP\/1\.1 408 /);
    const [, end = ''] = form('a');
    patient.write(end);
    assert.match(await text(patient), /^HTTP\/1\.1 201 /);
  });
});
