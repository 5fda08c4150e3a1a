import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runCommand, type Started, startCommand } from 'confab-testing/command.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { before } from 'confab-testing/server.ts';
import { signatureHeaders } from '../../../../src/features/webhooks/secrets/signature.ts';

const root = mkdtempSync(join(tmpdir(), 'confab-receiver-'));
after(() => rmSync(root, { recursive: true }));

const secret = 'it is a secret';
const at = '2026-09-21T14:13:20.000Z';
const actor = {
  id: 2,
  uid: 'ada',
  display_name: 'Ada \u2028 👋',
  tags: [],
  presence: 'away',
  created_at: at,
  is_bot: false,
  is_suspended: false,
  is_trashed: false,
};
const event = { id: 7, action: 'notifications_marked', actor, marked_id: 3, timestamp: at };
const body = JSON.stringify({ ...event, type: 'notifications.marked', guid: 'guid' });

/** The headers of a delivery with this number, as the server sends them. */
function headersOf(sequence: number, secrets = [secret], signedAt = Date.now()): Record<string, string> {
  const guid = `guid-${sequence}`;
  return {
    'content-type': 'application/json',
    'X-Acme-Hook-ID': '1',
    'X-Acme-Sequence': String(sequence),
    'X-Acme-Attempt': '1',
    ...signatureHeaders({ guid, body, at: signedAt, secrets }, { headerPrefix: 'X-Acme', isStripe: false }),
  };
}

// Whoever writes a receiver sees on this machine what arrives, whether it is signed, and what is missing.
describe('confab webhook listen', () => {
  let listening: Started;
  let url = '';
  const receiver = useReceiver();
  before(async () => {
    const args = ['--port', '0', '--secret', 'other', '--secret', secret, '--body'];
    listening = await startCommand(['webhook', 'listen', ...args, '--forward', `${receiver.url}/forwarded`]);
    url = await poll('the address', () => /^Listens on (http:\S+)$/m.exec(listening.said.stdout)?.[1]);
  });
  after(async () => {
    listening.child.kill('SIGTERM');
    await listening.ended;
  });

  const post = (headers: Record<string, string>, text = body) =>
    fetch(url, { method: 'POST', headers, body: text });
  const lineOf = (guid: string, nth = 0) =>
    poll(`the line about ${guid}`, () => {
      const lines = listening.said.stdout.split('\n').filter((line) => line.includes(`  ${guid}  `));
      return lines[nth];
    });

  test('verifies, prints a line and the body, and forwards verified requests', async () => {
    receiver.answer('/forwarded', { status: 202, body: 'taken' });
    const answer = await post(headersOf(1));
    assert.deepEqual([answer.status, await answer.text()], [202, 'taken']);
    assert.match(
      await lineOf('guid-1'),
      /^\d{4}-\S+Z {2}guid-1 {2}sequence 1 {2}attempt 1 {2}notifications_marked verified {2}forwarded: 202$/,
    );
    assert.ok(listening.said.stdout.split('\n').includes(body));
    const [forwarded] = receiver.ledger('/forwarded');
    assert.equal(forwarded?.body.toString(), body);
    assert.equal(forwarded?.headers['webhook-id'], 'guid-1');
  });

  test('refuses unsigned requests with 401 and the reason', async () => {
    const before = receiver.ledger('/forwarded').length;
    const answer = await post(headersOf(50, ['another']));
    assert.equal(answer.status, 401);
    assert.match(await answer.text(), /^REFUSED \(signature_mismatch\): the signature does not fit/);
    assert.match(await lineOf('guid-50'), /REFUSED \(signature_mismatch\)/);
    assert.equal((await post(headersOf(51, []))).status, 401);
    assert.match(await lineOf('guid-51'), /REFUSED \(header_missing\): .*the webhook has no secret/);
    assert.equal((await post(headersOf(52, [secret], Date.now() - 400_000))).status, 401);
    assert.match(await lineOf('guid-52'), /REFUSED \(timestamp_too_old\): .*signed 40\d seconds ago/);
    assert.equal(receiver.ledger('/forwarded').length, before);
  });

  test('notices repeated and missing deliveries', async () => {
    await post(headersOf(2));
    assert.match(await lineOf('guid-2'), /verified {2}forwarded/);
    await post(headersOf(5));
    assert.match(await lineOf('guid-5'), /verified, 2 before it have not come yet/);
    await post(headersOf(5));
    assert.match(await lineOf('guid-5', 1), /verified, came before/);
  });

  test('reports an unreachable target, and accepts only POST', async () => {
    receiver.answer('/forwarded', 'reset');
    assert.equal((await post(headersOf(6))).status, 502);
    assert.match(await lineOf('guid-6'), /forwarded: 502/);
    assert.equal((await fetch(url)).status, 405);
  });
});

// A captured request is checked as of the time of its signature, and its faults are reported.
describe('confab webhook verify', () => {
  const [headers, text, whole] = [join(root, 'headers'), join(root, 'body'), join(root, 'whole')];
  const listed = Object.entries(headersOf(1, [secret], 1_790_000_000_000)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const run = (...args: string[]) => runCommand(['webhook', 'verify', '--secret', secret, ...args]);

  test('accepts a valid request, and reports the line break that an editor added to another', async () => {
    writeFileSync(whole, `POST /hook HTTP/1.1\r\n${listed.join('\r\n')}\r\n\r\n${body}`);
    writeFileSync(headers, `${listed.join('\n')}\n`);
    writeFileSync(text, `${body}\n`);
    const [accepted, asJson, added] = await Promise.all([
      run('--body', whole),
      run('--body', whole, '--json'),
      run('--headers', headers, '--body', text),
    ]);
    assert.equal(accepted.code, 0, accepted.stderr);
    assert.equal(accepted.stdout, `notifications_marked verified: guid-1, signed at ${at}\n`);
    assert.deepEqual(JSON.parse(asJson.stdout), {
      webhook_id: 'guid-1',
      signed_at: at,
      result: 'notifications_marked verified',
    });
    assert.equal(added.code, 1);
    assert.match(
      added.stderr,
      /^confab: REFUSED \(signature_mismatch\): .*without the line break at the end/,
    );
  });
});
