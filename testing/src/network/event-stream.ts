import { checkAnswer } from '../contract-check.ts';
import { blocksOf } from '../harness/event-stream.ts';
import { poll } from '../poll.ts';
import type { TestServer } from '../server.ts';

/** A reader of server-sent events that records what it receives. */
export type EventReader = {
  readonly status: number;
  readonly events: any[];
  readonly state: { ended: boolean };
  /** Waits for a matching event. */
  waitFor(fits: (event: any) => boolean): Promise<any>;
  close(): Promise<void>;
};

/** Opens the stream of events. */
export async function readEvents(
  server: TestServer,
  { as = server.key, path = '/api/events/stream', last }: { as?: string; path?: string; last?: string } = {},
): Promise<EventReader> {
  const stopping = new AbortController();
  const response = await fetch(server.url + path, {
    headers: { authorization: `Bearer ${as}`, ...(last === undefined ? {} : { 'last-event-id': last }) },
    signal: stopping.signal,
  });
  const isOpen = response.status === 200;
  checkAnswer(
    { method: 'GET', path },
    {
      status: response.status,
      headers: response.headers,
      body: isOpen ? '' : await response.json(),
    },
  );
  const events: unknown[] = [];
  const state = { ended: false };
  const reading = (isOpen ? read(response, events) : Promise.resolve()).then(
    () => {
      state.ended = true;
    },
    () => {
      state.ended = true;
    },
  );
  return {
    status: response.status,
    events,
    state,
    waitFor: (fits) => poll('an event of the stream', () => events.find(fits)),
    async close() {
      stopping.abort();
      await reading;
    },
  };
}

async function read({ body }: Response, events: unknown[]): Promise<void> {
  if (body === null) return;
  for await (const block of blocksOf(body)) {
    const [id, data] = [/^id: (.+)$/m.exec(block)?.[1], /^data: (.+)$/m.exec(block)?.[1]];
    if (data === undefined) continue;
    const event = JSON.parse(data);
    if (String(event.position) !== id) throw new Error(`the event ${event.position} came as ${id}`);
    events.push(event);
  }
}
