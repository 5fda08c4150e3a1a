import type { Db, Read } from '../../db/db.ts';
import { searchNeedles } from '../../db/dialect.ts';
import { withLongTexts } from '../../db/long-texts.ts';
import { countOf } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import { notFound } from '../../kernel/problem.ts';
import { parseQuestion } from '../../kernel/search.ts';
import {
  countAttempts,
  countDeliveries,
  type DeliveryListShape,
  type DeliveryRow,
  deliveryById,
  listAttempts,
  listDeliveries,
  payloadsOfDeliveries,
} from './deliveries.store.ts';
import { type DeliveryChoice, filtersOf, isUnfiltered } from './delivery-filters.ts';
import { renderAttempt, renderDelivery } from './delivery-json.ts';
import { getWebhook } from './webhook-record.ts';

/** What can be seen of deliveries; see the operations of the same names. */
export type Deliveries = ReturnType<typeof createDeliveries>;

type Listed = DeliveryRow & { readonly content?: string | null; readonly bytes?: number };

/** The first of some deliveries that fit into a page, with what they say where that was asked for. */
async function withPayloads(
  read: Read,
  rows: readonly Listed[],
): Promise<(DeliveryRow & { readonly payload?: string })[]> {
  const asked = rows.flatMap(({ content, bytes, ...row }) =>
    content === undefined || bytes === undefined ? [] : [{ ...row, content, bytes }],
  );
  if (asked.length === 0) return [...rows];
  const whole = await withLongTexts(asked, (ids) => read.all(payloadsOfDeliveries, { ids }));
  return whole.map(({ content, ...row }) => ({ ...row, payload: content }));
}

/** The deliveries of webhooks as they are shown, with their attempts. */
export function createDeliveries({ db }: { db: Db }) {
  return {
    async listDeliveries(id: number, list: ListQuery, choice: DeliveryChoice): Promise<Json> {
      const webhook = await getWebhook(db.read, id);
      // Nothing here has a tag or is in the trash.
      if (list.trashed === true || list.tag !== undefined)
        return envelope(list, { items: [], count: list.count ? 0 : undefined });
      const terms = parseQuestion(list.q);
      const order = list.order.field as DeliveryListShape['order'];
      const { filters, values } = filtersOf(id, choice, order === 'sequence' ? order : 'id');
      const shape: DeliveryListShape = {
        order,
        descending: list.order.descending,
        filters,
        hasQuestion: terms !== undefined,
        hasPayload: list.expand.has('payload'),
      };
      const key = JSON.stringify(shape);
      const parameters = {
        ...values,
        needles: terms === undefined ? [] : searchNeedles(terms),
        top: list.top,
        skip: list.skip,
      };
      const isPlain = isUnfiltered(filters) && !shape.hasQuestion;
      const read = await db.readForList();
      const count = !list.count
        ? undefined
        : isPlain
          ? await countOf(read, { parentType: 'webhook', parentId: id, kind: 'delivery' }, false)
          : ((await read.get(countDeliveries(key), parameters))?.count ?? 0);
      // A walk that found nothing need not be made again.
      if (list.countOnly || count === 0) return envelope(list, { items: [], count });
      const rows = await read.all(listDeliveries(key), parameters);
      const shown = await withPayloads(read, rows);
      return envelope(list, { items: shown.map((row) => renderDelivery(row, webhook)), count });
    },

    async getDelivery(id: number, deliveryId: number): Promise<Json> {
      const webhook = await getWebhook(db.read, id);
      const delivery = await db.read.get(deliveryById, { webhookId: id, id: deliveryId });
      if (delivery === undefined) throw notFound('delivery');
      return renderDelivery(delivery, webhook);
    },

    async listAttempts(id: number, deliveryId: number, list: ListQuery): Promise<Json> {
      await getWebhook(db.read, id);
      const delivery = await db.read.get(deliveryById, { webhookId: id, id: deliveryId });
      if (delivery === undefined) throw notFound('delivery');
      // Nothing here has words, a tag or is in the trash.
      if (list.trashed === true || list.tag !== undefined || parseQuestion(list.q) !== undefined)
        return envelope(list, { items: [], count: list.count ? 0 : undefined });
      const count = list.count ? ((await db.read.get(countAttempts, { deliveryId }))?.count ?? 0) : undefined;
      if (list.countOnly) return envelope(list, { items: [], count });
      const { top, skip } = list;
      const statement = listAttempts(list.order.descending ? 'desc' : 'asc');
      const rows = await db.read.all(statement, { deliveryId, top, skip });
      return envelope(list, { items: rows.map((row) => renderAttempt(row, delivery)), count });
    },
  };
}
