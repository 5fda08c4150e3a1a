/**
 * What a server counts and measures, declared once: docs/monitoring.md, the dashboard and the alert rules use
 * these names. Labels have few values, and clients cannot choose them.
 */

type Kind = 'counter' | 'gauge' | 'histogram';

/** The declaration of a metric. Units are seconds and bytes. */
export type MetricFacts = {
  readonly kind: Kind;
  readonly help: string;
  readonly labels: readonly string[];
  /** Labels that only some series have. */
  readonly sometimes?: readonly string[];
  /** The upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
};

/** From a request that is served from memory to a request that waits for its deadline. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/**
 * Every metric of Confab. Metrics of the process and its event loop, `process_…` and `nodejs_…`, come from
 * prom-client.
 */
export const metricFacts = {
  confab_build_info: { kind: 'gauge', help: 'Always 1.', labels: ['version', 'engine'] },
  confab_http_requests_total: {
    kind: 'counter',
    help: 'Requests by operation (page and unknown for other addresses) and status; with aborted="true" those whose client hung up before the end of the response.',
    labels: ['operation', 'status'],
    sometimes: ['aborted'],
  },
  confab_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'From the first byte of a request to the end of its response, without operations that wait by design.',
    labels: ['operation'],
    buckets: seconds,
  },
  confab_http_problems_total: {
    kind: 'counter',
    help: 'Responses that refuse a request, by the code of their problem.',
    labels: ['code'],
  },
  confab_rate_limited_total: {
    kind: 'counter',
    help: 'Requests beyond a rate limit, by whose limit it was and the kind of request.',
    labels: ['caller', 'kind'],
  },
  confab_uploads_total: { kind: 'counter', help: 'Uploads that were stored.', labels: [] },
  confab_upload_bytes_total: { kind: 'counter', help: 'Bytes of these uploads.', labels: [] },
  confab_live_connections: {
    kind: 'gauge',
    help: 'Open live connections (hub), event streams (stream) and streams that say that an app has changed (watch).',
    labels: ['kind'],
  },
  confab_webhook_attempts_total: {
    kind: 'counter',
    help: 'Attempts to deliver by what became of the delivery: delivered, retrying or failed.',
    labels: ['outcome'],
  },
  confab_webhook_attempt_duration_seconds: {
    kind: 'histogram',
    help: 'How long attempts to deliver took.',
    labels: [],
    buckets: seconds,
  },
  confab_webhooks: {
    kind: 'gauge',
    help: 'Webhooks that send (open), are paused because their receiver fails (paused), or are disabled.',
    labels: ['state'],
  },
  confab_webhook_oldest_undelivered_seconds: {
    kind: 'gauge',
    help: 'The age of the oldest event that an enabled webhook has not received.',
    labels: [],
  },
  confab_mails_total: {
    kind: 'counter',
    help: 'Messages to users by what the mail server did: sent, refused, or failed (tried again later).',
    labels: ['outcome'],
  },
  confab_log_errors_total: {
    kind: 'counter',
    help: 'Lines of the log that say that something failed for a reason of the server: a request, a write, or background work.',
    labels: [],
  },
  confab_erasures: {
    kind: 'gauge',
    help: 'Erasures of users that have not finished, and those of them that failed and are tried again.',
    labels: ['state'],
  },
  confab_parked_events: {
    kind: 'gauge',
    help: 'Events whose notifications failed and were given up; see "confab doctor".',
    labels: [],
  },
  confab_remembered_reads_total: {
    kind: 'counter',
    help: 'Reads of rows that SQLite stores remember, by whether the row was remembered (hit) or read (miss).',
    labels: ['result'],
  },
  confab_disk_free_bytes: { kind: 'gauge', help: 'Free bytes on the disk of the data folder.', labels: [] },
  confab_store_group_writes: {
    kind: 'histogram',
    help: 'Write transactions that shared one commit.',
    labels: [],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  },
  confab_store_group_duration_seconds: {
    kind: 'histogram',
    help: 'How long a group of writes took, its sync included.',
    labels: [],
    buckets: seconds,
  },
  confab_store_waiting_writes: { kind: 'gauge', help: 'Write transactions that wait.', labels: [] },
  confab_backup_age_seconds: {
    kind: 'gauge',
    help: 'How long ago the last backup was finished, where the server makes backups.',
    labels: [],
  },
  confab_backup_log_lag_seconds: {
    kind: 'gauge',
    help: 'For how long changes have not been shipped to the place of the backups, where the log is shipped.',
    labels: [],
  },
  confab_store_size_bytes: {
    kind: 'gauge',
    help: 'Bytes of the database: its file and its write-ahead log, or the database of PostgreSQL.',
    labels: ['file'],
  },
  confab_log_position: { kind: 'gauge', help: 'The id of the newest event.', labels: [] },
  confab_log_reader_lag_events: {
    kind: 'gauge',
    help: 'How many positions a reader is behind the end of what it reads.',
    labels: ['reader'],
  },
  confab_log_reader_lag_seconds: {
    kind: 'gauge',
    help: 'The age of the first event, notification or due delivery that a reader has not taken.',
    labels: ['reader'],
  },
} as const satisfies { readonly [name: string]: MetricFacts };

type Facts = typeof metricFacts;

/** The name of a metric of some kinds. */
export type MetricName<K extends Kind = Kind> = {
  [N in keyof Facts]: Facts[N]['kind'] extends K ? N : never;
}[keyof Facts];

/** The labels of a metric with their values. */
export type LabelsOf<N extends MetricName> = { readonly [L in Facts[N]['labels'][number]]: string } & {
  readonly [L in Facts[N] extends { readonly sometimes: readonly (infer S extends string)[] }
    ? S
    : never]?: string;
};

/** One value of a metric that is read on request. */
export type Reading<N extends MetricName> = { readonly labels: LabelsOf<N>; readonly value: number };

/** The receiver of reports from the parts of the server; absent where no metrics are requested. */
export type Metrics = {
  /** Adds to a counter. */
  count<N extends MetricName<'counter'>>(name: N, labels: LabelsOf<N>, by?: number): void;
  /** Adds an observation to a histogram. */
  observe<N extends MetricName<'histogram'>>(name: N, labels: LabelsOf<N>, value: number): void;
  /**
   * Registers a metric that is read whenever the metrics are requested, at most once a second. `read` may make a bounded
   * number of look-ups by index; while it fails or takes long, the metric is left out.
   */
  read<N extends MetricName<'gauge' | 'counter'>>(
    name: N,
    read: () => readonly Reading<N>[] | Promise<readonly Reading<N>[]>,
  ): void;
};
