import { isTraced, samplingOf, version } from '../config/config.ts';
import type { Db, Tx } from '../db/db.ts';
import { insertEvent } from '../events/events.store.ts';
import { systemRandom } from '../features/webhooks/sending/retry.ts';
import type { Log } from '../kernel/log.ts';
import type { Traces } from '../kernel/traces.ts';

/** Traces from a request to its commit and on to the deliveries of its events. */

/** The most events whose trace is remembered: those of the last seconds of a busy server. */
const rememberedMax = 10_000;

/** The traces of a server, and which of them caused an event. */
export type ServerTraces = Traces & {
  /** The `traceparent` of the commit of an event of this process; undefined for one that is long ago. */
  causeOf(eventId: number): string | undefined;
  /** The store, with a span for each write of a request. */
  traced(db: Db): Db;
};

/** Starts to record traces; undefined where nothing is set to send them to, and then nothing is loaded. */
export async function startTraces(log: Log): Promise<ServerTraces | undefined> {
  if (!isTraced()) return undefined;
  const { openTraces } = await import('../net/traces.ts');
  const traces = openTraces({ version, log, sampling: samplingOf(), random: systemRandom });
  const causes = new Map<number, string>();

  function remember(eventId: number, traceparent: string): void {
    causes.set(eventId, traceparent);
    const [oldest] = causes.keys();
    if (causes.size > rememberedMax && oldest !== undefined) causes.delete(oldest);
  }

  /** A transaction that notes which span its events are from. */
  function noting(tx: Tx, traceparent: string): Tx {
    return {
      ...tx,
      async insert(command, parameters) {
        const id = await tx.insert(command, parameters);
        if ((command as unknown) === insertEvent) remember(id, traceparent);
        return id;
      },
    };
  }

  return {
    ...traces,
    causeOf: (eventId) => causes.get(eventId),
    traced: (db) => ({
      ...db,
      async write(work, kind) {
        const request = traces.current();
        if (request === undefined) return await db.write(work, kind);
        const span = traces.child('commit', 'internal', request.traceparent);
        try {
          const value = await db.write((tx) => work(noting(tx, span.traceparent)), kind);
          span.end({});
          return value;
        } catch (error) {
          span.end({}, 'the transaction was rolled back');
          throw error;
        }
      },
    }),
  };
}
