import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { verify as verifyHex } from '@octokit/webhooks-methods';
import { type VerifyOptions, verify, WebhookVerificationError } from 'confab-client/webhooks';
import { rootUrl } from 'confab-tools/places.ts';
import { signatureHeaders } from '../../../src/features/webhooks/secrets/signature.ts';

const at = 1_790_000_000_000;
const secret = 'it is a secret';
const body = '{"id":1,"action":"comment_created","guid":"g"}';

function headersOf(secrets: readonly string[] = [secret], of = body): Record<string, string> {
  return signatureHeaders({ guid: 'g', body: of, at, secrets }, { headerPrefix: 'X-Weavy', isStripe: false });
}

function check(options: Partial<VerifyOptions>) {
  return verify({ body, headers: headersOf(), secret, now: at, ...options });
}

function refusal(options: Partial<VerifyOptions>): [code: string, message: string] {
  try {
    check(options);
  } catch (error) {
    assert.ok(error instanceof WebhookVerificationError);
    return [error.code, error.message];
  }
  throw new Error('nothing was refused');
}

// Receivers pass on what their framework gives them; whatever its shape, what was signed is accepted and typed.
describe('the module for receivers', () => {
  test('returns the event of a signed request', () => {
    const event = check({});
    assert.equal(event.action, 'comment_created');
    // The compiler knows the properties of an event of this action.
    const text: string | undefined = event.action === 'comment_created' ? event.comment?.text : undefined;
    assert.equal(text, undefined);
  });

  test('accepts the body as text and as bytes of any kind', () => {
    const of = '{"action":"comment_created","text":"\u2028 👋 é"}';
    const bytes = Buffer.from(of);
    const headers = headersOf([secret], of);
    for (const one of [of, bytes, new Uint8Array(bytes), Uint8Array.from(bytes).buffer])
      assert.deepEqual(check({ body: one, headers }), JSON.parse(of));
  });

  test('accepts headers of the Fetch standard, of Node, and in any spelling', () => {
    const plain = headersOf();
    const capital = Object.fromEntries(
      Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const lists = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]]));
    for (const headers of [plain, new Headers(plain), new Map(Object.entries(plain)), capital, lists])
      assert.equal(check({ headers: headers as VerifyOptions['headers'] }).action, 'comment_created');
  });

  test('accepts either secret during a rotation, and requests signed with both', () => {
    const both = headersOf(['new', 'old']);
    for (const one of ['new', 'old']) check({ headers: both, secret: one });
    for (const signed of ['new', 'old'])
      assert.ok(verify({ body, headers: headersOf([signed]), secrets: ['new', 'old'], now: at }));
  });

  test('skips signatures of versions that it does not know', () => {
    const headers = headersOf();
    headers['webhook-signature'] = `v1a,abc v2,def ${headers['webhook-signature']} v1,short`;
    assert.equal(check({ headers }).action, 'comment_created');
  });

  test('accepts secrets that are one text', () => {
    assert.ok(verify({ body, headers: headersOf(), secrets: secret as never, now: at }));
  });

  test('allows five minutes either way, or the given tolerance', () => {
    for (const seconds of [-300, 0, 300]) check({ now: at + seconds * 1000 });
    assert.deepEqual(refusal({ now: at + 301_000 })[0], 'timestamp_too_old');
    assert.deepEqual(refusal({ now: at - 301_000 })[0], 'timestamp_too_new');
    check({ now: at + 86_400_000, toleranceSeconds: Number.POSITIVE_INFINITY });
    assert.match(refusal({ now: at + 11_000, toleranceSeconds: 10 })[1], /signed 11 seconds ago, and 10 are/);
  });
});

