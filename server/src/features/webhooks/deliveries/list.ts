import { deliveryOperations } from 'confab-contract/deliveries.ts';
import type { DeliveryRow } from '../../../access/delivery/delivery.sql.ts';
import { handler } from '../../../binding/handler.ts';
import type { Read } from '../../../db/db.ts';
import { searchNeedles } from '../../../db/dialect.ts';
import { readList } from '../../../db/list.ts';
import { withLongTexts } from '../../../db/long-texts.ts';
import { countOf } from '../../../db/tallies.ts';
import { envelope, type NextPage } from '../../../kernel/page.ts';
import { parseQuestion } from '../../../kernel/search.ts';
import {
  attemptList,
  countDeliveries,
  type DeliveryListShape,
  payloadsOfDeliveries,
  listDeliveries as selectDeliveries,
} from './deliveries.store.ts';
import { filtersOf, isUnfiltered } from './delivery-filters.ts';
import { renderAttempt, renderDelivery } from './delivery-json.ts';

/** The deliveries of a webhook. */
export const listDeliveries = handler(
  deliveryOperations.listDeliveries,
  async ({ read, on: webhook, list, query }) => {
    // Deliveries have neither tags nor a trash.
    if (list.trashed === true || list.tag !== undefined)
      return envelope(list, { items: [], count: list.count ? 0 : undefined });
    const terms = parseQuestion(list.q);
    const order = list.order.field as DeliveryListShape['order'];
    const { filters, values } = filtersOf(webhook.id, query, order === 'sequence' ? order : 'id');
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
      // One row more than the page has shows that the list continues.
      top: list.top + 1,
      skip: list.skip,
    };
    const isWhole = isUnfiltered(filters) && !shape.hasQuestion;
    const count = !list.count
      ? undefined
      : isWhole
        ? await countOf(read, { parentType: 'webhook', parentId: webhook.id, kind: 'delivery' }, false)
        : ((await read.get(countDeliveries(key), parameters))?.count ?? 0);
    // A count of zero has already scanned everything, so the rows need not be read.
    if (list.countOnly || count === 0) return envelope(list, { items: [], count });
    const deliveries = await read.all(selectDeliveries(key), parameters);
    const rows = await withPayloads(read, deliveries.slice(0, list.top));
    const next: NextPage = (length) => {
      const last = length < deliveries.length ? deliveries[length - 1] : undefined;
      if (last === undefined || (order !== 'id' && order !== 'sequence')) return undefined;
      if (!shape.descending) return last[order] ?? undefined;
      // Deliveries without a number come last in descending order, so no cursor with a number would reach them.
      return order === 'id' ? { before: last.id } : undefined;
    };
    return envelope(list, { items: rows.map((row) => renderDelivery(row, webhook)), count, next });
  },
);

type ListedDelivery = DeliveryRow & { readonly content?: string | null; readonly bytes?: number };

/** The first of some deliveries that fit into a page, with their payloads where the list was read with them. */
async function withPayloads(
  read: Read,
  rows: readonly ListedDelivery[],
): Promise<(DeliveryRow & { readonly payload?: string })[]> {
  const expanded = rows.flatMap(({ content, bytes, ...row }) =>
    content === undefined || bytes === undefined ? [] : [{ ...row, content, bytes }],
  );
  if (expanded.length === 0) return [...rows];
  const whole = await withLongTexts(expanded, (ids) => read.all(payloadsOfDeliveries, { ids }));
  return whole.map(({ content, ...row }) => ({ ...row, payload: content }));
}

/** The attempts of a delivery. */
export const listAttempts = handler(
  deliveryOperations.listAttempts,
  async ({ read, on: { delivery }, list }) => {
    // Attempts have no search, tags or trash.
    if (list.trashed === true || list.tag !== undefined || parseQuestion(list.q) !== undefined)
      return envelope(list, { items: [], count: list.count ? 0 : undefined });
    const { rows, count, next } = await readList(read, attemptList, {
      list,
      settings: {},
      parameters: { deliveryId: delivery.id },
    });
    return envelope(list, { items: rows.map((row) => renderAttempt(row, delivery)), count, next });
  },
);
