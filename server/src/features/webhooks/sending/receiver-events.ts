import { notFound } from 'confab-contract/problem.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { findUser } from '../../../access/user/user-access.ts';
import type { Tx } from '../../../db/db.ts';
import { appendAll } from '../../../events/append-all.ts';
import type { ActionOn } from '../../../events/events.ts';
import { actorOf } from '../../users/user-json.ts';
import { systemUserId } from '../../users/users.sql.ts';
import { renderWebhook } from '../webhook-json.ts';
import { type LaneRow, webhooksById } from './lanes.store.ts';

/**
 * Appends an event for each webhook that was paused, resumed or disabled; call it in the transaction that does so. The
 * actor is the built-in system user.
 */
export async function recordReceivers(
  tx: Tx,
  { before, after, at }: { before: ReadonlyMap<number, LaneRow>; after: readonly LaneRow[]; at: UnixMs },
): Promise<void> {
  const byAction = Map.groupBy(
    after.flatMap((lane) => {
      const was = before.get(lane.id);
      const actions: ActionOn<'webhook'>[] = [];
      if (was?.openedAt === null && lane.openedAt !== null) actions.push('webhook_paused');
      if (was?.openedAt !== null && lane.openedAt === null) actions.push('webhook_resumed');
      if (was?.isEnabled === 1 && lane.isEnabled === 0) actions.push('webhook_updated');
      return actions.map((action) => ({ action, id: lane.id }));
    }),
    ({ action }) => action,
  );
  if (byAction.size === 0) return;
  const system = await findUser(tx, { id: systemUserId });
  if (system === undefined) throw notFound('user');
  const ids = [...byAction.values()].flat().map(({ id }) => id);
  const webhookJson = new Map(
    (await tx.all(webhooksById, { ids })).map((row) => [row.id, renderWebhook(row)]),
  );
  for (const [action, webhooks] of byAction)
    await appendAll(
      tx,
      { action, at },
      webhooks.flatMap(({ id }) => {
        const json = webhookJson.get(id);
        return json === undefined
          ? []
          : [{ actor: actorOf({ user: system }), appId: null, entity: { id, json } }];
      }),
    );
}
