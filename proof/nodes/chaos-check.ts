import { setTimeout as pause } from 'node:timers/promises';
import type { Model, Violation } from 'confab-testing/harness/model.ts';
import type { Ledger } from 'confab-testing/harness/receiver.ts';
import type { Cluster } from 'confab-testing/nodes/cluster.ts';
import type { Sender } from 'confab-testing/nodes/node.ts';
import type { World } from './chaos-world.ts';
import type { NodeFollower } from './follower.ts';

/** How long deliveries and notifications may take to be complete, including the expiry of a lease. */
const settleMsMax = 60_000;
const shownMax = 5;

type CheckOptions = {
  readonly cluster: Pick<Cluster, 'rows'>;
  readonly nodes: readonly (Pick<Sender, 'must'> & { readonly name: string })[];
  readonly model: Model;
  readonly world: World;
  readonly ledger: Ledger;
  readonly followers: readonly NodeFollower[];
};

/** Compares the store with what the clients know, between two rounds. */
export class Check {
  readonly #options: CheckOptions;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  /** Checks everything since the beginning. */
  async look(): Promise<void> {
    await this.#untilSettled();
    await this.#checkComments();
    await this.#checkFeed();
    await this.#checkDeliveries();
    await this.#checkRules();
  }

  /** The figures of a check. */
  async sums(): Promise<{ events: number; deliveries: number; notifications: number }> {
    const [sums] = await this.#options.cluster.rows<{
      events: number;
      deliveries: number;
      notifications: number;
    }>(
      `select (select count(*)::int from events) as events, (select count(*)::int from deliveries) as deliveries,
         (select count(*)::int from notifications) as notifications`,
    );
    return sums ?? { events: 0, deliveries: 0, notifications: 0 };
  }

  #violate(what: Violation['what'], rule: string, details: readonly string[]): void {
    if (details.length > 0)
      this.#options.model.violate(
        what,
        `${rule}: ${details.length}, such as ${details.slice(0, shownMax).join('; ')}`,
      );
  }

  /** Waits until every delivery and notification is done. */
  async #untilSettled(): Promise<void> {
    const { cluster } = this.#options;
    for (const since = performance.now(); performance.now() - since < settleMsMax; await pause(100)) {
      const [left] = await cluster.rows<{ due: number; untold: number }>(
        `select (select count(*)::int from deliveries where due_at is not null) as due,
           (select count(*)::int from events, event_cursors where reader = 'notifier'
              and action = 'comment_created' and events.id > event_cursors.event_id) as untold`,
      );
      if (left?.due === 0 && left.untold === 0) return;
    }
    this.#violate('store', 'not settled in a minute', [
      JSON.stringify(await cluster.rows(`select status, count(*)::int from deliveries group by 1`)),
    ]);
  }

  /** Every comment is in a possible state, and its events have each version once and in order. */
  async #checkComments(): Promise<void> {
    const { cluster, model, world } = this.#options;
    const rows = await cluster.rows<{ id: number; text: string; app_id: number }>(
      `select id::int, content::jsonb ->> 'text' as text, app_id::int from entries where kind = 'comment'`,
    );
    const events = await cluster.rows<{ id: number; entity: number; told: string }>(
      `select id::int, entity_id::int as entity, action || ' ' || (('{' || payload || '}')::jsonb -> 'comment' ->> 'text') as told
         from events where action in ('comment_created', 'comment_updated') order by id`,
    );
    const byMarker = Map.groupBy(rows, ({ text }) => text.split(' ')[0] ?? '');
    const eventsOf = Map.groupBy(events, ({ entity }) => entity);
    for (const comment of model.objects.values()) {
      const [row, ...others] = byMarker.get(comment.marker) ?? [];
      byMarker.delete(comment.marker);
      if (others.length > 0)
        model.violate('phantom', `${comment.marker} is there ${1 + others.length} times`);
      if (row !== undefined) model.learnId(comment, row.id);
      const told = eventsOf.get(comment.id ?? 0) ?? [];
      model.settle(
        comment,
        row && { app_id: row.app_id, text: row.text },
        told.map((event) => event.told),
      );
    }
    this.#violate('phantom', 'comments nobody wrote', [...byMarker.keys()]);
    // A client creates one comment after the other, so that is their order in every app.
    for (const { made } of world.writers)
      for (const own of Map.groupBy(made, ({ possible }) => possible[0]?.facts?.['app_id']).values()) {
        const positions = own.map(({ id }) => eventsOf.get(id ?? 0)?.[0]?.id ?? 0);
        const late = own.filter((_, n) => (positions[n] ?? 0) < (positions[n - 1] ?? 0));
        this.#violate(
          'event',
          'out of the order of their app',
          late.map(({ marker }) => marker),
        );
      }
  }

  /** The feed of each node, and each follower, have every event once and in order. */
  async #checkFeed(): Promise<void> {
    const { cluster, nodes, followers } = this.#options;
    const ids = (await cluster.rows<{ id: number }>('select id::int from events order by id')).map(
      ({ id }) => id,
    );
    for (const node of nodes) {
      const seen: number[] = [];
      for (let after = 0, more = true; more; ) {
        const page = await node.must('GET', `/api/events?after=${after}&top=100`);
        seen.push(...(page['data'] as { position: number }[]).map(({ position }) => position));
        [after, more] = [Number(page['next']), page['has_more'] === true];
      }
      this.#violate('event', `the feed of ${node.name}`, difference(ids, seen));
    }
    for (const follower of followers) {
      const last = ids.at(-1) ?? 0;
      for (const since = performance.now(); performance.now() - since < 20_000; await pause(50))
        if ((follower.positions.at(-1) ?? 0) >= last) break;
      this.#violate(
        'event',
        `the stream of ${follower.name}`,
        difference(
          ids,
          follower.positions.filter((id) => id <= last),
        ),
      );
    }
  }

  /** Each event has one delivery for each subscribed webhook, which arrived, with the same bytes each time. */
  async #checkDeliveries(): Promise<void> {
    const { cluster, world, ledger } = this.#options;
    for (const { id, actions } of world.webhooks) {
      const differ = await cluster.rows<{ id: number; count: number }>(
        `select events.id::int, count(deliveries.id)::int as count from events
           left join deliveries on deliveries.event_id = events.id and deliveries.webhook_id = $1
           where events.action = any($2) and events.id > (select id from events
             where action = 'webhook_created' and entity_id = $1)
           group by 1 having count(deliveries.id) <> 1
         union all
         select event_id::int, -1 from deliveries where webhook_id = $1 and not (action = any($2))`,
        [id, actions],
      );
      this.#violate(
        'delivery',
        `deliveries of webhook ${id}`,
        differ.map((each) => JSON.stringify(each)),
      );
    }
    const all = await cluster.rows<{ guid: string }>('select guid from deliveries');
    this.#violate('delivery', 'what came', ledger.faults(all.map(({ guid }) => guid)));
  }

  async #checkRules(): Promise<void> {
    const { cluster, world } = this.#options;
    const rules: { readonly [rule: string]: string } = {
      'deliveries whose attempts are not those that are kept': `select id from deliveries where status <> 'delivered'
          or attempts <> (select count(*) from attempts where delivery_id = deliveries.id)
          or attempts <> (select max(number) from attempts where delivery_id = deliveries.id)
          or 1 <> (select count(*) from attempts where delivery_id = deliveries.id and status_code = 204)`,
      'comments that not every reader was told of once': `select e.id, r.id from events e
          cross join unnest(array[${world.readerIds.join()}]) as r (id)
          where e.action = 'comment_created' and e.app_id = ${world.sharedAppId}
            and 1 <> (select count(*) from notifications n where n.event_id = e.id and n.user_id = r.id)`,
      'notifications that not one event tells of': `select id from notifications n where 1 <> (select count(*)
          from events where action = 'notification_created' and entity_id = n.id and user_id = n.user_id)`,
      'counts that are not the rows': `select app_id from entries group by app_id having count(*) <>
          (select live from tallies where parent_type = 'app' and parent_id = entries.app_id and kind = 'comment')`,
      'counts of notifications that are not the rows': `select user_id from notifications group by user_id
          having count(*) <> (select live from tallies where parent_type = 'user' and parent_id = notifications.user_id
            and kind = 'notification')`,
      'counts of deliveries that are not the rows': `select webhook_id from deliveries group by webhook_id
          having count(*) <> (select live from tallies where parent_type = 'webhook'
            and parent_id = deliveries.webhook_id and kind = 'delivery')`,
    };
    for (const [rule, sql] of Object.entries(rules))
      this.#violate(
        'store',
        rule,
        (await cluster.rows(sql)).map((row) => JSON.stringify(row)),
      );
  }
}

/** How a list of positions differs from the expected one. */
function difference(expected: readonly number[], seen: readonly number[]): string[] {
  const [wanted, found] = [new Set(expected), new Set(seen)];
  return [
    ...expected.filter((id) => !found.has(id)).map((id) => `${id} is missing`),
    ...seen
      .filter((id, n) => !wanted.has(id) || (n > 0 && id <= (seen[n - 1] ?? 0)))
      .map((id) => `${id} is out of place`),
  ];
}