// Every fault of a request is refused, and the error names it, for programs and for humans.
describe('what the module refuses', () => {
  const without = (name: string) =>
    Object.fromEntries(Object.entries(headersOf()).filter(([header]) => header !== name));
  const cases: readonly [name: string, options: object, code: string, message: RegExp][] = [
    ['a body that was parsed', { body: JSON.parse(body) }, 'body_not_raw', /JSON parser/],
    ['no body', { body: undefined }, 'body_not_raw', /as they arrived/],
    ['a body that was changed', { body: `${body} ` }, 'signature_mismatch', /byte for byte/],
    ['an empty body', { body: '' }, 'signature_mismatch', /byte for byte/],
    ['another secret', { secret: 'other' }, 'signature_mismatch', /secret is another one/],
    ['no secret', { secret: undefined }, 'secret_missing', /no secret to verify with/],
    ['an empty secret', { secret: '' }, 'secret_missing', /no secret to verify with/],
    ['a secret that is no base64', { secret: 'whsec_%%%' }, 'secret_invalid', /no base64/],
    ['a request that is not signed', { headers: headersOf([]) }, 'header_missing', /webhook has no secret/],
    ['no id', { headers: without('webhook-id') }, 'header_missing', /webhook-id is missing/],
    ['no time', { headers: without('webhook-timestamp') }, 'header_missing', /webhook-timestamp is missing/],
    ['no headers', { headers: undefined }, 'header_missing', /webhook-id is missing/],
    [
      'a header that is there twice',
      { headers: { ...headersOf(), 'webhook-id': ['g', 'h'] } },
      'header_repeated',
      /webhook-id is there more than once/,
    ],
    ['another id', { headers: { ...headersOf(), 'webhook-id': 'h' } }, 'signature_mismatch', /not fit/],
    [
      'another time',
      { headers: { ...headersOf(), 'webhook-timestamp': String(at / 1000 + 1) } },
      'signature_mismatch',
      /not fit/,
    ],
    [
      'a time in words',
      { headers: { ...headersOf(), 'webhook-timestamp': 'today' } },
      'timestamp_invalid',
      /number of seconds: today/,
    ],
    [
      'a signature of another version alone',
      { headers: { ...headersOf(), 'webhook-signature': 'v2,abc' } },
      'signature_unknown',
      /no signature of version v1/,
    ],
    [
      'a tolerance that is no number',
      { toleranceSeconds: Number.NaN },
      'timestamp_too_old',
      /signed 0 seconds ago, and NaN are allowed/,
    ],
    ['a time of this machine that is no number', { now: Number.NaN }, 'timestamp_too_old', /NaN seconds ago/],
    [
      // Each of its characters would be a secret, which anyone can guess.
      'secrets that are one text',
      { headers: headersOf(['i']), secret: undefined, secrets: secret },
      'signature_mismatch',
      /not fit/,
    ],
    [
      'secrets that are none',
      { secret: undefined, secrets: null },
      'secret_missing',
      /no secret to verify with/,
    ],
    [
      'an id with half of a surrogate pair',
      { headers: { ...headersOf(), 'webhook-id': '\uD800' } },
      'signature_mismatch',
      /not fit/,
    ],
    [
      'no value of a header',
      { headers: { ...headersOf(), 'webhook-id': null } },
      'header_missing',
      /missing/,
    ],
    [
      'an empty signature',
      { headers: { ...headersOf(), 'webhook-signature': 'v1,' } },
      'signature_mismatch',
      /not fit/,
    ],
  ];
  for (const [name, options, code, message] of cases)
    test(name, () => {
      const [said, text] = refusal(options);
      assert.equal(said, code);
      assert.match(text, message);
    });

  test('a signed body that is not JSON', () => {
    assert.equal(refusal({ body: 'words', headers: headersOf([secret], 'words') })[0], 'body_not_json');
  });
});

type Vector = {
  readonly name: string;
  readonly is_valid: boolean;
  readonly is_valid_by_hex: boolean;
  readonly secret: string;
  readonly body: string;
  readonly headers: Record<string, string>;
};

// The vectors with which authors test their verifiers are what the server sends, and are judged here as they say.
describe('the test vectors', () => {
  const file = new URL('docs/webhook-vectors.json', rootUrl);
  const { now, vectors }: { now: number; vectors: Vector[] } = JSON.parse(readFileSync(file, 'utf8'));

  test('contain both valid and invalid ones', () => {
    assert.deepEqual([...new Set(vectors.map(({ is_valid }) => is_valid))].sort(), [false, true]);
  });

  for (const vector of vectors)
    test(vector.name, async () => {
      const options = { body: vector.body, headers: vector.headers, secret: vector.secret, now: now * 1000 };
      if (vector.is_valid) assert.deepEqual(verify(options), JSON.parse(vector.body));
      else assert.throws(() => verify(options), { code: 'signature_mismatch' });
      const hex = vector.headers['X-Hub-Signature-256'] ?? '';
      assert.equal(await verifyHex(vector.secret, vector.body, hex), vector.is_valid_by_hex);
    });
});
