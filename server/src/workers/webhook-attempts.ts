import type { UnixMs } from 'confab-contract/values/time.ts';
import { outcomeOf, requestOf, type SenderIdentity } from '../features/webhooks/sending/attempts.ts';
import type { Head } from '../features/webhooks/sending/lanes.ts';
import type { AttemptResult, Random } from '../features/webhooks/sending/retry.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Span } from '../kernel/traces.ts';
import type { Egress } from '../net/egress.ts';
import type { createAllowances } from './allowances.ts';
import type { HeldLane } from './held-lane.ts';
import { endsWithin } from './runner.ts';
import type { startWebhookRecorder } from './webhook-recorder.ts';

/** How long running attempts have to end when the sender stops; aborted ones are made again after the next start. */
const stopBudgetMs = 5000;

/** The dependencies of attempts. */
export type WebhookAttemptsOptions = {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  /** Begins the span of an attempt, in the trace that caused its event; undefined where there is none. */
  readonly trace: (eventId: number) => Span | undefined;
  readonly name: SenderIdentity;
};

/** The parts of the sender that attempts use. */
type Parts = {
  readonly allowances: ReturnType<typeof createAllowances>;
  readonly recorder: Pick<ReturnType<typeof startWebhookRecorder>, 'add'>;
  /** Called when an attempt has left its slot. */
  readonly onEnd: () => void;
};

/** An attempt that was not aborted; `sent` has its headers, if they could be made. */
type FinishedAttempt = {
  readonly sent: Readonly<Record<string, string>> | undefined;
  readonly result: AttemptResult;
};

/** The attempts in flight: they run concurrently, outside any transaction, and hand their outcomes to the recorder. */
export function createWebhookAttempts(
  { egress, clock, random, log, metrics, trace, name }: WebhookAttemptsOptions,
  { allowances, recorder, onEnd }: Parts,
) {
  const inFlight = new Set<Promise<void>>();
  const givingUp = new AbortController();

  /** Starts the attempt for a head in a slot of its lane. */
  function start(lane: HeldLane, head: Head): void {
    lane.busy.add(head.id);
    lane.sending += 1;
    const attempt = run(lane, head).finally(() => {
      lane.sending -= 1;
      inFlight.delete(attempt);
      onEnd();
    });
    inFlight.add(attempt);
  }

  async function run(lane: HeldLane, head: Head): Promise<void> {
    const startedAt = clock.now();
    const span = trace(head.eventId);
    const ended = await post(head, startedAt, span);
    if (ended === undefined) return;
    const { claim } = lane;
    const isAlone = lane.sending === 1;
    const outcome = outcomeOf({ claim, head, ...ended, startedAt, endedAt: clock.now(), isAlone }, random);
    span?.end(
      {
        'confab.webhook_id': head.webhookId,
        'confab.delivery_id': head.id,
        'confab.attempt': outcome.number,
      },
      outcome.error ?? undefined,
    );
    metrics?.count('confab_webhook_attempts_total', { outcome: outcome.status });
    metrics?.observe('confab_webhook_attempt_duration_seconds', {}, outcome.durationUs / 1e6);
    if (outcome.status === 'delivered') allowances.delivered(head.webhookId);
    else allowances.failed(head.webhookId);
    recorder.add(lane, outcome);
  }

  /** Sends a head; undefined when it was aborted because the sender stops. */
  async function post(
    head: Head,
    startedAt: UnixMs,
    span: Span | undefined,
  ): Promise<FinishedAttempt | undefined> {
    let sent: FinishedAttempt['sent'];
    try {
      const { headers, body } = requestOf(head, startedAt, name);
      sent = span === undefined ? headers : { ...headers, traceparent: span.traceparent };
      const request = { headers: sent, body, signal: givingUp.signal };
      return { sent, result: await egress.post(head.payloadUrl, request) };
    } catch (error) {
      if (givingUp.signal.aborted) return undefined;
      log.error({ err: error, delivery_id: head.id }, 'an attempt could not be made');
      return {
        sent,
        result: { answered: false, errorCode: 'internal_error', permanent: false, durationMs: 0 },
      };
    }
  }

  return {
    start,

    /** Resolves when no attempt runs: those that take too long are aborted. */
    async stop(): Promise<void> {
      const isEnded = await endsWithin(Promise.all(inFlight), stopBudgetMs);
      if (isEnded) return;
      log.info(
        { attempts: inFlight.size },
        'attempts were aborted and will be made again after the next start',
      );
      givingUp.abort();
      await Promise.all(inFlight);
    },
  };
}
