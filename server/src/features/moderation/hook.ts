import { randomUUID } from 'node:crypto';
import type { RuleAction } from 'confab-contract/moderation.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { Egress } from '../../net/egress.ts';
import { createFetchSlots } from '../embeds/fetch-slots.ts';
import { type Signing, signatureHeaders } from '../webhooks/secrets/signature.ts';

/**
 * The hook is a program of the operator that judges texts before they are taken (decision 0066). It gets a signed POST
 * request for each, through the guarded way out and outside of transactions, and answers `{"action": "allow"}`, `report`,
 * `hold` or `refuse`. Anything else, and nothing within the deadline, counts as no answer, for which the operator sets
 * what happens. While a hook does not answer, it is asked less often, so that it slows writing for a moment only.
 */

/** The fallback for texts on which the hook does not decide. */
export const hookFallbacks = ['take', 'hold', 'refuse'] as const;
/** One of them. */
export type HookFallback = (typeof hookFallbacks)[number];

/** How the hook is reached. */
export type HookSettings = {
  readonly url: string;
  readonly secret: string;
  /** From the call to the last byte of the answer, including the wait for a turn, in milliseconds. */
  readonly timeoutMs: number;
  readonly fallback: HookFallback;
};

/** A text that is to be judged, as the hook gets it. */
export type HookQuestion = {
  readonly operation: 'create' | 'update';
  readonly kind: 'comment' | 'post' | 'message';
  /** The entry that is changed. */
  readonly id?: number;
  readonly text: string;
  readonly plain: string;
  readonly options: readonly string[];
  readonly tags: readonly string[];
  readonly link_count: number;
  /** The names of the rules that match. */
  readonly rules: readonly string[];
  readonly app: { readonly id: number; readonly uid: string; readonly type: string };
  readonly user: {
    /** Absent for a guest who is stored together with the text. */
    readonly id?: number;
    readonly uid: string;
    readonly display_name: string;
    readonly email?: string;
    readonly created_at: string;
    readonly is_bot: boolean;
  };
  /** The program of the user, as it names itself. */
  readonly user_agent?: string;
};

/** Asks the hook. */
export type Hook = {
  /** The decision of the hook, or the fallback, about a text; undefined to accept it. Never throws. */
  judge(question: HookQuestion): Promise<RuleAction | undefined>;
};

/** The most requests to the hook at once, and the most of one user. */
const slotsMax = { all: 32, each: 4 };
/** After so many texts in a row without an answer, the hook is left alone for a while. */
const failuresMax = 5;
const pauseMs = 10_000;

const actions: { readonly [answer: string]: RuleAction | 'allow' } = {
  allow: 'allow',
  report: 'report',
  hold: 'hold',
  refuse: 'refuse',
};

/** Creates the part that asks the hook. */
export function createHook(
  { url, secret, timeoutMs, fallback }: HookSettings,
  {
    egress,
    clock,
    log,
    signing,
  }: { egress: Egress; clock: Clock; log: Log; signing: Signing & { readonly userAgent: string } },
): Hook {
  const slots = createFetchSlots(slotsMax);
  let failures = 0;
  let pausedUntil = 0;

  async function ask(question: HookQuestion): Promise<{ action: RuleAction | 'allow' } | { fault: string }> {
    const signal = AbortSignal.timeout(timeoutMs);
    const startedAt = performance.now();
    const leave = await slots.enter(question.user.id ?? question.user.uid, signal);
    if (leave === undefined) return { fault: 'no turn' };
    try {
      // One that is about to end would only add to the load of a hook that is slow.
      if (performance.now() - startedAt > 0.9 * timeoutMs) return { fault: 'no turn' };
      const guid = randomUUID();
      const at = clock.now();
      const body = JSON.stringify({ type: 'moderation.check', guid, ...question });
      const { userAgent, ...how } = signing;
      const headers = {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signatureHeaders({ guid, body, at, secrets: [secret] }, how),
      };
      const result = await egress.post(url, { headers, body, signal });
      if (!result.answered) return { fault: result.errorCode };
      const { statusCode, body: answer, truncated } = result;
      if (statusCode !== 200 || truncated) return { fault: truncated ? 'too long' : `status ${statusCode}` };
      const action = actionOf(answer.toString());
      return action === undefined ? { fault: 'not understood' } : { action };
    } catch (error) {
      if (signal.aborted) return { fault: 'timeout' };
      throw error;
    } finally {
      leave();
    }
  }

  function note(fault: string | undefined): void {
    if (fault === undefined) {
      failures = 0;
      return;
    }
    failures += 1;
    if (failures % failuresMax === 0) pausedUntil = performance.now() + pauseMs;
    log.warn({ fault, failures, fallback }, 'the moderation hook gave no answer');
  }

  return {
    async judge(question) {
      const otherwise = fallback === 'take' ? undefined : fallback;
      if (performance.now() < pausedUntil) return otherwise;
      const answer = await ask(question);
      note('fault' in answer ? answer.fault : undefined);
      if ('fault' in answer) return otherwise;
      return answer.action === 'allow' ? undefined : answer.action;
    },
  };
}

/** The action that an answer names; undefined for an answer that is none. */
function actionOf(answer: string): RuleAction | 'allow' | undefined {
  try {
    const value: unknown = JSON.parse(answer);
    if (typeof value !== 'object' || value === null || !('action' in value)) return undefined;
    return typeof value.action === 'string' && Object.hasOwn(actions, value.action)
      ? actions[value.action]
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
