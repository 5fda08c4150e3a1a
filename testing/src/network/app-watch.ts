import { after } from 'node:test';
import { checkAnswer } from '../contract-check.ts';
import { blocksOf } from '../harness/event-stream.ts';
import { poll } from '../poll.ts';
import type { TestServer } from '../server.ts';

/** A client that watches an app. */
export type AppWatch = {
  readonly status: number;
  readonly headers: Headers;
  /** The body of a refusal. */
  readonly body: any;
  /** When each message that something has changed came. */
  readonly messages: readonly number[];
  /** Within which time, in milliseconds, each of these lets its readers read; undefined for at once. */
  readonly withins: readonly (number | undefined)[];
  /** The users whom each message named who says who is writing. */
  readonly writers: readonly (readonly { readonly id: number; readonly display_name: string }[])[];
  /** How many people were present, by each message that says it. */
  readonly counts: readonly number[];
  readonly state: { ended: boolean };
  /** Waits for a message after those that came before. */
  next(what: string): Promise<void>;
  /** Waits until the server has ended the stream. */
  ended(): Promise<void>;
  close(): Promise<void>;
};

const open = new Set<AppWatch>();
after(async () => {
  for (const watch of open) await watch.close();
});

/** Watches an app, without a credential unless `as` is one, and as a person who is present where `query` says so. It is closed after the tests of the file. */
export async function watchApp(
  server: Pick<TestServer, 'url'>,
  app: number | string,
  { as, headers = {}, query = '' }: { as?: string; headers?: Record<string, string>; query?: string } = {},
): Promise<AppWatch> {
  const stopping = new AbortController();
  const path = `/api/apps/${app}/changes`;
  const response = await fetch(server.url + path + query, {
    headers: { ...headers, ...(as === undefined ? {} : { authorization: `Bearer ${as}` }) },
    signal: stopping.signal,
  });
  const { status } = response;
  const body = status === 200 ? '' : await response.json();
  checkAnswer({ method: 'GET', path }, { status, headers: response.headers, body });
  const messages: number[] = [];
  const withins: (number | undefined)[] = [];
  const writers: AppWatch['writers'][number][] = [];
  const counts: number[] = [];
  const state = { ended: false };
  const finish = () => {
    state.ended = true;
  };
  const reading = (
    status === 200 ? read(response, { messages, withins, writers, counts }) : Promise.resolve()
  ).then(finish, finish);
  let seen = 0;
  const watch: AppWatch = {
    status,
    headers: response.headers,
    body,
    messages,
    withins,
    writers,
    counts,
    state,
    async next(what) {
      await poll(`a message that says: ${what}`, () => (messages.length > seen ? true : undefined));
      seen = messages.length;
    },
    async ended() {
      await poll('the end of the stream', () => (state.ended ? true : undefined));
    },
    async close() {
      open.delete(watch);
      stopping.abort();
      await reading;
    },
  };
  open.add(watch);
  return watch;
}

async function read(
  { body }: Response,
  {
    messages,
    withins,
    writers,
    counts,
  }: {
    messages: number[];
    withins: (number | undefined)[];
    writers: AppWatch['writers'][number][];
    counts: number[];
  },
): Promise<void> {
  if (body === null) return;
  for await (const block of blocksOf(body)) {
    if (block === ':') continue;
    const [, presence] = /^event: presence\ndata: (\{"count":[0-9]+\})$/.exec(block) ?? [];
    if (presence !== undefined) {
      counts.push(JSON.parse(presence).count);
      continue;
    }
    const [, typing] = /^event: typing\ndata: (.*)$/.exec(block) ?? [];
    if (typing !== undefined) {
      writers.push(JSON.parse(typing).users);
      continue;
    }
    const [, data] = /^event: changed\ndata: (\{\}|\{"within_ms":[0-9]+\})$/.exec(block) ?? [];
    if (data === undefined) throw new Error(`a watch says: ${block}`);
    withins.push(JSON.parse(data).within_ms);
    messages.push(performance.now());
  }
}
