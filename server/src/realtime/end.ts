import { realtimeOperations } from 'confab-contract/realtime.ts';
import { handler } from '../binding/handler.ts';
import type { LiveParts } from './realtime.ts';

/** Ends a live connection that is no WebSocket; throws `not_found` when there is none. */
export const endConnection = handler(
  realtimeOperations.endConnection,
  async ({ caller, query }, { realtime }: LiveParts) => {
    realtime.endConnection(caller, query.id);
    return undefined;
  },
);
