import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Deliveries } from './deliveries.ts';
import type { Redelivery } from './redelivery.ts';

/** Binds the operations of deliveries. */
export function bindDeliveries(http: Http, deliveries: Deliveries, redelivery: Redelivery): void {
  http.bind(operations.listDeliveries, ({ params, list, query }) =>
    deliveries.listDeliveries(params.id, list, query),
  );
  http.bind(operations.getDelivery, ({ params }) => deliveries.getDelivery(params.id, params.delivery));
  http.bind(operations.listAttempts, ({ params, list }) =>
    deliveries.listAttempts(params.id, params.delivery, list),
  );
  http.bind(operations.pingWebhook, ({ principal, params }) => redelivery.pingWebhook(principal, params.id));
  http.bind(operations.redeliver, ({ principal, params }) =>
    redelivery.redeliver(principal, params.id, params.delivery),
  );
  http.bind(operations.redeliverMany, ({ principal, params, body }) =>
    redelivery.redeliverMany(principal, params.id, body),
  );
}
