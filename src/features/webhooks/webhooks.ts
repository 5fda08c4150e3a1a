import type { Clearable } from '../../contract/operation.ts';
import type { WebhookCreate, WebhookPatch } from '../../contract/webhooks.ts';
import type { Db, Tx } from '../../db/db.ts';
import { searchExpression } from '../../db/dialect.ts';
import { webhookIndex } from '../../db/search-index.ts';
import { isTrigger } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Faults } from '../../kernel/faults.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';
import { parseQuestion, searchWords } from '../../kernel/search.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { EgressRules } from '../../net/rules.ts';
import { checkTarget } from '../../net/target.ts';
import { forgetWaits, settleDue } from './lanes.store.ts';
import { isPresentSecret, keepSecret } from './secrets.ts';
import { readSecret } from './signature.ts';
import { renderWebhook } from './webhook-json.ts';
import { getWebhook, recordWebhook } from './webhook-record.ts';
import {
  countWebhooks,
  deleteDeliveries,
  deleteDeliveryCount,
  deletedWebhook,
  deleteTriggers,
  deleteWebhook,
  insertTriggers,
  insertWebhook,
  listWebhooks,
  markDeleted,
  updateWebhook,
  type WebhookListShape,
} from './webhooks.store.ts';

/** Deliveries that one statement takes away: a few milliseconds of the one writer. */
const deliveriesPerPurge = 500;

/** What a request wants of a webhook, judged; undefined leaves a field, a null secret clears it. */
type Wanted = {
  readonly payloadUrl: string | undefined;
  readonly secret: string | null | undefined;
  readonly triggers: readonly string[] | undefined;
  readonly isEnabled: boolean | undefined;
  readonly isOrdered: boolean | undefined;
};

type WebhookBody = Pick<Clearable<WebhookPatch>, 'payload_url' | 'secret' | 'triggers' | 'ordered'>;

function readTriggers(sent: readonly string[]): string[] {
  const faults = new Faults();
  for (const [index, name] of sent.entries())
    if (!isTrigger(name))
      faults.add(() => ({
        pointer: `/triggers/${index}`,
        code: 'unknown',
        message: 'names no group of events and no action',
      }));
  if (faults.count > 0) throw faults.problem('validation_failed');
  return [...new Set(sent)];
}

/** What the webhooks feature does; see the operations of the same names. */
export type Webhooks = ReturnType<typeof createWebhooks>;

/** What the webhooks feature is made of. */
export type WebhooksOptions = {
  readonly db: Db;
  readonly clock: Clock;
  /** Where webhooks may point. */
  readonly rules: EgressRules;
  /** What secrets are sealed in. */
  readonly box: SecretBox;
  /** Called when a deleted webhook has deliveries left to `purge`. */
  readonly onDeleted: () => void;
};

/** The webhooks feature: who is told of events (specification section 4.4). */
export function createWebhooks({ db, clock, rules, box, onDeleted }: WebhooksOptions) {
  function readPayloadUrl(sent: string): string {
    const verdict = checkTarget(sent, rules);
    if (!verdict.ok) throw invalidField('/payload_url', verdict.code, verdict.message);
    return sent;
  }

  const readers = { payload_url: readPayloadUrl, secret: readSecret, triggers: readTriggers } as const;

  function prepare(body: WebhookBody, isEnabled: boolean | undefined): Wanted {
    return {
      payloadUrl: body.payload_url ?? undefined,
      secret: body.secret,
      triggers: body.triggers ?? undefined,
      isEnabled,
      isOrdered: body.ordered ?? undefined,
    };
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
      const prepared = input
        .read(readers)
        .map((body) => prepare(body, body.enabled ?? body.is_enabled ?? true));
      return await db.write(async (tx) => {
        const { payloadUrl = '', secret = null, triggers = [], isEnabled, isOrdered } = prepared.valid();
        const at = clock.now();
        const id = await tx.insert(insertWebhook, {
          payloadUrl,
          isEnabled: isEnabled === false ? 0 : 1,
          isOrdered: isOrdered === true ? 1 : 0,
          at,
        });
        if (secret !== null) await keepSecret(tx, box, { webhookId: id, secret });
        await tx.run(insertTriggers, { id, triggers });
        tx.later(webhookIndex, { id, words: searchWords(payloadUrl), isNew: true });
        const webhook = await getWebhook(tx, id);
        return await recordWebhook(tx, webhook, { action: 'webhook_created', actor: principal.user, at });
      });
    },

    getWebhook: async (id: number): Promise<Json> => renderWebhook(await getWebhook(db.read, id)),

    async updateWebhook(
      principal: Principal,
      id: number,
      input: Input<Clearable<WebhookPatch>>,
    ): Promise<Json> {
      const prepared = input
        .read(readers)
        .map((body) => prepare(body, body.is_enabled ?? body.enabled ?? undefined));
      return await db.write(async (tx) => {
        const webhook = await getWebhook(tx, id);
        const wanted = prepared.valid();
        const at = clock.now();
        const values = {
          payloadUrl: wanted.payloadUrl ?? webhook.payloadUrl,
          isEnabled: wanted.isEnabled === undefined ? webhook.isEnabled : wanted.isEnabled ? 1 : 0,
          isOrdered: wanted.isOrdered === undefined ? webhook.isOrdered : wanted.isOrdered ? 1 : 0,
        };
        const triggers = wanted.triggers === undefined ? webhook.triggers : JSON.stringify(wanted.triggers);
        // A secret that is sent ends the one before it, even when it is the present one already.
        const hasSecret =
          wanted.secret === undefined ||
          (webhook.previousSecret === null && isPresentSecret(box, webhook, wanted.secret));
        const isSame =
          values.payloadUrl === webhook.payloadUrl &&
          hasSecret &&
          values.isEnabled === webhook.isEnabled &&
          values.isOrdered === webhook.isOrdered &&
          triggers === webhook.triggers;
        // What changes nothing is no edit and no event.
        if (isSame) return renderWebhook(webhook);
        await tx.run(updateWebhook, { ...values, id, at });
        // What was known of the receiver says nothing about another one, or about one that was put in order meanwhile.
        const isAnother =
          values.payloadUrl !== webhook.payloadUrl || (values.isEnabled === 1 && webhook.isEnabled === 0);
        if (isAnother) await tx.run(forgetWaits, { id, now: at });
        await tx.run(settleDue, { webhookIds: [id] });
        if (wanted.secret !== undefined && !hasSecret)
          await keepSecret(tx, box, { webhookId: id, secret: wanted.secret });
        if (wanted.triggers !== undefined) {
          await tx.run(deleteTriggers, { id });
          await tx.run(insertTriggers, { id, triggers: wanted.triggers });
        }
        tx.later(webhookIndex, { id, words: searchWords(values.payloadUrl) });
        tx.wake('deliveries');
        const changed = await getWebhook(tx, id);
        return await recordWebhook(tx, changed, { action: 'webhook_updated', actor: principal.user, at });
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

    /** Hides the webhook at once, with what few deliveries it has; many are left to `purge`. */
    async deleteWebhook(principal: Principal, id: number): Promise<undefined> {
      const isGone = await db.write(async (tx) => {
        const webhook = await getWebhook(tx, id);
        const at = clock.now();
        await tx.run(markDeleted, { id, at });
        await tx.run(deleteTriggers, { id });
        tx.later(webhookIndex, { id, words: null });
        await tx.run(deleteDeliveryCount, { id });
        await recordWebhook(tx, webhook, { action: 'webhook_deleted', actor: principal.user, at });
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
