import type { Clearable } from '../../contract/operation.ts';
import type { WebhookCreate, WebhookPatch } from '../../contract/webhooks.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { searchExpression } from '../../db/dialect.ts';
import { append, isTrigger } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import { parseQuestion, searchWords } from '../../kernel/search.ts';
import type { AllowList } from '../../net/address.ts';
import { checkTarget } from '../../net/target.ts';
import { actorOf } from '../users/user-json.ts';
import { listDeliveriesOf } from './deliveries.ts';
import { secretFault } from './signature.ts';
import { renderWebhook } from './webhook-json.ts';
import {
  countWebhooks,
  deleteDeliveries,
  deleteDeliveryCount,
  deletedWebhook,
  deleteTriggers,
  deleteWebhook,
  indexWebhook,
  insertTriggers,
  insertWebhook,
  listWebhooks,
  markDeleted,
  unindexWebhook,
  updateWebhook,
  type WebhookListShape,
  type WebhookRow,
  webhookById,
} from './webhooks.store.ts';

/** Deliveries that one statement takes away: a few milliseconds of the one writer. */
const deliveriesPerPurge = 500;

type WebhookWithSecret = WebhookRow & { readonly secret: string | null };

/** What a request wants of a webhook, judged; undefined leaves a field, a null secret clears it. */
type Wanted = {
  readonly payloadUrl: string | undefined;
  readonly secret: string | null | undefined;
  readonly triggers: readonly string[] | undefined;
  readonly isEnabled: boolean | undefined;
};

type WebhookBody = Pick<Clearable<WebhookPatch>, 'payload_url' | 'secret' | 'triggers'>;

function readTriggers(sent: readonly string[]): string[] {
  sent.forEach((name, index) => {
    if (!isTrigger(name))
      throw invalidField(`/triggers/${index}`, 'unknown', 'names no group of events and no action');
  });
  return [...new Set(sent)];
}

function readSecret(sent: string): string {
  const fault = secretFault(sent);
  if (fault !== undefined) throw invalidField('/secret', 'secret', fault);
  return sent;
}

function readPayloadUrl(sent: string, allow: AllowList): string {
  const verdict = checkTarget(sent, allow);
  if (!verdict.ok) throw invalidField('/payload_url', verdict.code, verdict.message);
  return sent;
}

/** What the webhooks feature does; see the operations of the same names. */
export type Webhooks = ReturnType<typeof createWebhooks>;

/** What the webhooks feature is made of. */
export type WebhooksOptions = {
  readonly db: Db;
  readonly clock: Clock;
  /** The internal addresses that webhooks may call. */
  readonly allow: AllowList;
  /** Called when a deleted webhook has deliveries left to `purge`. */
  readonly onDeleted: () => void;
};

