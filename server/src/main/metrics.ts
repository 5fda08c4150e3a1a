import type { StatusMinute } from 'confab-contract/status.ts';
import { type Config, version } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { countErasures } from '../features/erasures/erasures.ts';
import { lagAt, type ReaderLag } from '../features/events/reader-lag.ts';
import { countParked } from '../features/notifications/parked.ts';
import { countLanes, deliveryAgeMs } from '../features/webhooks/sending/lane-figures.ts';
import { deliveryLagMs } from '../features/webhooks/sending/lanes.ts';
import { createActivity } from '../http/activity.ts';
import { freeBytesOf } from '../http/limits/room.ts';
import { bindMetrics, createMetrics, listenForMetrics, type MetricsRegistry } from '../http/metrics.ts';
import type { Authenticate } from '../http/request.ts';
import type { Http } from '../http/server.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';

/** The metrics of a server: what its parts do not report themselves. */

/** The receivers of reports from the parts of a server: the counts of the last hour, and the Prometheus metrics. */
export type ServerMetrics = Metrics & {
  readonly minutes: () => StatusMinute[];
  /** Undefined where metrics are off. */
  readonly registry: MetricsRegistry | undefined;
};

/** The engine of the store of a configuration. */
export function engineOf({ databaseUrl }: Config): 'sqlite' | 'postgres' {
  return databaseUrl === undefined ? 'sqlite' : 'postgres';
}

/** Creates the metrics of a server. */
export function metricsOf(config: Config, clock: Clock): ServerMetrics {
  const registry = config.metrics === 'off' ? undefined : createMetrics();
  registry?.read('confab_build_info', () => [{ labels: { version, engine: engineOf(config) }, value: 1 }]);
  const { metrics, minutes } = createActivity(clock, registry);
  return { ...metrics, minutes, registry };
}

type Parts = { readonly db: Db; readonly clock: Clock; readonly metrics: Metrics | undefined };

/** Has the end of the log measured, the deliveries that wait, and the disk. */
export function measureStore({ db, clock, metrics, config }: Parts & { readonly config: Config }): void {
  const { read } = db;
  const single = (value: number) => [{ labels: {}, value }];
  metrics?.read('confab_log_position', async () => single((await lagAt(read, 'events', 0)).newest));
  metrics?.read('confab_log_reader_lag_seconds', async () => [
    { labels: { reader: 'webhooks' }, value: (await deliveryLagMs(read, clock)) / 1000 },
  ]);
  metrics?.read('confab_webhooks', async () =>
    (await countLanes(read)).map(({ state, count }) => ({ labels: { state }, value: count })),
  );
  metrics?.read('confab_webhook_oldest_undelivered_seconds', async () =>
    single((await deliveryAgeMs(read, clock)) / 1000),
  );
  metrics?.read('confab_erasures', async () =>
    Object.entries(await countErasures(read)).map(([state, value]) => ({ labels: { state }, value })),
  );
  metrics?.read('confab_parked_events', async () => single(await countParked(read)));
  metrics?.read('confab_disk_free_bytes', async () => single(await freeBytesOf(config.dataDir)));
}

/** Has measured how far a reader is behind. `position` is undefined while this node does not read. */
export function measureReader(
  { db, clock, metrics }: Parts,
  {
    reader,
    what,
    position,
  }: { reader: string; what: 'events' | 'notifications'; position: () => number | undefined },
): void {
  const labels = { reader };
  async function readingOf(figureOf: (lag: ReaderLag) => number) {
    const read = position();
    return read === undefined ? [] : [{ labels, value: figureOf(await lagAt(db.read, what, read)) }];
  }
  metrics?.read('confab_log_reader_lag_events', () => readingOf(({ positions }) => positions));
  metrics?.read('confab_log_reader_lag_seconds', () =>
    readingOf(({ since }) => (since === null ? 0 : Math.max(clock.now() - since, 0) / 1000)),
  );
}

/** Serves the metrics where the operator wants them. */
export async function serveMetrics(
  metrics: MetricsRegistry | undefined,
  {
    config,
    http,
    authenticate,
    log,
    started,
  }: {
    config: Config;
    http: Http;
    authenticate: Authenticate;
    log: Log;
    started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
  },
): Promise<void> {
  if (metrics === undefined || config.metrics === 'off') return;
  if (config.metrics === 'key') return bindMetrics(http, { metrics, authenticate });
  const listener = await listenForMetrics(metrics, config.metrics);
  started.push({ name: 'metrics', stop: listener.close });
  log.info({ address: listener.url }, 'metrics are served');
}
