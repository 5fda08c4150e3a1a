import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { signatureHeaders } from 'confab-server/src/features/webhooks/secrets/signature.ts';
import { root } from 'confab-tools/places.ts';
import type { Received } from './network/receiver.ts';
import { readGuide } from './page-code.ts';

/** A secret as Standard Webhooks write it. */
export const standardSecret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

/** A secret of each kind, by what it is, with which requests are signed for the libraries of receivers. */
export const signingSecrets = {
  'an ASCII secret': 'it is a secret, 100 % ASCII',
  'a whsec_ secret': standardSecret,
  'a secret beyond ASCII': 'pässwörd 🔑 ключ',
} as const;

// A text is sent three times: unchanged, as HTML, where a sign takes four bytes, and as plain text.
const long = '👋 '.repeat(9000) + '<'.repeat(20_000);

/** Comments, by what the bodies that tell of them contain, which libraries could read differently. */
export const signedComments = {
  'an emoji': { text: 'hello 👋🏽 <b>&amp;</b> "quoted"' },
  'U+2028': { text: 'line\u2028separator\u2029 and \u00a0 spaces' },
  '256 KiB': { text: long, metadata: { note: 'é'.repeat(28_000), other: '\u2028'.repeat(100) } },
} as const;

/** A library that verifies Standard Webhooks. */
export type StandardVerifier = {
  new (
    secret: string | Uint8Array,
    options?: { format?: 'raw' },
  ): { verify(body: string, headers: Record<string, string>): unknown };
};

/** Whether a library that throws for what it refuses accepts something. */
export function accepts(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a library of Standard Webhooks accepts a request with a secret. Libraries also look at the time of this machine,
 * so a request that was signed at another one fails here.
 */
export function acceptsAsStandard(Webhook: StandardVerifier, request: Received, secret: string): boolean {
  const aheadSeconds = Number(request.headers['webhook-timestamp']) - Date.now() / 1000;
  assert.ok(Math.abs(aheadSeconds) < 290, `${aheadSeconds}`);
  // Libraries take the code units of a text for its bytes; receivers give them the bytes.
  const webhook = secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(new TextEncoder().encode(secret), { format: 'raw' });
  return accepts(() => webhook.verify(request.body.toString(), request.headers));
}

/** Fails unless the code of the guide for libraries reads what is signed, and refuses what is not, with the one at an address. */
export async function assertGuideReads(address: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'confab-library-'));
  try {
    const file = join(folder, 'verify.mjs');
    const code = readGuide('webhooks.md').codeBelow('### With a library (run)', 'js');
    const named = code.replace("from 'standardwebhooks'", () => `from ${JSON.stringify(address)}`);
    assert.notEqual(named, code);
    writeFileSync(file, named);
    const { eventOf } = await import(pathToFileURL(file).href);
    const { vectors } = JSON.parse(readFileSync(join(root, 'docs/webhook-vectors.json'), 'utf8'));
    // Libraries look at the clock of this machine, so the requests are signed with its time.
    for (const { name, secret, body } of vectors) {
      const signing = { headerPrefix: 'X-Weavy', isStripe: false };
      const headers = signatureHeaders({ guid: 'g', body, at: Date.now(), secrets: [secret] }, signing);
      for (const one of [body, Buffer.from(body)])
        assert.deepEqual(eventOf(secret, headers, one), JSON.parse(body), name);
      assert.throws(() => eventOf(secret, headers, `${body} `), Error, name);
      assert.throws(() => eventOf(`${secret}x`, headers, body), Error, name);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