/** The webhooks feature: who is told of events (specification section 4.4). */
export function createWebhooks({ db, clock, allow, onDeleted }: WebhooksOptions) {
  function prepare(body: WebhookBody, isEnabled: boolean | undefined): Wanted {
    const { payload_url: payloadUrl, secret, triggers } = body;
    return {
      payloadUrl: typeof payloadUrl === 'string' ? readPayloadUrl(payloadUrl, allow) : undefined,
      secret: typeof secret === 'string' ? readSecret(secret) : secret,
      triggers: Array.isArray(triggers) ? readTriggers(triggers) : undefined,
      isEnabled,
    };
  }

  async function find(read: Read | Tx, id: number): Promise<WebhookWithSecret> {
    const webhook = await read.get(webhookById, { id });
    if (webhook === undefined) throw notFound('webhook');
    return webhook;
  }

  async function record(
    tx: Tx,
    principal: Principal,
    webhook: WebhookRow,
    action: 'webhook_created' | 'webhook_updated' | 'webhook_deleted',
  ): Promise<Json> {
    const rendered = renderWebhook(webhook);
    await append(tx, {
      action,
      actor: actorOf(principal.user),
      appId: null,
      entity: { id: webhook.id, json: rendered },
      at: clock.now(),
    });
    return rendered;
  }

  /** Takes away a batch of what a deleted webhook leaves behind; answers whether that was all. */
  async function purgeBatch(tx: Tx, id: number): Promise<boolean> {
    const deleted = await tx.run(deleteDeliveries, { id, top: deliveriesPerPurge });
    if (deleted === deliveriesPerPurge) return false;
    await tx.run(deleteWebhook, { id });
    return true;
  }

  return {
    async registerWebhook(principal: Principal, input: Input<WebhookCreate>): Promise<Json> {
      const prepared = input.map((body) => prepare(body, body.enabled ?? body.is_enabled ?? true));
      return await db.write(async (tx) => {
        const { payloadUrl = '', secret = null, triggers = [], isEnabled } = prepared.valid();
        const id = await tx.insert(insertWebhook, {
          payloadUrl,
          secret,
          isEnabled: isEnabled === false ? 0 : 1,
          at: clock.now(),
        });
        await tx.run(insertTriggers, { id, triggers });
        tx.later(indexWebhook, { id, words: searchWords(payloadUrl) });
        return await record(tx, principal, await find(tx, id), 'webhook_created');
      });
    },

    getWebhook: async (id: number): Promise<Json> => renderWebhook(await find(db.read, id)),

    async updateWebhook(
      principal: Principal,
      id: number,
      input: Input<Clearable<WebhookPatch>>,
    ): Promise<Json> {
      const prepared = input.map((body) => prepare(body, body.is_enabled ?? body.enabled ?? undefined));
      return await db.write(async (tx) => {
        const webhook = await find(tx, id);
        const wanted = prepared.valid();
        const values = {
          payloadUrl: wanted.payloadUrl ?? webhook.payloadUrl,
          secret: wanted.secret === undefined ? webhook.secret : wanted.secret,
          isEnabled: wanted.isEnabled === undefined ? webhook.isEnabled : wanted.isEnabled ? 1 : 0,
        };
        const triggers = wanted.triggers === undefined ? webhook.triggers : JSON.stringify(wanted.triggers);
        const isSame =
          values.payloadUrl === webhook.payloadUrl &&
          values.secret === webhook.secret &&
          values.isEnabled === webhook.isEnabled &&
          triggers === webhook.triggers;
        // What changes nothing is no edit and no event.
        if (isSame) return renderWebhook(webhook);
        await tx.run(updateWebhook, { ...values, id, at: clock.now() });
        if (wanted.triggers !== undefined) {
          await tx.run(deleteTriggers, { id });
          await tx.run(insertTriggers, { id, triggers: wanted.triggers });
        }
        tx.later(unindexWebhook, { id });
        tx.later(indexWebhook, { id, words: searchWords(values.payloadUrl) });
        tx.wake('deliveries');
        return await record(tx, principal, { ...webhook, ...values, triggers }, 'webhook_updated');
      });
    },

    async listWebhooks(list: ListQuery): Promise<Json> {
      // Nothing here has a tag or is in the trash.
      if (list.trashed === true || list.tag !== undefined)
        return envelope(list, { items: [], count: list.count ? 0 : undefined });
      const terms = parseQuestion(list.q);
      const shape: WebhookListShape = {
        order: list.order.field as WebhookListShape['order'],
        descending: list.order.descending,
        hasQuestion: terms !== undefined,
      };
      const key = JSON.stringify(shape);
      const parameters = {
        question: terms === undefined ? '' : searchExpression(terms),
        top: list.top,
        skip: list.skip,
      };
      const count = list.count
        ? ((await db.read.get(countWebhooks(key), parameters))?.count ?? 0)
        : undefined;
      if (list.countOnly) return envelope(list, { items: [], count });
      const rows = await db.read.all(listWebhooks(key), parameters);
      return envelope(list, { items: rows.map(renderWebhook), count });
    },

    async listDeliveries(id: number, list: ListQuery, query: { action?: string }): Promise<Json> {
      await find(db.read, id);
      return await listDeliveriesOf(db.read, id, list, query.action);
    },

    /** Hides the webhook at once, with what few deliveries it has; many are left to `purge`. */
    async deleteWebhook(principal: Principal, id: number): Promise<undefined> {
      const isGone = await db.write(async (tx) => {
        const webhook = await find(tx, id);
        await tx.run(markDeleted, { id, at: clock.now() });
        await tx.run(deleteTriggers, { id });
        tx.later(unindexWebhook, { id });
        await tx.run(deleteDeliveryCount, { id });
        await record(tx, principal, webhook, 'webhook_deleted');
        return await purgeBatch(tx, id);
      });
      if (!isGone) onDeleted();
    },

    /** Takes away one batch of the deliveries of deleted webhooks; answers whether more are left. */
    async purge(): Promise<boolean> {
      const next = await db.read.get(deletedWebhook, {});
      if (next === undefined) return false;
      await db.write(async (tx) => await purgeBatch(tx, next.id));
      return true;
    },
  };
}
