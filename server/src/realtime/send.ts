import { realtimeOperations } from 'confab-contract/realtime.ts';
import { handler } from '../binding/handler.ts';
import type { LiveParts } from './realtime.ts';

/** Takes records of a live connection that is no WebSocket; throws `not_found` when there is none. */
export const sendToConnection = handler(
  realtimeOperations.sendToConnection,
  async ({ caller, query, raw }, { realtime }: LiveParts) => {
    realtime.receive(caller, query.id, typeof raw.body === 'string' ? raw.body : '');
    return undefined;
  },
);
