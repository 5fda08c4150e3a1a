import { notFound } from 'confab-contract/problem.ts';
import type { Read } from '../../db/db.ts';
import { idOf, type Lookup } from '../lookup.ts';
import type { WebhookRow } from './webhook.sql.ts';
import { webhookById } from './webhook-access.store.ts';

declare const proof: unique symbol;

/** A webhook that exists, with its sealed secrets. There is no lesser right: every API key manages every webhook. */
export type ManageableWebhook = WebhookRow & {
  readonly secret: string | null;
  readonly previousSecret: string | null;
  /** Unix milliseconds; null without a previous secret. */
  readonly previousSecretUntil: number | null;
  readonly [proof]: 'webhook';
};

/** The webhook with this id; throws `not_found`. */
export async function manageableWebhook(read: Pick<Read, 'get'>, id: number): Promise<ManageableWebhook> {
  const webhook = await read.get(webhookById, { id });
  if (webhook === undefined) throw notFound('webhook');
  return webhook as typeof webhook & ManageableWebhook;
}

/** The rights on webhooks; each throws `not_found`. */
export const webhookAccess = {
  manage: ({ read, ref }: Lookup): Promise<ManageableWebhook> => manageableWebhook(read, idOf(ref)),
};
