import type { Migration } from './migration.ts';

/**
 * What webhooks keep about their receivers: the order and the numbers of what they are sent, the breaker, a secret that
 * is on its way out; and what was sent with each attempt.
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
    // Those of one status among many of another, and the numbers of a webhook, of which none is given twice.
    `create index deliveries_status on deliveries (webhook_id, status, id)`,
    `create unique index deliveries_sequence on deliveries (webhook_id, sequence) where sequence is not null`,
    // What has been kept long enough is at the beginning of these, and what is added goes to their end.
    `create index deliveries_ended on deliveries (delivered_at) where due_at is null`,
    `create index attempts_bodies on attempts (started_at) where response_body is not null`,
  ],
};
