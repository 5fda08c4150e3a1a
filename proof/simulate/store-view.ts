import { DatabaseSync } from 'node:sqlite';

/** A delivery with its webhook, as they are stored. */
export type StoredDelivery = {
  readonly id: number;
  readonly status: string;
  readonly dueAt: number | null;
  readonly attempts: number;
  readonly scheduleFrom: number;
  readonly isOrdered: number;
  readonly probeAt: number | null;
  readonly waitUntil: number | null;
};

/** The event and the webhook of a delivery. */
export type DeliveryOf = { readonly eventId: number; readonly webhookId: number };

/** Reads the store of a run directly, with statements of its own. */
export class StoreView implements Disposable {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { readOnly: true });
  }

  /** The first row of a statement. */
  get<R>(sql: string, ...values: (number | string)[]): R | undefined {
    return this.#prepared(sql).get(...values) as R | undefined;
  }

  /** The rows of a statement. */
  all<R>(sql: string, ...values: (number | string)[]): readonly R[] {
    return this.#prepared(sql).all(...values) as unknown as readonly R[];
  }

  delivery(guid: string): StoredDelivery | undefined {
    return this.get(
      `select deliveries.id, status, deliveries.due_at as dueAt, attempts, schedule_from as scheduleFrom,
         is_ordered as isOrdered, probe_at as probeAt, wait_until as waitUntil
       from deliveries join webhooks on webhooks.id = webhook_id where guid = ?`,
      guid,
    );
  }

  deliveryById(id: number): DeliveryOf | undefined {
    return this.get('select event_id as eventId, webhook_id as webhookId from deliveries where id = ?', id);
  }

  /** The events of deliveries of a webhook that wait and come before one of its deliveries. */
  waitingBefore(webhookId: number, id: number): readonly { readonly eventId: number }[] {
    const sql =
      "select event_id as eventId from deliveries where webhook_id = ? and id < ? and status in ('pending', 'retrying')";
    return this.all(sql, webhookId, id);
  }

  /** When each webhook is due, and until when it is leased. */
  lanes(): readonly {
    readonly id: number;
    readonly dueAt: number | null;
    readonly leasedUntil: number | null;
  }[] {
    return this.all('select id, due_at as dueAt, leased_until as leasedUntil from webhooks');
  }

  /** What the mailer knows of the user with an address. */
  mailState(address: string): { readonly userId: number; readonly upto: number } | undefined {
    return this.get(
      `select users.id as userId, coalesce(upto, 0) as upto from users
       left join mail_states on mail_states.user_id = users.id where email = ?`,
      address,
    );
  }

  /** The users who get mail. */
  mailUsers(): readonly { readonly userId: number }[] {
    return this.all('select id as userId from users where email is not null');
  }

  /** The notifications after one that a user has not read. */
  unread(
    userId: number,
    after: number,
  ): readonly { readonly id: number; readonly at: number; readonly reason: string }[] {
    return this.all(
      `select id, created_at as at, reason from notifications
       where user_id = ? and id > ? and read_at is null order by id`,
      userId,
      after,
    );
  }

  /** Whether the mailer is done with a notification. */
  isCovered(userId: number, id: number): boolean {
    return this.get('select 1 from mail_states where user_id = ? and upto >= ?', userId, id) !== undefined;
  }

  /** How far the notifier is, and the newest event. */
  notifier(): { readonly position: number; readonly newest: number } | undefined {
    return this.get(
      `select event_id as position, (select max(id) from events) as newest
       from event_cursors where reader = 'notifier'`,
    );
  }

  /** Until when the work of a name is leased; 0 where it is not. */
  leasedUntil(name: string): number {
    return this.get<{ until: number }>('select until from leases where name = ?', name)?.until ?? 0;
  }

  /** When the next message is due. */
  mailDueAt(): number | null {
    return this.get<{ at: number | null }>('select min(due_at) as at from mail_states')?.at ?? null;
  }

  /** The newest event that moves the stored position of the notifier: others have no recipients. */
  newestEventToNotify(): number {
    return (
      this.get<{ id: number | null }>("select max(id) as id from events where action = 'comment_created'")
        ?.id ?? 0
    );
  }

  /** Every webhook with every event that it should have, and what has become of the delivery. */
  expectedDeliveries(): readonly (DeliveryOf & { readonly at: number; readonly status: string | null })[] {
    return this.all(
      `select webhooks.id as webhookId, events.id as eventId, events.created_at as at, deliveries.status
       from webhooks join webhook_triggers on webhook_triggers.webhook_id = webhooks.id
       join events on events.action = webhook_triggers.trigger
       left join deliveries on deliveries.webhook_id = webhooks.id and deliveries.event_id = events.id`,
    );
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #prepared(sql: string): ReturnType<DatabaseSync['prepare']> {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
