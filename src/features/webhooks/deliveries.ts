import type { Read } from '../../db/db.ts';
import { searchNeedles } from '../../db/dialect.ts';
import { countOf } from '../../db/tallies.ts';
import type { Json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { countDeliveries, type DeliveryListShape, listDeliveries } from './deliveries.store.ts';
import { renderDelivery } from './webhook-json.ts';

/** A page of the deliveries of a webhook that the caller knows to be there. */
export async function listDeliveriesOf(
  read: Read,
  webhookId: number,
  list: ListQuery,
  action: string | undefined,
): Promise<Json> {
  // Nothing here has a tag or is in the trash.
  if (list.trashed === true || list.tag !== undefined)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const terms = parseQuestion(list.q);
  const shape: DeliveryListShape = {
    order: list.order.field as DeliveryListShape['order'],
    descending: list.order.descending,
    hasAction: action !== undefined,
    hasQuestion: terms !== undefined,
  };
  const key = JSON.stringify(shape);
  const parameters = {
    webhookId,
    action: action ?? '',
    needles: searchNeedles(terms ?? []),
    top: list.top,
    skip: list.skip,
  };
  const isPlain = !shape.hasAction && !shape.hasQuestion;
  const count = !list.count
    ? undefined
    : isPlain
      ? await countOf(read, { parentType: 'webhook', parentId: webhookId, kind: 'delivery' }, false)
      : ((await read.get(countDeliveries(key), parameters))?.count ?? 0);
  if (list.countOnly) return envelope(list, { items: [], count });
  const rows = await read.all(listDeliveries(key), parameters);
  return envelope(list, { items: rows.map(renderDelivery), count });
}
