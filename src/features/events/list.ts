import { handler } from '../../binding/handler.ts';
import { webhookOperations } from '../../contract/webhooks.ts';
import type { Json } from '../../kernel/json.ts';

/** The part of the server that renders the catalogue of events: all of it, or the events of a group or an action. */
export type EventCatalogue = {
  readonly eventCatalogue: (filter: { readonly group?: string; readonly action?: string }) => Json;
};

/** Every event with the JSON Schema of the body that webhooks are sent. */
export const listWebhookEvents = handler(
  webhookOperations.listWebhookEvents,
  async ({ query }, { eventCatalogue }: EventCatalogue) => eventCatalogue(query),
);
