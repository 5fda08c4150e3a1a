/** A test of an alert: series of a minute's interval in the notation of promtool, and whether it rings at a minute. */
export type AlertCase = {
  readonly alert: string;
  readonly series: Readonly<Record<string, string>>;
  readonly minute: number;
  readonly rings: boolean;
};

const requests = 'confab_http_requests_total';
const durations = 'confab_http_request_duration_seconds_bucket';
const groups = 'confab_store_group_duration_seconds_bucket';
const mails = 'confab_mails_total';

/** Series with which each alert rings, and such with which it must not. */
const table: Readonly<
  Record<string, { rings: readonly AlertCase['series'][]; quiet: readonly AlertCase['series'][] }>
> = {
  ConfabDown: {
    rings: [{ 'up{job="confab"}': '0x120' }],
    quiet: [{ 'up{job="confab"}': '1x120' }, { 'up{job="other"}': '0x120' }],
  },
  ConfabRestarts: {
    rings: [{ 'process_start_time_seconds{job="confab"}': '1000+60x120' }],
    quiet: [
      { 'process_start_time_seconds{job="confab"}': '1000x60 2000x60' },
      { 'process_start_time_seconds{job="other"}': '1000+60x120' },
    ],
  },
  ConfabFilesRunOut: {
    rings: [{ 'process_open_fds{job="confab"}': '900x120', 'process_max_fds{job="confab"}': '1024x120' }],
    quiet: [{ 'process_open_fds{job="confab"}': '90x120', 'process_max_fds{job="confab"}': '1024x120' }],
  },
  ConfabErrors: {
    rings: [{ [`${requests}{status="500"}`]: '0+10x120', [`${requests}{status="200"}`]: '0+100x120' }],
    quiet: [
      { [`${requests}{status="500"}`]: '0+1x120', [`${requests}{status="200"}`]: '0+1000x120' },
      { [`${requests}{status="404"}`]: '0+10x120', [`${requests}{status="200"}`]: '0+10x120' },
    ],
  },
  ConfabClientsGiveUp: {
    rings: [
      {
        [`${requests}{operation="listApps",status="200",aborted="true"}`]: '0+10x120',
        [`${requests}{operation="listApps",status="200"}`]: '0+100x120',
        [`${requests}{operation="watchApp",status="200"}`]: '0+1000x120',
      },
    ],
    quiet: [
      {
        [`${requests}{operation="listApps",status="200",aborted="true"}`]: '0+1x120',
        [`${requests}{operation="listApps",status="200"}`]: '0+100x120',
      },
      // Browsers end downloads of pictures and videos as a matter of course.
      {
        [`${requests}{operation="page",status="206",aborted="true"}`]: '0+100x120',
        [`${requests}{operation="listApps",status="200"}`]: '0+100x120',
      },
      // The end of a stream is that its client leaves.
      {
        [`${requests}{operation="watchApp",status="200",aborted="true"}`]: '0+100x120',
        [`${requests}{operation="listApps",status="200"}`]: '0+100x120',
      },
    ],
  },
  ConfabKeepsFailing: {
    rings: [{ confab_log_errors_total: '0+1x120' }],
    quiet: [{ confab_log_errors_total: '0x50 5x70' }, { confab_log_errors_total: '7x120' }],
  },
  ConfabSlow: {
    rings: [
      {
        [`${durations}{le="1"}`]: '0+10x120',
        [`${durations}{le="2.5"}`]: '0+100x120',
        [`${durations}{le="+Inf"}`]: '0+100x120',
      },
    ],
    quiet: [
      {
        [`${durations}{le="1"}`]: '0+99x120',
        [`${durations}{le="2.5"}`]: '0+100x120',
        [`${durations}{le="+Inf"}`]: '0+100x120',
      },
    ],
  },
  ConfabEventLoopLate: {
    rings: [{ 'nodejs_eventloop_lag_p99_seconds{job="confab"}': '0.3x120' }],
    quiet: [{ 'nodejs_eventloop_lag_p99_seconds{job="confab"}': '0.05x120' }],
  },
  ConfabWritesWait: {
    rings: [
      { confab_store_waiting_writes: '2000x120' },
      {
        [`${groups}{le="0.5"}`]: '0+90x120',
        [`${groups}{le="1"}`]: '0+100x120',
        [`${groups}{le="+Inf"}`]: '0+100x120',
      },
    ],
    quiet: [
      { confab_store_waiting_writes: '10x120' },
      {
        [`${groups}{le="0.5"}`]: '0+1000x120',
        [`${groups}{le="1"}`]: '0+1000x120',
        [`${groups}{le="+Inf"}`]: '0+1000x120',
      },
    ],
  },
  ConfabDiskFills: {
    rings: [
      { confab_disk_free_bytes: '500000000x120' },
      { confab_disk_free_bytes: '200000000000-500000000x120' },
    ],
    quiet: [{ confab_disk_free_bytes: '50000000000x120' }],
  },
  ConfabWriteAheadLogGrows: {
    rings: [{ 'confab_store_size_bytes{file="log"}': '2000000000x120' }],
    quiet: [
      { 'confab_store_size_bytes{file="log"}': '100000000x120' },
      { 'confab_store_size_bytes{file="database"}': '2000000000x120' },
    ],
  },
  ConfabReaderBehind: {
    rings: [{ 'confab_log_reader_lag_seconds{reader="webhooks"}': '200x120' }],
    quiet: [{ 'confab_log_reader_lag_seconds{reader="webhooks"}': '1x120' }],
  },
  ConfabNobodyNotifies: {
    rings: [{ 'confab_log_reader_lag_seconds{reader="webhooks"}': '0x120' }],
    quiet: [{ 'confab_log_reader_lag_seconds{reader="notifications"}': '0x120' }],
  },
  ConfabEventsParked: {
    rings: [{ confab_parked_events: '1x120' }],
    quiet: [{ confab_parked_events: '0x120' }],
  },
  ConfabDeliveriesLate: {
    rings: [{ confab_webhook_oldest_undelivered_seconds: '4000x120' }],
    quiet: [{ confab_webhook_oldest_undelivered_seconds: '60x120' }],
  },
  ConfabMailFails: {
    rings: [
      { [`${mails}{outcome="failed"}`]: '0+1x120', [`${mails}{outcome="sent"}`]: '5x120' },
      { [`${mails}{outcome="failed"}`]: '0+1x120' },
    ],
    quiet: [
      { [`${mails}{outcome="failed"}`]: '0+1x120', [`${mails}{outcome="sent"}`]: '0+1x120' },
      { [`${mails}{outcome="failed"}`]: '5x120' },
    ],
  },
  ConfabBackupLate: {
    rings: [{ confab_backup_age_seconds: '200000x120' }],
    quiet: [{ confab_backup_age_seconds: '80000x120' }],
  },
  ConfabLogNotShipped: {
    rings: [{ confab_backup_log_lag_seconds: '100x120' }],
    quiet: [{ confab_backup_log_lag_seconds: '1x120' }],
  },
};

/** The names of all tested alerts. */
export const testedAlerts = Object.keys(table);

/** The minute at which each is looked at, later than every `for` of the rules. */
const minute = 90;

/** All cases of all alerts. */
export const alertCases: readonly AlertCase[] = Object.entries(table).flatMap(([alert, { rings, quiet }]) => [
  ...rings.map((series) => ({ alert, series, minute, rings: true })),
  ...quiet.map((series) => ({ alert, series, minute, rings: false })),
]);

/** The file of tests for `promtool test rules`; JSON is YAML as well. */
export function alertTests(rulesFile: string): string {
  return JSON.stringify({
    rule_files: [rulesFile],
    tests: alertCases.map(({ alert, series, minute: at, rings }) => ({
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
          eval_time: `${at}m`,
          exp_samples: rings ? [{ labels: '{}', value: 1 }] : [],
        },
      ],
    })),
  });
}
