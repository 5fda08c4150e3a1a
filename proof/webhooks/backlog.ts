import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Gives webhooks a queue while no server runs: `length` deliveries for each, of events that are copies of the event of
 * the newest comment.
 */
export function fillBacklog(folder: string, webhookIds: readonly number[], length: number): void {
  const database = new DatabaseSync(join(folder, 'data', 'confab.db'));
  const at = Date.now();
  const ids = JSON.stringify(webhookIds);
  database.exec('begin immediate');
  const from = Number(database.prepare('select max(id) as id from events').get()?.id);
  database.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${length})
    insert into events (action, actor_id, app_id, entity_type, entity_id, payload, created_at)
      select action, actor_id, app_id, entity_type, entity_id, payload, ${at} from events, numbers
        where id = (select max(id) from events where action = 'comment_created')`);
  database.exec(`
    insert into deliveries (webhook_id, event_id, guid, action, trigger, status, due_at, created_at)
      select value, events.id, lower(hex(randomblob(16))), action, 'comments', 'pending', ${at}, ${at}
        from events, json_each('${ids}') where events.id > ${from} order by events.id`);
  database.exec(`
    insert into tallies (parent_type, parent_id, kind, app_id, live, trashed, is_hidden)
      select 'webhook', value, 'delivery', 0, ${length}, 0, 0 from json_each('${ids}') where true
      on conflict (parent_type, parent_id, kind) do update set live = live + excluded.live`);
  database.exec(`update webhooks set due_at = ${at} where id in (select value from json_each('${ids}'))`);
  database.exec('commit');
  database.close();
}
