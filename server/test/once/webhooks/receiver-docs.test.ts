import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { freePort } from 'confab-testing/network/ports.ts';
import { readGuide } from 'confab-testing/page-code.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertGuideReads } from 'confab-testing/signed-requests.ts';
import { root as project } from 'confab-tools/places.ts';
import { signatureHeaders } from '../../../src/features/webhooks/secrets/signature.ts';

const { codeBelow } = readGuide('webhooks.md');
const vectorsFile = join(project, 'docs/webhook-vectors.json');
const { now, vectors }: { now: number; vectors: Vector[] } = JSON.parse(readFileSync(vectorsFile, 'utf8'));
const root = mkdtempSync(join(tmpdir(), 'confab-docs-'));
after(() => rmSync(root, { recursive: true }));

type Vector = {
  readonly name: string;
  readonly is_valid: boolean;
  readonly secret: string;
  readonly body: string;
  readonly headers: { readonly [name: string]: string };
};

const verdicts = vectors.map(({ name, is_valid }) => [name, is_valid]);

// Readers copy the code on the page, so it is run unchanged.
describe('the code on the page about webhooks', () => {
  test('judges every vector as documented, in Node', async () => {
    const file = join(root, 'verify.mjs');
    writeFileSync(file, codeBelow('### Node (run)', 'js'));
    const { isValid } = await import(pathToFileURL(file).href);
    const judged = vectors.map(({ name, secret, headers, body }) => [
      name,
      isValid(secret, headers, Buffer.from(body), now),
    ]);
    assert.deepEqual(judged, verdicts);
    const [first] = vectors;
    for (const [seconds, verdict] of [
      [300, true],
      [301, false],
      [-301, false],
    ] as const)
      assert.equal(isValid(first?.secret, first?.headers, first?.body, now + seconds), verdict);
  });

  test('reads what is signed and refuses what is not, with the library that it imports', async () => {
    await assertGuideReads(import.meta.resolve('standardwebhooks'));
  });

  // A machine without Python, such as a bare container, has nothing to run it with.
  if (spawnSync('python3', ['--version']).status === 0)
    test('judges every vector as documented, in Python', () => {
      const driver = [
        'import json, sys',
        'given = json.load(open(sys.argv[1], encoding="utf-8"))',
        'print(json.dumps([[v["name"], is_valid(v["secret"], v["headers"], v["body"].encode(), given["now"])]',
        '  for v in given["vectors"]]))',
      ].join('\n');
      const code = `${codeBelow('### Python (run)', 'python')}\n${driver}\n`;
      const { stdout, stderr } = spawnSync('python3', ['-', vectorsFile], { input: code, encoding: 'utf8' });
      assert.equal(stderr, '');
      assert.deepEqual(JSON.parse(stdout), verdicts);
    });

  if (spawnSync('openssl', ['version']).status === 0)
    test('judges every vector as documented, in the shell', () => {
      const script = codeBelow('### Shell (run)', 'sh');
      const judged = vectors.map(({ name, secret, headers, body }) => {
        writeFileSync(join(root, 'body'), body);
        const { stdout, stderr } = spawnSync('sh', ['-c', script], {
          cwd: root,
          encoding: 'utf8',
          env: {
            PATH: process.env.PATH,
            SECRET: secret,
            WEBHOOK_ID: headers['webhook-id'],
            WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
            WEBHOOK_SIGNATURE: headers['webhook-signature'],
          },
        });
        assert.equal(stderr, '');
        return [name, stdout === 'valid\n'];
      });
      assert.deepEqual(judged, verdicts);
    });

  test('is a receiver that accepts signed requests and refuses others', async () => {
    const port = await freePort();
    const code = codeBelow('## A receiver in ten minutes', 'js');
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      // The package may import itself by its name.
      cwd: join(project, 'clients/js'),
      env: { PATH: process.env.PATH, PORT: `${port}`, WEBHOOK_SECRET: 'a secret' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const ended = new Promise((done) => {
      child.once('close', done);
    });
    try {
      const body = '{"action":"comment_created","guid":"the-guid"}';
      const post = async (secret: string) => {
        const of = { guid: 'the-guid', body, at: Date.now(), secrets: [secret] };
        const headers = signatureHeaders(of, { headerPrefix: 'X-Weavy', isStripe: false });
        return await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
      };
      const accepted = await poll('the receiver to answer', () => post('a secret').catch(() => undefined));
      assert.equal(accepted.status, 204);
      const refused = await post('another');
      assert.equal(refused.status, 401);
      assert.match(await refused.text(), /^the signature does not fit/);
      await poll('both lines', () => (said.join('').includes('signature_mismatch') ? true : undefined));
      assert.match(said.join(''), /^comment_created the-guid$/m);
    } finally {
      child.kill();
      await ended;
    }
  });
});
