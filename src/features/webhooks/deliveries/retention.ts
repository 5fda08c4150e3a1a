import type { Db, Tx } from '../../../db/db.ts';
import type { Query } from '../../../db/statement.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import {
  countGone,
  deleteDeliveriesById,
  endedBefore,
  forgetBodies,
  oldBodies,
  waitingSince,
} from './retention.store.ts';

/** Rows that one transaction changes: a few milliseconds of the one writer. */
const rowsPerBatch = 500;

const dayMs = 24 * 3_600_000;

/** What the retention of deliveries is made of. */
export type RetentionOptions = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** How many days the bodies of answers are kept. */
  readonly bodyDays: number;
  /** How many days a delivery is kept after its last attempt, and waits for one that never comes. */
  readonly deliveryDays: number;
};

type Asked = { readonly before: number; readonly top: number };
type DeliveryOfWebhook = { readonly id: number; readonly webhookId: number };

/**
 * How long deliveries are kept: what receivers answered for a while, the deliveries themselves for longer. The events
 * stay. One that waited all that time, for a receiver that never came back or because its webhook is disabled, is given
 * up and goes as well, or the queue of a receiver that nobody thinks of would grow without end.
 */
export function createRetention({ db, clock, log, bodyDays, deliveryDays }: RetentionOptions) {
  const before = (days: number): number => clock.now() - days * dayMs;

  /** Runs `work` in a transaction where there is something to do: to look costs the writer nothing. */
  async function removing<R>(
    query: Query<Asked, R>,
    asked: Asked,
    work: (tx: Tx) => Promise<number>,
  ): Promise<number> {
    const isThere = (await db.read.get(query, { ...asked, top: 1 })) !== undefined;
    return isThere ? await db.write(work) : 0;
  }

  async function remove(tx: Tx, query: Query<Asked, DeliveryOfWebhook>, asked: Asked): Promise<number> {
    const rows = await tx.all(query, asked);
    await tx.run(deleteDeliveriesById, { ids: rows.map(({ id }) => id) });
    const gone = Map.groupBy(rows, ({ webhookId }) => webhookId);
    const given = [...gone].map(([id, some]) => ({ id, gone: some.length }));
    await tx.run(countGone, { given: JSON.stringify(given) });
    return rows.length;
  }

  return {
    /** Takes away one batch of what was kept long enough; answers whether there may be more. */
    async sweep(): Promise<boolean> {
      const asked = { before: before(deliveryDays), top: rowsPerBatch };
      const bodies = await removing(
        oldBodies,
        { before: before(bodyDays), top: rowsPerBatch },
        async (tx) => {
          return await tx.run(forgetBodies, { before: before(bodyDays), top: rowsPerBatch });
        },
      );
      const ended = await removing(endedBefore, asked, async (tx) => await remove(tx, endedBefore, asked));
      const waiting = await removing(
        waitingSince,
        asked,
        async (tx) => await remove(tx, waitingSince, asked),
      );
      if (waiting > 0)
        log.warn({ deliveries: waiting, days: deliveryDays }, 'deliveries that waited so long are given up');
      return [bodies, ended, waiting].some((rows) => rows === rowsPerBatch);
    },
  };
}
