import { type Follower, follow } from 'confab-testing/harness/event-stream.ts';
import { connectLive, type Live } from 'confab-testing/network/live.ts';

/** A reader of the stream of events, behind the balancer. */
export type Stream = Follower & {
  readonly name: string;
  readonly positions: number[];
  /** What each position said: the action and the id of its subject. */
  readonly told: Map<number, string>;
  /** The longest time without an event since the last call, in milliseconds. */
  awayMs(): number;
};

/** Follows all events from the first one. */
export function followAll(url: string, credential: string): Stream {
  const positions: number[] = [];
  const told = new Map<number, string>();
  let arrivedAt = performance.now();
  let longestMs = 0;
  const follower = follow(
    () => ({ url, credential }),
    ({ position, data }) => {
      const now = performance.now();
      longestMs = Math.max(longestMs, now - arrivedAt);
      arrivedAt = now;
      positions.push(position);
      told.set(position, (JSON.parse(data) as { action: string }).action);
    },
  );
  return {
    ...follower,
    name: 'behind HAProxy',
    positions,
    told,
    awayMs() {
      const ms = Math.max(longestMs, performance.now() - arrivedAt);
      longestMs = 0;
      arrivedAt = performance.now();
      return ms;
    },
  };
}

/** A page that shows what happens in an app, and subscribes again whenever its connection comes back. */
export async function watchApp(url: string, token: string, appId: number): Promise<Live> {
  const live = await connectLive({ url }, token, { retries: Array(1000).fill(300) });
  await live.subscribe(`a${appId}:comment_created`);
  live.connection.onreconnected(() => {
    // Where the connection is lost again, the next one subscribes.
    live.subscribe(`a${appId}:comment_created`).catch(() => undefined);
  });
  return live;
}
