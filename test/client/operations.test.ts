import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createClient } from '../../client/index.js';
import { operationList } from '../../src/contract/index.ts';
import { useReceiver } from '../support/network/receiver.ts';
import { useServer } from '../support/server.ts';
import { walk } from './walk.js';

const methods = Object.keys(createClient({ url: 'http://localhost' })).filter(
  (name) => !['request', 'events', 'changes'].includes(name),
);
const place = mkdtempSync(join(tmpdir(), 'confab-walk-'));
after(() => rmSync(place, { recursive: true, force: true }));
const server = useServer({ CONFAB_BACKUP_TO: place });
const receiver = useReceiver();

// Every operation of the contract has a method, except streams, for which there is another way.
test('the client has every operation but those that stream', () => {
  const others = operationList.map(({ id }) => id).filter((id) => !methods.includes(id));
  assert.deepEqual(others, [
    'streamEvents',
    'watchApp',
    'negotiateConnection',
    'openConnection',
    'sendToConnection',
    'endConnection',
  ]);
});

// Each method sends what its operation takes: the server carries all of them out.
test('every operation succeeds through the client', async () => {
  receiver.answer('/article', {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<title>On computable numbers</title>',
  });
  const { called, archive, progress, embedTitle } = await walk({
    createClient,
    url: server.url,
    key: server.key,
    article: `${receiver.url}/article`,
    receiver: `${receiver.url}/hook`,
    name: 'walk',
  });
  assert.deepEqual(called, methods.sort());
  // A tar archive, whole: its last file is the end of an export.
  assert.match(archive, /^lines\/000001\.jsonl\0.*export\.json\0/s);
  assert.equal(embedTitle, 'On computable numbers');
  assert.equal(progress.at(-1), 1);
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  );
});
