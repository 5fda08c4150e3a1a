import type { ServerResponse } from 'node:http';
import type { Random } from 'confab-testing/harness/random.ts';
import { type Arrival, guidOf, type Receiver, startReceiver, take } from 'confab-testing/harness/receiver.ts';

/** An attempt that arrived. */
export type Attempt = {
  readonly guid: string;
  readonly attempt: number;
  readonly sequence: number;
  readonly body: string;
  readonly at: number;
  readonly path: string;
  /** Whether the response was a 2xx. */
  readonly isTaken: boolean;
};

/** A receiver that misbehaves at random. */
export type ChaoticReceiver = Receiver & {
  readonly attempts: readonly Attempt[];
  /** Makes it behave from now on. */
  calm(): void;
};

/** Starts one: of twenty requests it refuses four and cuts one off, and occasionally it does not respond. */
export async function startChaoticReceiver(random: Random): Promise<ChaoticReceiver> {
  const attempts: Attempt[] = [];
  let isCalm = false;

  function answer(response: ServerResponse): boolean {
    const chance = isCalm ? 20 : random.integer(1, 20);
    if (chance <= 3) response.writeHead(500).end('not now');
    else if (chance === 4) response.writeHead(429, { 'retry-after': '1' }).end();
    else if (chance === 5) response.destroy();
    // It sends the headers and never the body, until the sender gives up or is killed.
    else if (chance === 6 && random.oneIn(40)) response.writeHead(200).write('.');
    else {
      take(response);
      return true;
    }
    return false;
  }

  const receiver = await startReceiver((response, arrival: Arrival) => {
    const { headers, path, at } = arrival;
    attempts.push({
      guid: guidOf(arrival),
      attempt: Number(headers['x-weavy-attempt']),
      sequence: Number(headers['x-weavy-sequence']),
      body: arrival.body.toString(),
      at,
      path,
      isTaken: answer(response),
    });
  });
  return {
    ...receiver,
    attempts,
    calm() {
      isCalm = true;
    },
  };
}
