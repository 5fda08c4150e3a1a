import { type ChildProcess, fork } from 'node:child_process';
import type { ShipReport, ShipRequest } from '../backup/shipper.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../kernel/metrics.ts';
import { openStore, type StoreParts } from '../setup/store.ts';
import { endsWithin, type Loop, startLoop } from '../workers/runner.ts';
import { backupEnvironment } from './backup.ts';
import { cliPath } from './processes.ts';

/** The process that ships the write-ahead log of a server to the place of its backups. */

/** How long after its end the process is started again, in milliseconds. */
const restartMs = 5000;
/** How long a stopping server waits for the rest of the log to be shipped, in milliseconds. */
const stopMs = 10_000;
/** How long the log may take to be emptied, in milliseconds. */
const emptyMs = 10_000;

/** The shipping of a log. */
export type Shipping = {
  /** Starts the process. The store must be open. */
  start(): void;
  /** The run that is being shipped; undefined before it is known. */
  run(): string | undefined;
  /** Has the log emptied; returns whether it was. */
  empty(): Promise<boolean>;
  /** Calls `listener` whenever a run begins. */
  onRun(listener: () => void): void;
  /** Ships the rest. The store must be closed. */
  stop(): Promise<void>;
};

/** The options for opening a store; parts that must be stopped are added to `started`. */
type OpenOptions = StoreParts & {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly started: { readonly name: string; readonly stop: () => Promise<void> | void }[];
};

/** Opens the store of a server, and starts to ship its log where the configuration says so. */
export async function openShippedStore(
  options: OpenOptions,
): Promise<{ readonly opened: Db; readonly shipping: Shipping | undefined }> {
  const { config, started } = options;
  const shipping = createShipping(config, options);
  // It ends after the store is closed, to ship the rest.
  if (shipping !== undefined) started.push({ name: 'the shipping of the log', stop: () => shipping.stop() });
  const opened = await openStore(config, { ...options, follower: shipping });
  started.push({ name: 'the store', stop: () => opened.close() });
  shipping?.start();
  return { opened, shipping };
}

/** Prepares the shipping of a configuration; undefined where the log is not shipped. */
function createShipping(
  config: Config,
  {
    clock,
    log,
    metrics,
  }: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics | undefined },
): Shipping | undefined {
  const { backupTo: to } = config;
  if (to === undefined || config.backupLog !== 'yes') return undefined;
  const listeners = new Set<() => void>();
  const emptying: ((isEmptied: boolean) => void)[] = [];
  let child: ChildProcess | undefined;
  let loop: Loop | undefined;
  let run: string | undefined;
  let completeTo = clock.now();
  metrics?.read('confab_backup_log_lag_seconds', () => [
    { labels: {}, value: Math.max(clock.now() - completeTo, 0) / 1000 },
  ]);

  function hear(report: ShipReport): void {
    if ('isEmptied' in report) {
      for (const answer of emptying.splice(0)) answer(report.isEmptied);
      return;
    }
    ({ completeTo } = report);
    if (report.run === run) return;
    ({ run } = report);
    for (const listener of listeners) listener();
  }

  /** Runs the process until it ends. */
  async function ship(place: string, signal: AbortSignal): Promise<number> {
    const running = fork(cliPath, ['backup', 'ship', place], {
      env: backupEnvironment(config, 'warn'),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child = running;
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    running.on('message', hear);
    running.once('error', (error) => resolve(error.message));
    running.once('exit', (code, by) => resolve(String(by ?? code)));
    signal.addEventListener('abort', () => {
      running.send('stop' satisfies ShipRequest, () => undefined);
      void endsWithin(ended, stopMs).then((hasEnded) => hasEnded || running.kill('SIGKILL'));
    });
    const how = await ended;
    child = undefined;
    for (const answer of emptying.splice(0)) answer(false);
    if (!signal.aborted) log.error({ ended: how }, 'the process that ships the log ended');
    return restartMs;
  }

  return {
    start() {
      loop = startLoop({ name: 'shipping', log, step: (signal) => ship(to, signal) });
    },
    run: () => run,
    async empty() {
      if (child?.connected !== true) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      emptying.push(resolve);
      child.send('empty' satisfies ShipRequest, () => undefined);
      return (await endsWithin(promise, emptyMs)) && (await promise);
    },
    onRun: (listener) => void listeners.add(listener),
    async stop() {
      await loop?.stop();
    },
  };
}
