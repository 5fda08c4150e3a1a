import type { Readable } from 'node:stream';
import { type Call, handler } from '../../binding/handler.ts';
import { eventOperations } from '../../contract/events.ts';

type Opening = Pick<Call<typeof eventOperations.watchApp>, 'caller' | 'raw' | 'on' | 'query'>;

/** The part of the server that says that apps have changed. */
export type AppWatches = {
  readonly appWatches: {
    /** The headers of a streamed response. */
    readonly headers: { readonly [name: string]: string };
    /** Opens a watch; throws `too_many_connections`. */
    open(opening: Opening): Promise<Readable>;
  };
};

/** Says that an app has changed. A HEAD request opens no stream, because a stream has no end. */
export const watchApp = handler(eventOperations.watchApp, async (call, { appWatches }: AppWatches) => {
  const isVisitor = call.caller.kind === 'visitor';
  const headers = {
    ...appWatches.headers,
    // It says nothing that needs a credential.
    ...(isVisitor ? { 'access-control-allow-origin': '*' } : {}),
  };
  const body = call.raw.method === 'HEAD' ? '' : await appWatches.open(call);
  return { status: 200, headers, body };
});
