import { setTimeout as pause } from 'node:timers/promises';

/** An event as the stream has it: its position and its JSON. */
export type StreamedEvent = { readonly position: number; readonly data: string };

/** Where a stream is read, with which credential, and after which position. */
export type StreamOptions = {
  readonly url: string;
  readonly credential: string;
  readonly after?: number | undefined;
  /** Ends the reading, which then rejects. */
  readonly signal: AbortSignal;
};

/** Opens the stream of events of a server. Throws unless it opens; the events follow until the stream ends or breaks. */
export async function openEventStream({
  url,
  credential,
  after,
  signal,
}: StreamOptions): Promise<AsyncIterable<StreamedEvent>> {
  const last = after === undefined ? {} : { 'last-event-id': String(after) };
  const response = await fetch(`${url}/api/events/stream`, {
    headers: { authorization: `Bearer ${credential}`, ...last },
    signal,
  });
  if (response.status !== 200 || response.body === null)
    throw new Error(`the stream answered ${response.status}`);
  return eventsOf(response.body);
}

/** The blocks of lines of server-sent events, as they come. */
export async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, void> {
  for await (const block of blocksOf(body)) {
    // An id without data is where the stream begins. A line of data may have characters that end a line elsewhere.
    const [id, data] = block.split('\n');
    if (id?.startsWith('id: ') === true && data?.startsWith('data: ') === true)
      yield { position: Number(id.slice(4)), data: data.slice(6) };
  }
}

/** A reader of the stream of events that opens it again after its last event whenever it is cut off. */
export type Follower = { stop(): Promise<void> };

/** Follows the events from the first one. `source` is read anew for each connection. */
export function follow(
  source: () => { readonly url: string; readonly credential: string },
  onEvent: (event: StreamedEvent) => void,
): Follower {
  const stopping = new AbortController();
  const { signal } = stopping;
  let after = 0;
  async function readOn(): Promise<void> {
    while (!signal.aborted)
      try {
        for await (const event of await openEventStream({ ...source(), after, signal })) {
          onEvent(event);
          after = event.position;
        }
      } catch {
        // The server is away, or the reader is stopping; the loop checks either way.
        await pause(100);
      }
  }
  const reading = readOn();
  return {
    async stop() {
      stopping.abort();
      await reading;
    },
  };
}
