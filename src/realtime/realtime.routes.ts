import { limits } from '../contract/fields.ts';
import { operations } from '../contract/index.ts';
import { authorizationOf } from '../http/connection.ts';
import type { Answer, Http } from '../http/server.ts';
import { parseId } from '../kernel/ids.ts';
import { json } from '../kernel/json.ts';
import { renderFeed } from './feed.ts';
import type { Caller, Realtime } from './realtime.ts';
import { streamHeaders } from './server-sent.ts';

type Raw = Parameters<Parameters<Http['page']>[1]>[1];
type Call = { readonly principal: Caller['principal']; readonly raw: Raw };

const textType = { 'content-type': 'text/plain; charset=utf-8' };
/** The answer to a HEAD of what goes on for ever: nothing is opened for it. */
const streamHead: Answer = { status: 200, headers: streamHeaders, body: '' };

/** Binds the hub, the feed of the log and who is writing. */
export function bindRealtime(http: Http, realtime: Realtime): void {
  http.bind(operations.negotiateConnection, async ({ principal, query }) => {
    const { id, token } = realtime.negotiate(principal);
    // Version 0 knows one name for both.
    const isFirst = query.negotiate_version !== 1;
    const names = isFirst
      ? { negotiateVersion: 0, connectionId: token }
      : { negotiateVersion: 1, connectionId: id, connectionToken: token };
    const transports = ['WebSockets', 'ServerSentEvents', 'LongPolling'];
    const availableTransports = transports.map((transport) => ({ transport, transferFormats: ['Text'] }));
    return json(JSON.stringify({ ...names, availableTransports }));
  });
  http.upgrade('/hubs/rtm', realtime.acceptSocket);
  http.bind(operations.openConnection, async (call) => {
    const isStream = call.raw.headers.accept?.includes('text/event-stream') === true;
    if (call.raw.method === 'HEAD')
      return isStream ? streamHead : { status: 200, headers: textType, body: '' };
    if (isStream)
      return {
        status: 200,
        headers: streamHeaders,
        body: await realtime.openStream(callerOf(call), call.query.id),
      };
    const poll = await realtime.poll(callerOf(call), call.query.id);
    return poll.kind === 'gone' ? { status: 204 } : { status: 200, headers: textType, body: poll.bytes };
  });
  http.bind(operations.sendToConnection, async ({ principal, query, raw }) => {
    realtime.receive(principal, query.id, typeof raw.body === 'string' ? raw.body : '');
    return undefined;
  });
  http.bind(operations.endConnection, async ({ principal, query }) => {
    realtime.endConnection(principal, query.id);
    return undefined;
  });

  http.bind(operations.listEvents, async ({ principal, query }) =>
    renderFeed(
      await realtime.readFeed(principal, { after: query.after ?? 0, top: query.top ?? limits.topDefault }),
    ),
  );
  http.bind(operations.streamEvents, async (call) => {
    if (call.raw.method === 'HEAD') return streamHead;
    const after = positionOf(call.raw.headers['last-event-id']) ?? call.query.after;
    return { status: 200, headers: streamHeaders, body: await realtime.openFeed(callerOf(call), after) };
  });

  const { typing } = realtime;
  http.bind(operations.typeMessage, ({ principal, params }) => typing.typeMessage(principal, params.id));
  http.bind(operations.typePost, ({ principal, params }) => typing.typePost(principal, params.id));
  http.bind(operations.typeFileComment, ({ principal, params }) =>
    typing.typeFileComment(principal, params.id),
  );
  http.bind(operations.typePostComment, ({ principal, params }) =>
    typing.typePostComment(principal, params.id),
  );
  http.bind(operations.typeConversation, ({ principal, params }) =>
    typing.typeConversation(principal, params.id),
  );
}

function callerOf({ principal, raw }: Call): Caller {
  const onBehalfOf = raw.headers['x-confab-user'];
  return {
    principal,
    authorization: authorizationOf(raw.raw, { takesTokenInQuery: true }),
    onBehalfOf: Array.isArray(onBehalfOf) ? onBehalfOf[0] : onBehalfOf,
  };
}

/** A position that a client sends back; what cannot be one counts as none. */
function positionOf(header: string | string[] | undefined): number | undefined {
  if (header === '0') return 0;
  return typeof header === 'string' ? parseId(header) : undefined;
}
