import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { runCommand, startCommand } from 'confab-testing/command.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { createDataFolder, dropDatabaseOf, engine, storeSettings } from 'confab-testing/stores/databases.ts';
import { register } from 'confab-testing/webhooks.ts';
import { commandLine } from '../../src/commands/program.ts';
import { makeKeyText } from '../../src/kernel/secret-box.ts';

/** Every verb with its words. */
function verbsOf(command: Command, words: readonly string[] = []): [words: string, verb: Command][] {
  const below = command.commands.flatMap((each) => verbsOf(each, [...words, each.name()]));
  return words.length > 0 && (below.length === 0 || words.join(' ') === 'config')
    ? [[words.join(' '), command], ...below]
    : below;
}

/** Verbs without `--json`, with the reason. */
const withoutJson = new Map([
  ['serve', 'it prints where it listens and its first key; its log is JSON'],
  ['config schema', 'its output is always JSON'],
  ['user erase', 'its receipt is always JSON'],
  ['backup ship', 'a server runs it and gets its reports over a channel'],
]);

// A script reads the output of any command as JSON, and knows by the exit code how it ended.
describe('the commands of confab', () => {
  const root = mkdtempSync(join(tmpdir(), 'confab-json-'));
  let folder = '';
  let webhookId = 0;
  let environment: Record<string, string> = {};
  before(async () => {
    folder = await createDataFolder();
    const server = await startTestServer({ CONFAB_SECRETS_KEY: makeKeyText() }, { folder });
    await server.token('ada');
    webhookId = (await register(server, { payload_url: 'http://127.0.0.1:9/', secret: 's3cret' })).id;
    await server.close();
    environment = { ...(await storeSettings(folder)), CONFAB_SECRETS_KEY: makeKeyText() };
    Object.assign(process.env, environment);
  });
  after(async () => {
    for (const name of Object.keys(environment)) delete process.env[name];
    rmSync(root, { recursive: true });
    rmSync(folder, { recursive: true });
    await dropDatabaseOf(folder);
  });

  /** The value that a command prints, which must be JSON and nothing else. It runs here, which takes less time. */
  async function printedBy(...args: string[]): Promise<unknown> {
    const printed: string[] = [];
    const { write } = process.stdout;
    // The runner of the tests writes bytes.
    process.stdout.write = (chunk: string | Uint8Array, ...rest: never[]) =>
      typeof chunk === 'string' ? printed.push(chunk) > 0 : write.call(process.stdout, chunk, ...rest);
    try {
      await commandLine().parseAsync([...args, '--json', '--data-dir', folder], { from: 'user' });
    } finally {
      process.stdout.write = write;
    }
    return JSON.parse(printed.join(''));
  }

  test('all take --json, but for those with a reason', () => {
    const verbs = verbsOf(commandLine());
    assert.ok(verbs.length > 25);
    for (const [words, verb] of verbs)
      assert.equal(
        verb.options.some(({ long }) => long === '--json'),
        !withoutJson.has(words),
        words,
      );
    assert.deepEqual(
      [...withoutJson.keys()].filter((words) => !verbs.some(([name]) => name === words)),
      [],
    );
  });

  test('print JSON and nothing else', async () => {
    const made = (await printedBy('key', 'create', 'job', '--scope', 'read')) as { key: string };
    assert.match(made.key, /^wys_/);
    assert.deepEqual(made, { key: made.key, name: 'job', scopes: ['read'], expires_at: null });
    const keys = (await printedBy('key', 'list')) as { id: number; name: string }[];
    const { id } = keys.find(({ name }) => name === 'job') ?? { id: 0 };
    assert.deepEqual(await printedBy('key', 'revoke', `${id}`), { id, is_revoked: true });

    const replaced = (await printedBy('secrets', 'replace-lost')) as { id: number; secret: string }[];
    assert.deepEqual(
      replaced.map((one) => one.id),
      [webhookId],
    );
    assert.match(replaced[0]?.secret ?? '', /^whsec_/);
    const rotated = (await printedBy('secrets', 'rotate')) as { sealed: number; keys_in_use: string[] };
    assert.deepEqual([rotated.sealed, rotated.keys_in_use], [0, []]);

    const pinged = (await printedBy('webhook', 'ping', `${webhookId}`)) as { delivery_id: number };
    const delivery = `${pinged.delivery_id}`;
    assert.deepEqual(pinged, { webhook_id: webhookId, delivery_id: pinged.delivery_id });
    assert.deepEqual(await printedBy('webhook', 'redeliver', `${webhookId}`, delivery), {
      webhook_id: webhookId,
      redelivered: 1,
    });
    assert.deepEqual(await printedBy('webhook', 'redeliver', `${webhookId}`, '--action', 'app_created'), {
      webhook_id: webhookId,
      redelivered: 0,
    });

    const file = join(root, 'ada.tar');
    const exported = (await printedBy('user', 'export', 'ada', file)) as { file: string };
    assert.equal(exported.file, file);
    assert.deepEqual(await printedBy('migrate', 'up'), []);
    const disqus = fileURLToPath(import.meta.resolve('confab-importers/fixtures/disqus.xml'));
    const tried = (await printedBy('import', 'disqus', disqus, '--dry-run')) as { made: unknown };
    assert.equal(tried.made, null);
    const imported = (await printedBy('import', 'disqus', disqus)) as { imported: number; made: object };
    assert.deepEqual(Object.keys(imported.made), ['comments', 'restored', 'apps', 'users']);
    if (engine === 'sqlite') assert.deepEqual(await printedBy('vacuum'), { folder });
    else {
      const moved = (await printedBy('move', '--to', join(root, 'moved'))) as { tables: object[] };
      assert.ok(moved.tables.length > 10);
    }
  });

  test('report a failure in a line with 1, and wrong arguments with 2', async () => {
    for (const [args, code] of [
      [['key', 'revoke', '987654'], 1],
      [['webhook', 'ping', 'x'], 2],
      [['key', 'create', '--scope', 'admin'], 2],
    ] as const) {
      const failed = await runCommand([...args, '--json', '--data-dir', folder]);
      assert.deepEqual([failed.code, failed.stdout], [code, ''], failed.stderr);
      assert.notEqual(failed.stderr, '');
    }
  });

  test('webhook listen prints an object on each line', async () => {
    const listening = await startCommand(['webhook', 'listen', '--port', '0', '--body', '--json']);
    const lines = () => listening.said.stdout.split('\n').filter((line) => line !== '');
    const [first] = await poll('the address', () => (lines().length > 0 ? lines() : undefined));
    const { listens_on: url } = JSON.parse(first ?? '') as { listens_on: string };
    assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 204);
    const [, second] = await poll('the request', () => (lines().length > 1 ? lines() : undefined));
    const { result, body } = JSON.parse(second ?? '') as { result: string; body: string };
    assert.deepEqual([result, body], ['not verified, no secret was given', '{}']);
    listening.child.kill('SIGTERM');
    await listening.ended;
  });
});
