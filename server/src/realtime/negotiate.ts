import { realtimeOperations } from 'confab-contract/realtime.ts';
import { handler } from '../binding/handler.ts';
import { json } from '../kernel/json.ts';
import type { LiveParts } from './realtime.ts';

const transports = ['WebSockets', 'ServerSentEvents', 'LongPolling'];

/** The first step of the SignalR protocol: returns the token that opens a connection, and the transports there are. */
export const negotiateConnection = handler(
  realtimeOperations.negotiateConnection,
  async ({ caller, query }, { realtime }: LiveParts) => {
    const { id, token } = realtime.negotiate(caller);
    // Version 0 has one name for both.
    const names =
      query.negotiate_version === 1
        ? { negotiateVersion: 1, connectionId: id, connectionToken: token }
        : { negotiateVersion: 0, connectionId: token };
    const availableTransports = transports.map((transport) => ({ transport, transferFormats: ['Text'] }));
    return json(JSON.stringify({ ...names, availableTransports }));
  },
);
