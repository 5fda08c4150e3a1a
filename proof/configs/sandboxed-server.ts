import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { type ConfabProcess, startConfab } from 'confab-testing/harness/confab-process.ts';
import { emptyPng } from 'confab-testing/harness/empty-png.ts';
import { type Receiver, startReceiver } from 'confab-testing/harness/receiver.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { poll } from 'confab-testing/poll.ts';
import { buildSandbox, type Plant } from './sandbox.ts';
import { allowedCalls, type Unit } from './unit.ts';

/** How long each thing may take that must work. */
const msMax = 20_000;

/**
 * Starts a server within the limits of a unit, and lets it do each kind of work that meets the system in its own way.
 * Returns what it did. Rejects where something does not work.
 */
export async function checkSandboxed(
  unit: Unit,
  folder: string,
  plant: Plant = {},
): Promise<{ readonly calls: number; readonly done: readonly string[] }> {
  const state = join(folder, 'state');
  const under = buildSandbox(unit, { folder, writable: state, plant });
  using receiver = await startReceiver();
  const settings = {
    CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
    CONFAB_BACKUP_TO: join(state, 'backups'),
    CONFAB_BACKUP_LOG: 'yes',
    CONFAB_METRICS: '0',
  };
  await using server = await startConfab({ folder: state, under, settings });
  const done = await useServer(server, receiver);
  await server.stop();
  return { calls: allowedCalls(unit).size, done: [...done, 'a stop'] };
}

async function useServer(server: ConfabProcess, receiver: Receiver): Promise<string[]> {
  const client = new Client(server);
  const appId = await client.create('/api/apps', { uid: 'room', type: 'comments', access: 'write' });
  const live = await connectLive(server, await issueToken(client, 'ada'));
  const channel = `a${appId}:comment_created`;
  await live.subscribe(channel);
  await client.must('POST', '/api/webhooks', {
    payload_url: `${receiver.url}/hook`,
    secret: 's3cret',
    triggers: ['comments'],
  });
  const id = await client.create(`/api/apps/${appId}/comments`, { text: 'a **word**' });
  await live.waitFor(channel, (event) => event.comment.id === id);
  await live.stop();
  await poll('a delivery', () => (receiver.received() > 0 ? true : undefined), msMax);
  // A long read runs in a process of its own, and so does the maker of smaller pictures.
  const found = await client.must('GET', '/api/comments?q=word');
  assert.equal((found['data'] as unknown[]).length, 1);
  await makePicture(server);
  await client.must('POST', '/api/backups');
  await poll('a backup', () => findBackup(client), msMax);
  const ready = await client.must('GET', '/readyz');
  assert.equal(ready['status'], 'ready');
  await client.close();
  return ['comments', 'a WebSocket', 'a delivery', 'a search', 'a picture', 'a backup'];
}

async function makePicture({ url, key }: ConfabProcess): Promise<void> {
  const form = new FormData();
  form.set('blob', new Blob([await emptyPng(900, 900)]), 'a.png');
  const made = await fetch(`${url}/api/blobs`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${key}` },
  });
  const { thumbnail_url: address } = (await made.json()) as { thumbnail_url: string };
  assert.equal((await fetch(address)).status, 200);
}

/** The job of a backup that is done; throws for one that failed. */
async function findBackup(client: Client): Promise<unknown> {
  const { job } = (await client.must('GET', '/api/backups')) as { job?: { state: string; failure?: string } };
  if (job?.state === 'failed') throw new Error(`a backup failed: ${job.failure}`);
  return job?.state === 'done' ? job : undefined;
}
