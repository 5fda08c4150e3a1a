import type { StatusMinute } from 'confab-contract/status.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Metrics, metricFacts } from '../kernel/metrics.ts';

/**
 * The activity of this node in each of the last 60 minutes, for the console. It is kept in memory, from the metrics that
 * the parts of the server report, so it needs no Prometheus.
 */

const minuteMs = 60_000;
const minutesMax = 60;
/** The upper bounds of the durations that are told apart, in seconds. */
const bounds: readonly number[] = metricFacts.confab_http_request_duration_seconds.buckets;

type Minute = {
  readonly startedAt: number;
  requests: number;
  failures: number;
  comments: number;
  deliveries: number;
  failedDeliveries: number;
  /** How many requests took at most as long as each bound, and longer than the one before; the last are longer still. */
  readonly durations: Uint32Array;
};

const commentOperations: readonly string[] = ['createAppComment', 'createFileComment', 'createPostComment'];

/** Counts what is reported, and passes it on to `next` where that is given. */
export function createActivity(clock: Clock, next: Metrics | undefined) {
  const minutes: Minute[] = [];

  function current(): Minute {
    const now = clock.now();
    const startedAt = now - (now % minuteMs);
    const last = minutes.at(-1);
    if (last !== undefined && last.startedAt >= startedAt) return last;
    const fresh = { ...emptyMinute(startedAt), durations: new Uint32Array(bounds.length + 1) };
    minutes.push(fresh);
    if (minutes.length > minutesMax) minutes.shift();
    return fresh;
  }

  const counters: { readonly [name: string]: (labels: Labels) => void } = {
    confab_http_requests_total({ operation = '', status = '' }) {
      const minute = current();
      minute.requests += 1;
      if (status.startsWith('5')) minute.failures += 1;
      if (status.startsWith('2') && commentOperations.includes(operation)) minute.comments += 1;
    },
    confab_webhook_attempts_total({ outcome }) {
      if (outcome === 'delivered') current().deliveries += 1;
      else current().failedDeliveries += 1;
    },
  };

  const metrics: Metrics = {
    count(name, labels, by) {
      counters[name]?.(labels);
      next?.count(name, labels, by);
    },
    observe(name, labels, value) {
      if (name === 'confab_http_request_duration_seconds') {
        const { durations } = current();
        const index = bounds.findIndex((bound) => value <= bound);
        const slot = index === -1 ? bounds.length : index;
        durations[slot] = (durations[slot] ?? 0) + 1;
      }
      next?.observe(name, labels, value);
    },
    read: (name, read) => next?.read(name, read),
  };

  return {
    metrics,

    /** The last 60 minutes, the oldest first; those without requests are there as well. */
    minutes(): StatusMinute[] {
      const end = current().startedAt;
      return Array.from({ length: minutesMax }, (_, index) => {
        const startedAt = end - (minutesMax - 1 - index) * minuteMs;
        return minuteJson(minutes.find((minute) => minute.startedAt === startedAt) ?? emptyMinute(startedAt));
      });
    },
  };
}

type Labels = { readonly [name: string]: string | undefined };

function emptyMinute(startedAt: number): Minute {
  return {
    startedAt,
    requests: 0,
    failures: 0,
    comments: 0,
    deliveries: 0,
    failedDeliveries: 0,
    durations: new Uint32Array(0),
  };
}

function minuteJson({ startedAt, durations, failedDeliveries, ...counts }: Minute): StatusMinute {
  return {
    at: timestamp(startedAt),
    ...counts,
    failed_deliveries: failedDeliveries,
    median_seconds: quantile(durations, 0.5),
    slow_seconds: quantile(durations, 0.95),
  };
}

/** The bound below which a share of the durations lie; that of the longest for those beyond all bounds. */
function quantile(durations: Uint32Array, share: number): number {
  const rank = durations.reduce((sum, count) => sum + count, 0) * share;
  if (rank === 0) return 0;
  let cumulative = 0;
  for (const [index, count] of durations.entries()) {
    cumulative += count;
    if (cumulative >= rank) return bounds[index] ?? bounds.at(-1) ?? 0;
  }
  return 0;
}
