import { setTimeout as pause } from 'node:timers/promises';
import { freshTally, Model, type Violation } from 'confab-testing/harness/model.ts';
import { type Random, seededRandom } from 'confab-testing/harness/random.ts';
import { guidOf, Ledger, startReceiver, take } from 'confab-testing/harness/receiver.ts';
import { Check } from '../nodes/chaos-check.ts';
import { buildWorld, type World } from '../nodes/chaos-world.ts';
import { factsOf } from '../nodes/load.ts';
import { checkLeases, checkNoFork, checkServersAgree } from './checks.ts';
import { Attempts, PatientClient, readWhile, type Seen } from './clients.ts';
import type { Strike } from './faults.ts';
import { followAll, type Stream, watchApp } from './live.ts';
import type { Mistakes } from './machines.ts';
import { type Installation, startInstallation } from './world.ts';

/** The parameters of a turn of kinds on one installation. */
export type TurnOptions = {
  readonly folder: string;
  /** The third number of its addresses. */
  readonly net: number;
  readonly seed: number;
  /** The failovers, each with its name. */
  readonly strikes: readonly (readonly [kind: string, strike: Strike])[];
  readonly mistakes?: Mistakes;
  /** Whether there is time for another failover. */
  readonly hasTime: () => boolean;
  readonly onRound: (round: Round) => void;
};

/** What was found in one failover. */
export type Round = Seen & {
  readonly kind: string;
  readonly acknowledged: number;
  /** The longest that a writer waited for the success of one request, with all that it sent again, in milliseconds. */
  readonly slowestMs: number;
  /** The longest time without an event on a stream, in milliseconds. */
  readonly streamAwayMs: number;
  readonly reconnects: number;
  /** Deliveries, and how many requests repeated one that had arrived. */
  readonly delivered: number;
  readonly repeated: number;
  readonly healthyMs: number;
  readonly violations: readonly Violation[];
};

/** How many clients only read. */
const readers = 4;
/** How long each client waits between two requests, in milliseconds. */
const paceMs = 100;
/** How long the load runs before a failover and after everything is healthy again, in milliseconds. */
const calmMs = 1500;

/** Everything that runs during a turn. */
type Ground = {
  readonly installation: Installation;
  readonly model: Model;
  readonly attempts: Attempts;
  readonly world: World;
  readonly random: Random;
  readonly client: (n: number) => PatientClient;
  readonly key: string;
};

/** Builds an installation and lets one failover follow the other under load. Ends after a violation. */
export async function runTurn(options: TurnOptions): Promise<void> {
  const random = seededRandom(options.seed);
  const model = new Model(factsOf, freshTally());
  const attempts = new Attempts();
  const ledger = new Ledger();
  const guids = new Map<string, number>();
  using receiver = await startReceiver((response, arrival) => {
    ledger.note(arrival);
    guids.set(guidOf(arrival), (guids.get(guidOf(arrival)) ?? 0) + 1);
    take(response);
  });
  await using stack = new AsyncDisposableStack();
  const installation = stack.use(await startInstallation(options));
  const { databases, nodes, url, key } = installation;
  const clients = new Map<number, PatientClient>();
  const client = (n: number) => {
    const known =
      clients.get(n) ??
      stack.use(new PatientClient(url, `127.1.${n}.1`, { key, attempts, paceMs: n === 0 ? 0 : paceMs }));
    clients.set(n, known);
    return known;
  };
  const world = await buildWorld(client(0), { model, receiverUrl: receiver.url, random });
  const streams = [followAll(url, key), followAll(url, key)];
  stack.defer(async () => void (await Promise.all(streams.map((stream) => stream.stop()))));
  const token = String((await client(0).must('POST', '/api/users/reader-0/tokens', {}))['access_token']);
  const live = await watchApp(url, token, world.sharedAppId);
  stack.defer(() => live.stop());
  const check = new Check({
    cluster: databases,
    nodes: nodes.map(({ node }) => node),
    model,
    world,
    ledger,
    followers: streams,
  });
  const ground = { installation, model, attempts, world, random, client, key: token };
  for (const [kind, strike] of options.strikes) {
    if (!options.hasTime() || model.violations.length > 0) return;
    const before = {
      ...model.tally,
      sent: receiver.received(),
      guids: guids.size,
      reconnects: live.state.reconnects,
    };
    model.tally.slowestMs = 0;
    const found = await strikeUnderLoad(ground, strike, streams);
    await check.look();
    await checkServersAgree(databases, model);
    await checkNoFork(databases, model, streams);
    await checkLeases(databases, model);
    for (const text of attempts.wrong) model.violate('answer', text);
    const delivered = guids.size - before.guids;
    options.onRound({
      kind,
      ...found,
      acknowledged: model.tally.acknowledged - before.acknowledged,
      slowestMs: model.tally.slowestMs,
      reconnects: live.state.reconnects - before.reconnects,
      delivered,
      repeated: receiver.received() - before.sent - delivered,
      violations: model.violations,
    });
  }
}

/** Lets all clients write and read during a failover, and until everything is healthy again. */
async function strikeUnderLoad(
  { installation, model, attempts, world, random, client, key }: Ground,
  strike: Strike,
  streams: readonly Stream[],
): Promise<Seen & { healthyMs: number; streamAwayMs: number }> {
  let isDone = false;
  const done = () => isDone;
  const writing = world.writers.map((writer, n) => writer.write([client(n + 1)], done));
  const newest = () => world.writers.flatMap(({ made }) => made.slice(-10));
  const reading = Array.from({ length: readers }, (_, n) =>
    readWhile(client(100 + n), { model, random, token: key, comments: newest, isDone: done }),
  );
  const ticking = (async () => {
    while (!isDone) {
      await client(200).send('PATCH', `/api/apps/${world.tickerAppId}`, {
        name: `tick ${performance.now()}`,
      });
      await pause(400);
    }
  })();
  try {
    await pause(calmMs);
    attempts.take();
    for (const stream of streams) stream.awayMs();
    const startedAt = performance.now();
    await strike(installation, random);
    await installation.untilHealthy();
    const healthyMs = performance.now() - startedAt;
    await pause(calmMs);
    const streamAwayMs = Math.max(...streams.map((stream) => stream.awayMs()));
    return { ...attempts.take(), healthyMs, streamAwayMs };
  } finally {
    isDone = true;
    await Promise.all([...writing, ...reading, ticking]);
  }
}
