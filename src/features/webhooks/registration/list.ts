import { handler } from '../../../binding/handler.ts';
import { webhookOperations } from '../../../contract/webhooks.ts';
import { searchExpression } from '../../../db/dialect.ts';
import { envelope } from '../../../kernel/page.ts';
import { parseQuestion } from '../../../kernel/search.ts';
import { renderWebhook } from '../webhook-json.ts';
import { countWebhooks, listWebhooks as selectWebhooks, type WebhookListShape } from './webhooks.store.ts';

/** The webhooks of the server. */
export const listWebhooks = handler(webhookOperations.listWebhooks, async ({ read, list }) => {
  // Webhooks have neither tags nor a trash.
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
  const count = list.count ? ((await read.get(countWebhooks(key), parameters))?.count ?? 0) : undefined;
  if (list.countOnly) return envelope(list, { items: [], count });
  const rows = await read.all(selectWebhooks(key), parameters);
  return envelope(list, { items: rows.map(renderWebhook), count });
});
