import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { listening, startCommand } from 'confab-testing/command.ts';
import { poll } from 'confab-testing/poll.ts';

/** Packages that take megabytes, and that a server needs only with some settings or for some requests. */
const neededLater = [
  'jose',
  'file-type',
  'htmlparser2',
  'saxes',
  'nodemailer',
  '@aws-sdk/client-s3',
  'undici',
  're2js',
  'yaml',
];

const folder = mkdtempSync(join(tmpdir(), 'confab-loaded-'));
after(() => rmSync(folder, { recursive: true }));
const modulesFile = join(folder, 'modules.json');

/** Fails where one of them is loaded, and writes down which modules of Node are, when the server has started. */
const refuseThem = `import { registerHooks } from 'node:module';
import { renameSync, writeFileSync } from 'node:fs';
process.once('SIGUSR2', () => {
  writeFileSync(${JSON.stringify(`${modulesFile}.new`)}, JSON.stringify(process.moduleLoadList));
  renameSync(${JSON.stringify(`${modulesFile}.new`)}, ${JSON.stringify(modulesFile)});
});
registerHooks({
  resolve(specifier, context, next) {
    if (${JSON.stringify(neededLater)}.includes(specifier.replace(/(\\w)\\/lib\\/.*/, '$1')))
      throw new Error(specifier + ' is loaded');
    return next(specifier, context);
  },
});`;

// A server with its defaults does without the packages that it does not use, and without their memory.
describe('a server on SQLite', () => {
  test('starts and answers without the packages that only some servers need', async () => {
    const server = await listening(
      await startCommand(['serve', '--data-dir', folder, '--port', '0'], {
        NODE_OPTIONS: `--import ${JSON.stringify(`data:text/javascript,${encodeURIComponent(refuseThem)}`)}`,
      }),
    );
    const { status } = await fetch(`${server.url}/readyz`);
    server.child.kill('SIGUSR2');
    const builtins = await poll('the modules of Node', async () =>
      existsSync(modulesFile) ? (JSON.parse(readFileSync(modulesFile, 'utf8')) as string[]) : undefined,
    );
    assert.ok(builtins.includes('NativeModule http'));
    // An import of `node:http` as a module loads it.
    assert.ok(!builtins.includes('NativeModule internal/deps/undici/undici'));
    server.child.kill('SIGTERM');
    assert.equal(status, 200);
    assert.equal(await server.ended, 0, server.said.stderr);
  });
});
