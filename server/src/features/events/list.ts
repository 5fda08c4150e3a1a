import { eventOperations } from 'confab-contract/events.ts';
import { limits } from 'confab-contract/fields.ts';
import { webhookOperations } from 'confab-contract/webhooks.ts';
import { handler } from '../../binding/handler.ts';
import type { Read } from '../../db/db.ts';
import type { Json } from '../../kernel/json.ts';
import type { PageAnswer } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';

/** These operations read the log of events: page by page, as a stream, and as a catalogue of their kinds. */

/** The part of the server that renders the catalogue of events: all of it, or the events of a group or an action. */
export type EventCatalogue = {
  readonly eventCatalogue: (filter: { readonly group?: string; readonly action?: string }) => Json;
};

/** Every event with the JSON Schema of the body that webhooks are sent. */
export const listWebhookEvents = handler(
  webhookOperations.listWebhookEvents,
  async ({ query }, { eventCatalogue }: EventCatalogue) => eventCatalogue(query),
);

/** The part of the server that reads a page of the log with the rights of a caller. */
export type EventFeed = {
  readonly readFeed: (read: Read, caller: Principal, page: FeedQuery) => Promise<PageAnswer>;
};

/** Which events a request asks for: those after or before a position, or those about one thing. */
export type FeedQuery = {
  readonly after: number;
  readonly before: number | undefined;
  readonly entity: { readonly type: string; readonly id: number } | undefined;
  readonly top: number;
};

/** The log of changes in its order, from a position on, or backwards. */
export const listEvents = handler(
  eventOperations.listEvents,
  async ({ read, caller, query }, { readFeed }: EventFeed) => {
    const { after = 0, before, top = limits.topDefault, entity_type: type, entity_id: id } = query;
    const entity = type === undefined || id === undefined ? undefined : { type, id };
    return await readFeed(read, caller, { after, before, entity, top });
  },
);
