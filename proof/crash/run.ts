import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'confab-testing/harness/client.ts';
import { type ConfabProcess, freshKey, startConfab } from 'confab-testing/harness/confab-process.ts';
import {
  freshTally,
  isSame,
  Model,
  type Tally,
  type Tracked,
  type Violation,
} from 'confab-testing/harness/model.ts';
import { type Random, seededRandom } from 'confab-testing/harness/random.ts';
import { Ledger, startReceiver, take } from 'confab-testing/harness/receiver.ts';
import { factsOf } from './facts.ts';
import { settle } from './settle.ts';
import { StoreCheck } from './store-check.ts';
import { buildWorld, clientCount } from './world.ts';
import { WriteMix } from './write-mix.ts';

/** The parameters of a run. */
export type RunOptions = {
  readonly seed: number;
  readonly cycles: number;
  /** The number of cycles before the next data folder begins. */
  readonly cyclesPerFolder: number;
  readonly folder: string;
  /** The bug planted in the server. */
  readonly bug?: string;
  /** Called after each cycle. */
  readonly onCycle?: (result: RunResult) => void;
};

/** The findings of a run, which ends with the first cycle that finds a violation. */
export type RunResult = Tally & {
  cycles: number;
  deliveries: number;
  readonly readyMs: number[];
  violations: readonly Violation[];
};

/** How long a client waits for a response. */
const patienceMs = 20_000;
const killMs = { from: 50, to: 1500 };

/** Repeats a cycle: write, kill, restart, check. */
export async function runCycles(options: RunOptions): Promise<RunResult> {
  const random = seededRandom(options.seed);
  const result: RunResult = { ...freshTally(), cycles: 0, deliveries: 0, readyMs: [], violations: [] };
  for (let part = 1; result.cycles < options.cycles && result.violations.length === 0; part += 1) {
    const folder = join(options.folder, `folder-${part}`);
    await runFolder(folder, options, random, result);
    if (result.violations.length === 0) rmSync(folder, { recursive: true });
  }
  return result;
}

/** The cycles of one data folder, and at their end the deliveries. */
async function runFolder(
  folder: string,
  options: RunOptions,
  random: Random,
  result: RunResult,
): Promise<void> {
  const ledger = new Ledger();
  using receiver = await startReceiver((response, arrival) => {
    ledger.note(arrival);
    take(response);
  });
  const model = new Model(factsOf, result);
  const key = freshKey();
  const settings = { CONFAB_EGRESS_ALLOW: '127.0.0.0/8', CONFAB_LOG_LEVEL: 'warn' };
  const start = async () => await startConfab({ folder, key, plant: options.bug, settings });
  let server = await start();
  try {
    let client = new Client(server, { connections: clientCount, patienceMs });
    const world = await buildWorld(client, model, { key, receiverUrl: receiver.url });
    const check = new StoreCheck(folder, model, world);
    await settle(model, check.look(), client);
    const mixes = world.writers.map(
      (writer) => new WriteMix(model, world, writer, seededRandom(random.integer(0, 2 ** 31))),
    );
    for (let cycle = 0; cycle < options.cyclesPerFolder && result.cycles < options.cycles; cycle += 1) {
      await writeUntilKilled(server, client, { model, mixes, random });
      server = await start();
      result.readyMs.push(server.readyMs);
      client = new Client(server, { connections: clientCount, patienceMs });
      // If both states look alike, the required result of repeating the request is unknown.
      const open = model
        .touched()
        .filter(({ possible: [one, other] }) => other && !isSame(one?.facts, other.facts));
      await settle(model, check.look(), client);
      await repeatRequests(open, client, { model, mixes });
      result.cycles += 1;
      result.violations = model.violations;
      options.onCycle?.(result);
      if (model.violations.length > 0) return;
    }
    await check.untilDelivered(ledger);
    result.deliveries += receiver.received();
    await client.close();
    await server.stop();
    result.violations = model.violations;
  } finally {
    await server.kill();
  }
}

/** Lets every client write until the server is killed in the middle of it. */
async function writeUntilKilled(
  server: ConfabProcess,
  client: Client,
  run: { model: Model; mixes: readonly WriteMix[]; random: Random },
): Promise<void> {
  let isKilled = false;
  const clients = run.mixes.map(async (mix) => {
    while (!isKilled) {
      const operation = mix.next();
      if (operation !== undefined && !(await run.model.perform(client, operation))) return;
    }
  });
  await pause(run.random.integer(killMs.from, killMs.to));
  isKilled = true;
  await server.kill();
  await Promise.all(clients);
  await client.close();
}

/** A PUT, or a request with a key, can be repeated when it got no response: it makes the change unless it was made. */
async function repeatRequests(
  open: readonly Tracked[],
  client: Client,
  run: { model: Model; mixes: readonly WriteMix[] },
): Promise<void> {
  const repeats = run.mixes.flatMap((mix) => mix.repeatable(open));
  for (const operation of repeats) await run.model.perform(client, operation);
}
