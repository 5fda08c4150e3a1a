import { setTimeout as pause } from 'node:timers/promises';
import type { Node } from './node.ts';

/** A reader of the stream of events at one node, which reconnects whenever it is cut off. */
export type Follower = {
  readonly name: string;
  /** The positions in the order of arrival. */
  readonly positions: readonly number[];
  stop(): Promise<void>;
};

/** Starts to follow from the first event. */
export function follow(node: Node): Follower {
  const positions: number[] = [];
  const stopping = new AbortController();

  async function readOnce(): Promise<void> {
    const { url, key } = node.process;
    const response = await fetch(`${url}/api/events/stream`, {
      headers: { authorization: `Bearer ${key}`, 'last-event-id': String(positions.at(-1) ?? 0) },
      signal: stopping.signal,
    });
    if (response.status !== 200) throw new Error(`the stream answered ${response.status}`);
    let rest = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      rest += decoder.decode(bytes, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        // An id without data is where the stream begins.
        const id = /^id: (\d+)\ndata: /m.exec(block)?.[1];
        if (id !== undefined) positions.push(Number(id));
      }
    }
  }

  async function readOn(): Promise<void> {
    while (!stopping.signal.aborted)
      try {
        await readOnce();
      } catch {
        // The node is away, or the reader is stopping; the loop checks either way.
        await pause(100);
      }
  }

  const reading = readOn();
  return {
    name: node.name,
    positions,
    async stop() {
      stopping.abort();
      await reading;
    },
  };
}
