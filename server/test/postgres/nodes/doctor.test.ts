import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { DoctorRun } from 'confab-contract/doctor.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before } from 'confab-testing/server.ts';

let nodes: Nodes;
before(async () => {
  nodes = await startNodes();
});
after(async () => await nodes.close());

// Requests of one console reach any node.
describe('the doctor of several nodes', () => {
  test('looks once for all, and each shows what it found', async () => {
    const { body } = await nodes.a.call('POST', '/api/doctor');
    assert.deepEqual((await nodes.b.call('POST', '/api/doctor')).body, body);
    assertProblem(await nodes.b.call('POST', '/api/doctor/fix'), 503, 'too_busy');
    const run: DoctorRun = await poll('the doctor', async () => {
      const found = (await nodes.b.call('GET', '/api/doctor')).body;
      return found.state === 'running' ? undefined : found;
    });
    assert.deepEqual([run.state, run.failure], ['done', undefined]);
    assert.deepEqual((await nodes.a.call('GET', '/api/doctor')).body, run);
  });
});
