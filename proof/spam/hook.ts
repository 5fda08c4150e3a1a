import { mkdtempSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { verify } from 'confab-client/webhooks';
import { hookFallbacks } from 'confab-server/src/features/moderation/hook.ts';
import { makeWebhookSecret } from 'confab-server/src/features/webhooks/secrets/signature.ts';
import { issueToken } from 'confab-testing/harness/client.ts';
import { type Receiver, startReceiver } from 'confab-testing/harness/receiver.ts';
import { type Community, startCommunity } from './community.ts';

/** What a text becomes when its hook is dead, slow or lying, for each fallback. */

type Answer = (response: ServerResponse) => void;

const json = (value: unknown, status = 200): Answer => {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};

/** The ways in which a hook responds, and what is expected: an action, or the fallback. */
const ways: { readonly [name: string]: { readonly answer: Answer; readonly expected: string } } = {
  allow: { answer: json({ action: 'allow' }), expected: 'taken' },
  hold: { answer: json({ action: 'hold' }), expected: 'held' },
  refuse: { answer: json({ action: 'refuse' }), expected: 'refused' },
  'another action': { answer: json({ action: 'delete everything' }), expected: 'fallback' },
  'a name of Object': { answer: json({ action: 'constructor' }), expected: 'fallback' },
  'not JSON': { answer: (response) => void response.end('<html>allow</html>'), expected: 'fallback' },
  'status 500': { answer: json({ action: 'allow' }, 500), expected: 'fallback' },
  'a redirect': {
    answer: (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    expected: 'fallback',
  },
  'a megabyte': { answer: json({ action: 'allow', padding: 'x'.repeat(1024 * 1024) }), expected: 'fallback' },
  'a cut connection': { answer: (response) => void response.destroy(), expected: 'fallback' },
  'too late': {
    answer: (response) => void setTimeout(() => json({ action: 'allow' })(response), 3000).unref(),
    expected: 'fallback',
  },
  'never ending': { answer: (response) => void response.write('{"action":'), expected: 'fallback' },
};

/** The deadline of the hook in the run, and what a request takes besides, in milliseconds. */
const deadlineSeconds = 1;
const patienceMs = 1000;
/** Longer than the pause after failures. */
const pauseMs = 10_500;

/** A hook: how it responds at the moment, and how many requests came to it without a valid signature. */
type Hook = Receiver & { readonly state: { answer: Answer; unsigned: number } };

async function startHook(secret: string): Promise<Hook> {
  const state = { answer: json({ action: 'allow' }), unsigned: 0 };
  const receiver = await startReceiver((response, { headers, body }) => {
    // The clock of the run is another than that of this process.
    const signed = { body: body.toString(), headers, secret, toleranceSeconds: Number.POSITIVE_INFINITY };
    try {
      verify(signed);
    } catch {
      state.unsigned += 1;
    }
    state.answer(response);
  });
  return { ...receiver, state };
}

/** Prints what became of texts, and returns what is wrong. */
export async function tryHook(folder: string): Promise<string[]> {
  const secret = makeWebhookSecret();
  const faults: string[] = [];
  console.log(`the hook, with a deadline of ${deadlineSeconds} s    fallback  a text is      ms`);
  for (const fallback of hookFallbacks) {
    using hook = await startHook(secret);
    await using community = await startCommunity(mkdtempSync(join(folder, 'hook-')), {
      settings: {
        CONFAB_MODERATION_HOOK_URL: `${hook.url}/`,
        CONFAB_MODERATION_HOOK_SECRET: secret,
        CONFAB_MODERATION_HOOK_SECONDS: String(deadlineSeconds),
        CONFAB_MODERATION_HOOK_FALLBACK: fallback,
        CONFAB_EGRESS_ALLOW: '127.0.0.1',
      },
    });
    faults.push(...(await tryWays(community, hook, fallback)));
    if (hook.state.unsigned > 0) faults.push(`${hook.state.unsigned} requests were not signed`);
  }
  return faults;
}

async function tryWays(community: Community, { state }: Hook, fallback: string): Promise<string[]> {
  await community.must('PUT', '/api/apps/square', { type: 'comments', access: 'write' });
  const token = await issueToken(community, 'ada');
  const ofFallback = { take: 'taken', hold: 'held', refuse: 'refused' }[fallback];
  const faults: string[] = [];
  const ask = async (name: string, expected: string | undefined) => {
    const before = performance.now();
    const { status, body } = await community.call('POST', '/api/apps/square/comments', { text: name }, token);
    const ms = performance.now() - before;
    const fate =
      status === 403 ? 'refused' : body['is_held'] === true ? 'held' : status === 201 ? 'taken' : `${status}`;
    console.log(`  ${name.padEnd(38)}${fallback.padEnd(10)}${fate.padEnd(9)}${ms.toFixed(0).padStart(8)}`);
    if (fate !== expected) faults.push(`with ${name} and ${fallback} a text is ${fate}, not ${expected}`);
    if (ms > deadlineSeconds * 1000 + patienceMs) faults.push(`${name} held a text for ${ms.toFixed(0)} ms`);
  };
  for (const [name, { answer, expected }] of Object.entries(ways)) {
    // One that responds, so that failures do not add up to a pause.
    state.answer = json({ action: 'allow' });
    await community.call('POST', '/api/apps/square/comments', { text: 'between' }, token);
    state.answer = answer;
    await ask(name, expected === 'fallback' ? ofFallback : expected);
  }
  for (let times = 1; times <= 5; times += 1) await ask(`never ending, ${times} in a row`, ofFallback);
  await ask('while it is left alone', ofFallback);
  state.answer = json({ action: 'allow' });
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  await ask('after the pause', 'taken');
  return faults;
}
