import { realtimeOperations } from 'confab-contract/realtime.ts';
import { handler } from '../binding/handler.ts';
import { json } from '../kernel/json.ts';
import { formKeyOf, mayBeSecond } from './forms.ts';
import type { LiveParts } from './realtime.ts';

const transports = ['WebSockets', 'ServerSentEvents', 'LongPolling'];

/** The first step of the SignalR protocol: returns the token that opens a connection, and the transports there are. */
export const negotiateConnection = handler(
  realtimeOperations.negotiateConnection,
  async ({ caller, query, raw }, { realtime }: LiveParts) => {
    const authorization = raw.credential?.authorization;
    const follows =
      authorization !== undefined && raw.headers['x-weavy-source'] === undefined
        ? mayBeSecond(raw.headers['x-signalr-user-agent'])
        : false;
    const formKey = follows ? formKeyOf(String(authorization)) : undefined;
    const { id, token } = realtime.negotiate(caller, { form: caller.form, formKey });
    // Version 0 has one name for both.
    const names =
      query.negotiate_version === 1
        ? { negotiateVersion: 1, connectionId: id, connectionToken: token }
        : { negotiateVersion: 0, connectionId: token };
    const availableTransports = transports.map((transport) => ({ transport, transferFormats: ['Text'] }));
    return json(JSON.stringify({ ...names, availableTransports }));
  },
);
