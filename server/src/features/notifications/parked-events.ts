import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { batchOf, type Position, readWindow } from './log-window.ts';
import { prepareNotifications, recipientsOf } from './notification-writes.ts';
import { parkEvent, parkedAfter, unparkEvent } from './notifier.store.ts';

/** What makes notifications. */
export type NotifierParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly people: PeopleSetting;
  readonly log: Log;
};

/** Retries every parked event, alongside running servers; returns how many have been unparked. */
export async function retryParkedEvents(parts: NotifierParts): Promise<number> {
  const { db, log } = parts;
  let done = 0;
  for (let last = 0; ; ) {
    const [event] = await db.read.all(parkedAfter, { after: last, top: 1 });
    if (event === undefined) return done;
    last = event.eventId;
    try {
      if (await retry(parts, event)) done += 1;
    } catch (error) {
      log.error({ err: error, event: last }, 'nobody is notified of an event');
    }
  }
}

/** Notifies the recipients of a parked event, batch by batch; returns whether it has been unparked. */
async function retry({ db, clock, people }: NotifierParts, { eventId, userId }: Position): Promise<boolean> {
  const single = await readWindow(db.read, eventId - 1, { newest: eventId, top: 1 });
  for (let after: number | undefined = userId; after !== undefined; ) {
    const from: Position = { eventId: eventId - 1, userId: after };
    const batch = await batchOf(db.read, single, from);
    const lastUserId = batch.end.eventId < eventId ? batch.end.userId : undefined;
    const isMine = await db.write(async (tx) => {
      if ((await tx.changed(unparkEvent, { eventId, userId: from.userId })) === 0) return false;
      if (lastUserId !== undefined)
        await tx.run(parkEvent, {
          eventId,
          userId: lastUserId,
          error: 'not retried to its end',
          parkedAt: clock.now(),
        });
      const recipients = await recipientsOf(tx, batch, people);
      if (recipients.length > 0)
        await (await prepareNotifications({ tx, at: clock.now() }, batch, recipients)).write();
      return true;
    });
    if (!isMine) return false;
    after = lastUserId;
  }
  return true;
}
