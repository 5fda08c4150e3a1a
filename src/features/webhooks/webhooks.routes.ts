import { operations } from '../../contract/index.ts';
import { createEventCatalogue } from '../../http/event-catalogue.ts';
import type { Http } from '../../http/server.ts';
import type { Webhooks } from './webhooks.ts';

/** Binds the operations of webhooks. */
export function bindWebhooks(http: Http, webhooks: Webhooks): void {
  const catalogue = createEventCatalogue();
  http.bind(operations.registerWebhook, ({ principal, body }) => webhooks.registerWebhook(principal, body));
  http.bind(operations.listWebhookEvents, async ({ query }) => catalogue(query));
  http.bind(operations.getWebhook, ({ params }) => webhooks.getWebhook(params.id));
  http.bind(operations.updateWebhook, ({ principal, params, body }) =>
    webhooks.updateWebhook(principal, params.id, body),
  );
  http.bind(operations.listWebhooks, ({ list }) => webhooks.listWebhooks(list));
  http.bind(operations.deleteWebhook, ({ principal, params }) =>
    webhooks.deleteWebhook(principal, params.id),
  );
}
