import Type from 'typebox';
import { string } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;
const path = '/hubs/rtm';
const id = string('The `connectionToken` from the negotiation.');

const Negotiation = Type.Object(
  {
    negotiateVersion: Type.Integer({
      minimum: 0,
      maximum: 1,
      description: 'The version of the negotiation protocol.',
    }),
    connectionId: string('The id of the connection, which is not a secret.'),
    connectionToken: o(
      string('What to send as `id`. It is a secret of this connection. Absent with version 0.'),
    ),
    availableTransports: Type.Array(
      Type.Object({
        transport: Type.Unsafe<'WebSockets' | 'ServerSentEvents' | 'LongPolling'>({
          type: 'string',
          enum: ['WebSockets', 'ServerSentEvents', 'LongPolling'],
          description: 'The name of the transport.',
        }),
        transferFormats: Type.Array(Type.String(), {
          description: 'The formats that it carries: `Text`.',
        }),
      }),
      { description: 'The transports that the server offers, the best one first.' },
    ),
  },
  { $id: 'Negotiation', description: 'How a connection can be opened.' },
);

export const realtimeOperations = operationsOf('Realtime', {
  negotiateConnection: {
    method: 'POST',
    path: `${path}/negotiate`,
    summary:
      'Begins a live connection: the first step of the SignalR protocol, which its client libraries perform.',
    description:
      'Then open the connection with the JSON hub protocol, version 1. The methods `Subscribe` and `Unsubscribe` take the name of a channel: an action such as `message_created` in any app of the caller, or `a42:comment_created` for an action in the app with the id 42. Events are sent to a client method with the name of the channel.',
    caller: 'user',
    on: 'caller',
    effect: 'wait',
    query: Type.Object({
      negotiate_version: o(
        Type.Integer({
          minimum: 0,
          maximum: 1,
          description:
            'The version of the negotiation protocol: 1 to get a `connectionToken`; 0 when absent.',
        }),
      ),
    }),
    takesTokenInQuery: true,
    success: { 200: Negotiation },
    errors: [401],
  },
  openConnection: {
    method: 'GET',
    path,
    summary: 'Opens a live connection, or polls it.',
    description:
      'With `Upgrade: websocket`, the connection becomes a WebSocket. With `Accept: text/event-stream`, records arrive as server-sent events. Otherwise one response has the waiting records, or is 204 when the connection has ended.',
    caller: 'user',
    on: 'caller',
    effect: 'wait',
    query: Type.Object({ id: o(id) }),
    media: 'text/plain',
    takesTokenInQuery: true,
    success: { 200: Type.String(), 204: null },
    errors: [401, 404],
  },
  sendToConnection: {
    method: 'POST',
    path,
    summary: 'Sends records of the hub protocol where the connection is no WebSocket.',
    caller: 'user',
    on: 'caller',
    effect: 'wait',
    query: Type.Object({ id: o(id) }),
    takesText: true,
    takesTokenInQuery: true,
    success: { 202: null },
    errors: [400, 401, 404],
  },
  endConnection: {
    method: 'DELETE',
    path,
    summary: 'Ends a live connection that is no WebSocket.',
    caller: 'user',
    on: 'caller',
    effect: 'wait',
    query: Type.Object({ id: o(id) }),
    takesTokenInQuery: true,
    success: { 202: null },
    errors: [401, 404],
  },
});
