import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listening, runCommand, startCommand } from 'confab-testing/command.ts';
import { settingsFor, startBucket, type TestBucket } from 'confab-testing/network/bucket.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { configFrom } from '../../../../src/config/config.ts';

const whole = {
  CONFAB_S3_BUCKET: 'files',
  CONFAB_S3_ENDPOINT: 'http://127.0.0.1:9000',
  CONFAB_S3_ACCESS_KEY_ID: 'id',
  CONFAB_S3_SECRET_ACCESS_KEY: 'secret',
};

const halves: readonly [what: string, settings: Record<string, string>, message: RegExp][] = [
  [
    'an address without a bucket',
    { CONFAB_S3_ENDPOINT: 'http://127.0.0.1:9000' },
    /^CONFAB_S3_ENDPOINT is set and CONFAB_S3_BUCKET is not$/,
  ],
  [
    'a way to name the bucket without a bucket',
    { CONFAB_S3_PATH_STYLE: 'no' },
    /^CONFAB_S3_PATH_STYLE is set and CONFAB_S3_BUCKET is not$/,
  ],
  [
    'a key without its secret',
    { ...whole, CONFAB_S3_SECRET_ACCESS_KEY: '' },
    /^CONFAB_S3_ACCESS_KEY_ID is set and CONFAB_S3_SECRET_ACCESS_KEY is not$/,
  ],
  [
    'a secret without its key',
    { ...whole, CONFAB_S3_ACCESS_KEY_ID: '' },
    /^CONFAB_S3_SECRET_ACCESS_KEY is set and CONFAB_S3_ACCESS_KEY_ID is not$/,
  ],
  [
    'a bucket that is nowhere',
    { CONFAB_S3_BUCKET: 'files' },
    /^CONFAB_S3_BUCKET needs CONFAB_S3_REGION, or CONFAB_S3_ENDPOINT/,
  ],
  [
    'the origin of Confab for what people upload',
    {
      ...whole,
      CONFAB_PUBLIC_URL: 'https://confab.example.com/base',
      CONFAB_S3_PUBLIC_ENDPOINT: 'https://confab.example.com/files',
    },
    /^CONFAB_S3_PUBLIC_ENDPOINT must be another origin than CONFAB_PUBLIC_URL/,
  ],
  ['no name of a bucket', { ...whole, CONFAB_S3_BUCKET: 'My/Files' }, /^CONFAB_S3_BUCKET must be the name/],
  ['no address', { ...whole, CONFAB_S3_ENDPOINT: 'minio:9000' }, /^CONFAB_S3_ENDPOINT must be an http/],
  ['neither yes nor no', { ...whole, CONFAB_S3_PATH_STYLE: 'maybe' }, /^CONFAB_S3_PATH_STYLE must be one of/],
];

// A bucket is set whole or the start is refused, with the name of what is missing or wrong.
describe('the settings of a bucket', () => {
  for (const [what, settings, message] of halves)
    test(`refuse ${what}`, () => {
      assert.throws(() => configFrom(settings), { message });
    });

  test('are complete with only a region, or only an address', () => {
    assert.equal(
      configFrom({ CONFAB_S3_BUCKET: 'files', CONFAB_S3_REGION: 'eu-north-1' }).s3Endpoint,
      undefined,
    );
    assert.equal(configFrom(whole).s3Region, undefined);
  });
});

let bucket: TestBucket;
const folder = mkdtempSync(join(tmpdir(), 'confab-test-'));
before(async () => {
  bucket = await startBucket();
});
after(async () => {
  await bucket.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a server that is expected to refuse to start. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const args = ['serve', '--data-dir', folder, '--port', '0'];
  const { code, stdout, stderr } = await runCommand(args, { ...bucket.settings, ...settings });
  assert.notEqual(code, 0);
  assert.equal(stdout.includes('listens on'), false);
  return stderr;
}

// A bucket that will not let itself be used is told at the start, with what to do; one that is only away is waited for.
describe('the start with a bucket', () => {
  test('is refused when there is no such bucket', async () => {
    const said = await refusal({ CONFAB_S3_BUCKET: 'absent' });
    assert.match(
      said,
      /the bucket absent cannot be used: there is none of this name; make it, or correct CONFAB_S3_BUCKET/,
    );
  });

  test('is refused with a wrong secret, which appears nowhere', async () => {
    const said = await refusal({ CONFAB_S3_SECRET_ACCESS_KEY: 'not-the-secret' });
    assert.match(said, /CONFAB_S3_SECRET_ACCESS_KEY is not the secret of CONFAB_S3_ACCESS_KEY_ID/);
    assert.equal(said.includes('not-the-secret'), false);
  });

  test('is refused with an unknown key', async () => {
    assert.match(
      await refusal({ CONFAB_S3_ACCESS_KEY_ID: 'nobody' }),
      /nobody there has this CONFAB_S3_ACCESS_KEY_ID/,
    );
  });

  test('is refused without the package for it, which it names', async () => {
    const missing = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        if (name === '@aws-sdk/client-s3') throw new Error('not installed');
        return next(name, context);
      } });`;
    const said = await refusal({
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(missing)}"`,
    });
    assert.match(said, /need the package @aws-sdk\/client-s3, .* npm install @aws-sdk\/client-s3/);
  });

  test('needs no package as long as no bucket is set', async () => {
    const missing = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        if (name.startsWith('@aws-sdk/')) throw new Error('not installed');
        return next(name, context);
      } });`;
    const started = await startCommand(['serve', '--data-dir', folder, '--port', '0'], {
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(missing)}"`,
    });
    await listening(started);
    started.child.kill('SIGTERM');
    assert.equal(await started.ended, 0);
  });

  test('uses the credentials of the machine where none are set', async () => {
    const { CONFAB_S3_ACCESS_KEY_ID: _, CONFAB_S3_SECRET_ACCESS_KEY: __, ...settings } = bucket.settings;
    const started = await startCommand(['serve', '--data-dir', folder, '--port', '0'], {
      ...settings,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    });
    await listening(started);
    assert.equal(started.said.stderr.includes('the bucket failed'), false, started.said.stderr);
    started.child.kill('SIGTERM');
    assert.equal(await started.ended, 0);
  });

  test('with an unreachable bucket succeeds, and is ready once the bucket has responded', async (t) => {
    const away = await startBucket();
    await away.stop();
    let now = 0;
    const server = await startTestServer(settingsFor(away.url), { isQuiet: true, clock: { now: () => now } });
    t.after(() => server.close());
    t.after(() => away.close());
    const readiness = async () => {
      now += 60_000;
      const response = await fetch(`${server.url}/readyz`, {
        headers: { authorization: `Bearer ${server.key}` },
      });
      const body = (await response.json()) as { checks: { bucket: object } };
      return { status: response.status, bucket: body.checks.bucket };
    };
    assert.deepEqual(await readiness(), { status: 503, bucket: { ok: false, is_answering: false } });
    await away.listen();
    assert.deepEqual(await readiness(), { status: 200, bucket: { ok: true, is_answering: true } });
    await away.stop();
    assert.deepEqual(await readiness(), { status: 200, bucket: { ok: true, is_answering: false } });
  });
});
