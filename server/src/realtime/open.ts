import { realtimeOperations } from 'confab-contract/realtime.ts';
import { handler } from '../binding/handler.ts';
import { liveCaller } from './caller.ts';
import type { LiveParts } from './realtime.ts';
import { streamHeaders } from './server-sent.ts';

const textHeaders = { 'content-type': 'text/plain; charset=utf-8' };

/** Opens a live connection over server-sent events, or polls one. A HEAD request opens nothing. */
export const openConnection = handler(
  realtimeOperations.openConnection,
  async (call, { realtime }: LiveParts) => {
    const { raw, query } = call;
    const isStream = raw.headers.accept?.includes('text/event-stream') === true;
    const headers = isStream ? streamHeaders : textHeaders;
    if (raw.method === 'HEAD') return { status: 200, headers, body: '' };
    const caller = liveCaller(call);
    if (isStream) return { status: 200, headers, body: await realtime.openStream(caller, query.id) };
    const poll = await realtime.poll(caller, query.id);
    return poll.kind === 'gone' ? { status: 204 } : { status: 200, headers, body: poll.bytes };
  },
);
