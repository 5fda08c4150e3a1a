import { webhookOperations } from 'confab-contract/webhooks.ts';
import { handler } from '../../../binding/handler.ts';
import { searchExpression } from '../../../db/dialect.ts';
import { readList } from '../../../db/list.ts';
import { envelope } from '../../../kernel/page.ts';
import { parseQuestion } from '../../../kernel/search.ts';
import { renderWebhook } from '../webhook-json.ts';
import { webhookList } from './webhooks.store.ts';

/** The webhooks of the server. */
export const listWebhooks = handler(webhookOperations.listWebhooks, async ({ read, list }) => {
  // Webhooks have neither tags nor a trash.
  if (list.trashed === true || list.tag !== undefined)
    return envelope(list, { items: [], count: list.count ? 0 : undefined });
  const terms = parseQuestion(list.q);
  const { rows, count, next } = await readList(read, webhookList, {
    list,
    settings: { hasQuestion: terms !== undefined },
    parameters: { question: terms === undefined ? [] : searchExpression(terms) },
  });
  return envelope(list, { items: rows.map(renderWebhook), count, next });
});
