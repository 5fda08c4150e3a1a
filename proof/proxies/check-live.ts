import assert from 'node:assert/strict';
import { openEventStream, type StreamedEvent } from 'confab-testing/harness/event-stream.ts';
import { quantile } from 'confab-testing/harness/figures.ts';
import { samplesOf } from 'confab-testing/metrics.ts';
import { type Carrier, connectLive } from 'confab-testing/network/live.ts';
import { poll } from 'confab-testing/poll.ts';
import type { World } from './world.ts';

/** Checks of live connections: what they carry is passed on at once, and they end when their client is gone. */

/** How many events each connection is timed with. */
const samples = 20;
/** A proxy that buffers passes an event on with the next one, or after its own timeout, not within this time. */
const msMax = 1000;

/** The longest way of an event that counts as passed on at once: from the response to its comment. Returns the figures. */
async function timeEvents(world: World, hasCome: (commentId: number) => boolean): Promise<string> {
  const waits: number[] = [];
  for (let n = 0; n < samples; n += 1) {
    // Not through the proxy, so that only the event passes it.
    const id = await world.direct.create(`/api/apps/${world.appId}/comments`, { text: `event ${n}` });
    const answeredAt = performance.now();
    await poll(`the event of comment ${id}`, () => (hasCome(id) ? true : undefined), 20_000);
    waits.push(performance.now() - answeredAt);
  }
  const [middle, most] = [quantile(waits, 0.5), quantile(waits, 1)];
  assert.ok(most < msMax, `an event took ${most.toFixed(0)} ms`);
  return `${middle.toFixed(0)}, most ${most.toFixed(0)} ms`;
}

/** A live connection of one transport, through the client library. */
export async function checkHub(world: World, carrier: Carrier): Promise<string> {
  const channel = `a${world.appId}:comment_created`;
  const figures: string[] = [];
  for (const version of ['7', '10'] as const) {
    const live = await connectLive(world.proxy, world.tokens[0], { carrier, version });
    await live.subscribe(channel);
    const ids = () => new Set(live.received.map(([, event]) => event.comment?.id));
    figures.push(await timeEvents(world, (id) => ids().has(id)));
    await live.stop();
  }
  return figures.at(-1) ?? '';
}

/** A reader of the stream of events that notes the comments it has, in order. */
export type StreamReader = { readonly commentIds: readonly number[]; close(): Promise<void> };

/** Opens the stream of events. Rejects unless it opens. */
export async function readStream(url: string, credential: string): Promise<StreamReader> {
  const stopping = new AbortController();
  const stream = await openEventStream({ url, credential, signal: stopping.signal });
  const commentIds: number[] = [];
  async function read(): Promise<void> {
    for await (const event of stream) commentIds.push(...createdComments(event));
  }
  const ended = read().catch(() => undefined);
  return {
    commentIds,
    async close() {
      stopping.abort();
      await ended;
    },
  };
}

/** The id of the comment whose creation an event reports; empty for any other event. */
export function createdComments({ data }: StreamedEvent): number[] {
  const event = JSON.parse(data);
  return event.action === 'comment_created' ? [event.comment.id] : [];
}

/** The stream of events. */
export async function checkStream(world: World): Promise<string> {
  const reader = await readStream(world.proxy.url, world.tokens[0]);
  const figure = await timeEvents(world, (id) => reader.commentIds.includes(id));
  await reader.close();
  return figure;
}

/** A client that goes away without a word ends its connection to Confab as well. */
export async function checkGone(world: World): Promise<string> {
  const openNow = async () => {
    const all = await samplesOf(world.server);
    return [...all].reduce(
      (sum, [name, value]) => sum + (name.startsWith('confab_live_connections') ? value : 0),
      0,
    );
  };
  const settled = (what: string, count: number) =>
    poll(what, async () => ((await openNow()) === count ? true : undefined), 30_000);
  await settled('earlier connections to end', 0);
  const readers = await Promise.all(
    Array.from({ length: 20 }, () => readStream(world.proxy.url, world.tokens[1])),
  );
  await settled('the streams', readers.length);
  const begun = performance.now();
  await Promise.all(readers.map((reader) => reader.close()));
  await settled('the end of the streams', 0);
  return `after ${((performance.now() - begun) / 1000).toFixed(1)} s`;
}
