import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from 'confab-contract/index.ts';
import { Comparison } from 'confab-testing/differential/comparison.ts';
import { Identities } from 'confab-testing/differential/identities.ts';
import { Run } from 'confab-testing/differential/run.ts';
import { type Answer, bothEngines, startServers } from 'confab-testing/differential/servers.ts';

/** Both engines answer alike; `npx node proof/differential.ts` says so of far more requests. */
describe('the engines', () => {
  it('respond alike to drawn requests: status, headers and body', async () => {
    const servers = await startServers(bothEngines);
    try {
      const run = new Run(servers, 20_261_121);
      await run.begin();
      await run.send(2000);
      const { divergences, mutating, byOperation, identities } = run.result;
      assert.deepEqual(divergences, []);
      assert.deepEqual(identities.disorders(), []);
      assert.deepEqual(servers.logged, []);
      assert.ok(mutating > 100, `only ${mutating} requests changed something`);
      assert.ok(byOperation.size > 80, `only ${byOperation.size} operations were drawn`);
    } finally {
      await servers.stop();
    }
  });
});

const comment = {
  id: 7,
  app_id: 3,
  text: 'see [x](@u5)',
  tags: ['a'],
  metadata: { id: 1 },
  created_by_id: 5,
};

/** What is different in two answers is found, and an id may be another on the other side if it is so everywhere. */
describe('the comparison of two responses', () => {
  function placesOf(...pairs: readonly (readonly [object, object])[]): string[] {
    const comparison = new Comparison(new Identities());
    const answer = (body: object, status = 200): Answer => ({
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', date: String(Math.random()) },
      bytes: Buffer.from(JSON.stringify(body)),
    });
    for (const [left, right] of pairs)
      comparison.answers(
        operations.getComment,
        { left: answer(left), right: answer(right) },
        { left: '/api/comments/7', right: '/api/comments/7' },
      );
    return comparison.findings.map(({ where }) => where.replace(/: .*/, ''));
  }

  it('accepts different ids for the same object, in numbers and in texts', () => {
    const other = { ...comment, id: 9, created_by_id: 6, text: 'see [x](@u6)' };
    assert.deepEqual(placesOf([comment, other], [comment, other]), []);
  });

  it('reports an id that stands for two objects', () => {
    const other = { ...comment, id: 9 };
    assert.deepEqual(placesOf([comment, other], [comment, comment]), ['/id']);
    assert.deepEqual(placesOf([comment, { ...comment, text: 'see [x](@u6)' }]), ['/created_by_id']);
  });

  it('reports other values, other properties, another order and another number of items', () => {
    assert.deepEqual(placesOf([comment, { ...comment, text: 'see' }]), ['/text']);
    assert.deepEqual(placesOf([comment, { ...comment, metadata: { id: 2 } }]), ['/metadata/id']);
    assert.deepEqual(
      placesOf([
        { ...comment, tags: ['a', 'b'] },
        { ...comment, tags: ['b', 'a'] },
      ]),
      ['/tags/0', '/tags/1'],
    );
    assert.deepEqual(placesOf([comment, { ...comment, tags: [] }]), ['/tags.length']);
    assert.deepEqual(placesOf([comment, { ...comment, html: '' }]), ['properties of ']);
  });
});
