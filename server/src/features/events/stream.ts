import type { Readable } from 'node:stream';
import { eventOperations } from 'confab-contract/events.ts';
import { parseId } from 'confab-contract/values/ids.ts';
import { type Call, handler } from '../../binding/handler.ts';

type Opening = Pick<Call<typeof eventOperations.streamEvents>, 'caller' | 'raw'>;

/** The part of the server that sends the log as it grows. */
export type EventStreams = {
  readonly eventStreams: {
    /** The headers of a streamed response. */
    readonly headers: { readonly [name: string]: string };
    /**
     * Opens a stream that begins after a position, or with the next event; throws `too_many_connections` and
     * `position_gone`.
     */
    open(opening: Opening, after: number | undefined): Promise<Readable>;
  };
};

/** The log of changes as it grows. A HEAD request opens no stream, because a stream has no end. */
export const streamEvents = handler(
  eventOperations.streamEvents,
  async (call, { eventStreams }: EventStreams) => {
    const { headers } = eventStreams;
    if (call.raw.method === 'HEAD') return { status: 200, headers, body: '' };
    const after = readPosition(call.raw.headers['last-event-id']) ?? call.query.after;
    return { status: 200, headers, body: await eventStreams.open(call, after) };
  },
);

/** The position in a Last-Event-ID header; undefined for anything that cannot be one. */
function readPosition(header: string | string[] | undefined): number | undefined {
  if (header === '0') return 0;
  return typeof header === 'string' ? parseId(header) : undefined;
}
