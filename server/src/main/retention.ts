import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { emptyTrash } from '../features/entries/trash-retention.ts';
import { createEventRetention } from '../features/events/retention.ts';
import { emptyFileTrash } from '../features/files/trash-retention.ts';
import { forgetVisitors } from '../features/visitors/retention.ts';
import { createRetention } from '../features/webhooks/deliveries/retention.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';

/** The sweeps of what has expired: of visitors, and events and the trash for a configuration with limits on their age. */
export function retentionSweeps({ eventDays, trashDays: days }: Config, parts: { db: Db; clock: Clock }) {
  const events = eventDays === undefined ? [] : [createEventRetention({ ...parts, days: eventDays }).sweep];
  const visitors = () => forgetVisitors(parts);
  if (days === undefined) return [visitors, ...events];
  return [
    visitors,
    ...events,
    () => emptyTrash({ ...parts, days }),
    () => emptyFileTrash({ ...parts, days }),
  ];
}

/** The removal of what deliveries of webhooks kept, for a configuration with limits on its age. */
export function retentionOf(config: Config, parts: { db: Db; clock: Clock; log: Log }) {
  const { webhookBodyDays: bodyDays, webhookDeliveryDays: deliveryDays } = config;
  return createRetention({ ...parts, bodyDays, deliveryDays });
}
