import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestServer } from 'confab-testing/server.ts';

test('a statement that takes long is logged, once a minute and without its values', async () => {
  const lines: string[] = [];
  let isSlow = false;
  const server = await startTestServer(
    { CONFAB_LOG_LEVEL: 'warn' },
    {
      logTo: { write: (line: string) => void lines.push(line) },
      onStatement(sql) {
        if (!isSlow || !/^select .* from "users"/.test(sql)) return;
        const startedAt = performance.now();
        while (performance.now() - startedAt < 300);
      },
    },
  );
  after(() => server.close());
  await server.create('/api/users', { uid: 'secret-uid' });
  const read = async () => assert.equal((await server.call('GET', '/api/users/secret-uid')).status, 200);
  await read();
  assert.deepEqual(lines, []);
  isSlow = true;
  await read();
  await read();
  const told = lines.map((line) => JSON.parse(line) as { msg: string; ms: number; statement: string });
  assert.deepEqual(new Set(told.map(({ msg }) => msg)), new Set(['a statement took long']));
  assert.equal(new Set(told.map(({ statement }) => statement)).size, told.length, 'one was logged twice');
  assert.ok(told.length > 0 && told.every(({ ms, statement }) => ms >= 300 && /"users"/.test(statement)));
  assert.ok(!lines.join('').includes('secret-uid'));
});
