import { eventOperations } from 'confab-contract/events.ts';
import type { ReadableApp } from '../../access/access.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { LiveBody } from '../../kernel/live-body.ts';

type Opening = Pick<Call<typeof eventOperations.watchApp>, 'caller' | 'raw' | 'query'> & {
  readonly on: ReadableApp;
};

/** The part of the server that says that apps have changed. */
export type AppWatches = {
  readonly appWatches: {
    /** The headers of a streamed response. */
    readonly headers: { readonly [name: string]: string };
    /** Opens a watch; throws `too_many_connections`. */
    open(opening: Opening): Promise<LiveBody>;
  };
};

/** Says that an app has changed. A HEAD request opens no stream, because a stream has no end. */
export const watchApp = handler(eventOperations.watchApp, async (call, { appWatches }: AppWatches) => {
  const isVisitor = call.caller.kind === 'visitor';
  const open = {
    // It says nothing that needs a credential.
    ...(isVisitor ? { 'access-control-allow-origin': '*' } : {}),
  };
  const { on } = call;
  // Clients take 204 as the end: they do not connect again by themselves (HTML, 9.2.3 "Processing model").
  if (on === undefined) return { status: 204, headers: { ...open, 'cache-control': 'no-store' } };
  const body = call.raw.method === 'HEAD' ? '' : await appWatches.open({ ...call, on });
  return { status: 200, headers: { ...appWatches.headers, ...open }, body };
});
