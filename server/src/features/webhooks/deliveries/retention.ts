import { dayMs } from 'confab-contract/values/time.ts';
import type { Db, Tx } from '../../../db/db.ts';
import type { Query } from '../../../db/statement.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import {
  deleteDeliveriesById,
  deleteResponseBodies,
  endedBefore,
  oldBodies,
  subtractDeliveryCounts,
  waitingSince,
} from './retention.store.ts';

/** Rows that one transaction changes: a few milliseconds of the one writer. */
const rowsPerBatch = 500;

/** The dependencies of the retention of deliveries. */
export type RetentionOptions = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** How many days response bodies are kept. */
  readonly bodyDays: number;
  /** How many days a delivery is kept after its last attempt, and how long one may wait. */
  readonly deliveryDays: number;
};

type Bounds = { readonly before: number; readonly top: number };
type DeliveryOfWebhook = { readonly id: number; readonly webhookId: number };

/**
 * How long deliveries are kept: response bodies for a while, the deliveries themselves for longer. Events stay. A
 * delivery that has waited this long, because its receiver never came back or its webhook is disabled, is deleted too;
 * otherwise the queue of a forgotten receiver would grow without bound.
 */
export function createRetention({ db, clock, log, bodyDays, deliveryDays }: RetentionOptions) {
  const before = (days: number): number => clock.now() - days * dayMs;

  /** Runs `work` in a transaction if `query` finds rows; the check does not use the writer. */
  async function removing<R>(
    query: Query<Bounds, R>,
    bounds: Bounds,
    work: (tx: Tx) => Promise<number>,
  ): Promise<number> {
    const isThere = (await db.read.get(query, { ...bounds, top: 1 })) !== undefined;
    return isThere ? await db.write(work) : 0;
  }

  async function remove(tx: Tx, query: Query<Bounds, DeliveryOfWebhook>, bounds: Bounds): Promise<number> {
    const rows = await tx.all(query, bounds);
    await tx.run(deleteDeliveriesById, { ids: rows.map(({ id }) => id) });
    const gone = Map.groupBy(rows, ({ webhookId }) => webhookId);
    const counts = [...gone].map(([id, some]) => ({ id, gone: some.length }));
    await tx.run(subtractDeliveryCounts, { given: JSON.stringify(counts) });
    return rows.length;
  }

  return {
    /** Deletes one batch of rows past their retention; returns whether there may be more. */
    async sweep(): Promise<boolean> {
      const bounds = { before: before(deliveryDays), top: rowsPerBatch };
      const bodies = await removing(
        oldBodies,
        { before: before(bodyDays), top: rowsPerBatch },
        async (tx) => {
          return await tx.changed(deleteResponseBodies, { before: before(bodyDays), top: rowsPerBatch });
        },
      );
      const ended = await removing(endedBefore, bounds, async (tx) => await remove(tx, endedBefore, bounds));
      const waiting = await removing(
        waitingSince,
        bounds,
        async (tx) => await remove(tx, waitingSince, bounds),
      );
      if (waiting > 0)
        log.warn({ deliveries: waiting, days: deliveryDays }, 'deliveries that waited so long are given up');
      return [bodies, ended, waiting].some((rows) => rows === rowsPerBatch);
    },
  };
}
