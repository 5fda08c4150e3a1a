import type { Migration } from './migration.ts';

/**
 * The state of webhooks: the order and the numbers of their deliveries, the breaker, and a previous secret that expires;
 * and the request of each attempt.
 */
export const webhookDelivery: Migration = {
  id: 11,
  name: 'webhook-delivery',
  up: ({ integer, text }) => [
    `alter table webhooks add column is_ordered ${integer} not null default 0`,
    `alter table webhooks add column sequence ${integer} not null default 0`,
    `alter table webhooks add column wait_until ${integer}`,
    `alter table webhooks add column failures ${integer} not null default 0`,
    `alter table webhooks add column breaker_opened_at ${integer}`,
    `alter table webhooks add column breaker_reason ${text}`,
    `alter table webhooks add column probe_at ${integer}`,
    `alter table webhooks add column probes ${integer} not null default 0`,
    `alter table webhooks add column previous_secret ${text}`,
    `alter table webhooks add column previous_secret_until ${integer}`,
    `alter table deliveries add column sequence ${integer}`,
    `alter table deliveries add column schedule_from ${integer} not null default 0`,
    `alter table deliveries add column created_at ${integer}`,
    `alter table attempts add column request_url ${text}`,
    `alter table attempts add column request_headers ${text}`,
    // Finds deliveries of a rare status, and keeps the numbers of a webhook unique.
    `create index deliveries_status on deliveries (webhook_id, status, id)`,
    `create unique index deliveries_sequence on deliveries (webhook_id, sequence) where sequence is not null`,
    // Expired rows are at the beginning of these indexes, and new rows are added at the end.
    `create index deliveries_ended on deliveries (delivered_at) where due_at is null`,
    `create index attempts_bodies on attempts (started_at) where response_body is not null`,
  ],
};
