import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { systemClock } from 'confab-server/src/kernel/clock.ts';
import { Disk } from 'confab-testing/disk/disk.ts';
import { shimEnvironment } from 'confab-testing/disk/shim.ts';
import { type Answer, Client } from 'confab-testing/harness/client.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { freshTally, Model, type Operation, type Violation } from 'confab-testing/harness/model.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { startReceiver } from 'confab-testing/harness/receiver.ts';
import { factsOf } from '../crash/facts.ts';
import { buildWorld, clientCount, type World } from '../crash/world.ts';
import { WriteMix } from '../crash/write-mix.ts';
import type { PostgresHome } from './postgres.ts';

/** A request, with the sizes of the log of the disk before it was sent and after its answer had come. */
export type Entry = {
  readonly operation: Operation;
  readonly sentAt: number;
  answeredAt: number;
  answer: Answer | undefined;
};

/**
 * What 16 clients wrote through one server, and every change that the programs made of the disk for it. A size of the
 * log stands for a moment: the changes before it had happened by then, and so had the requests whose answer had come
 * when the log was that long or shorter.
 */
export type Recording = {
  /** The log of the changes of the disk. */
  readonly log: string;
  /** The disk before the first change. */
  readonly disk: Disk;
  readonly world: World;
  /** The moment from which the world is complete. */
  readonly beganAt: number;
  /** When it ended. */
  readonly endedAt: UnixMs;
  readonly entries: readonly Entry[];
  /** The answers that were already wrong without a cut. */
  readonly violations: readonly Violation[];
};

/** The parameters of a recording. */
export type RecordingOptions = {
  readonly seed: number;
  /** The folder of the recording. What is recorded is its folder `disk`, where the server has its data in `data`. */
  readonly folder: string;
  readonly shim: string;
  /** How many requests the clients send after the world is complete. */
  readonly requests: number;
  /** The bug planted in the server. */
  readonly bug?: string | undefined;
  /** Starts the engine that has its data in the folder `postgres` of the recorded one, for a server on PostgreSQL. */
  readonly postgres?: PostgresHome | undefined;
};

const patienceMs = 60_000;

/** Records a server from its first start to its end. */
export async function record(options: RecordingOptions): Promise<Recording> {
  const { folder, bug, seed, postgres } = options;
  const root = join(folder, 'disk');
  const log = join(folder, 'disk.log');
  mkdirSync(root, { recursive: true });
  // Whoever runs PostgreSQL writes it too.
  writeFileSync(log, '');
  chmodSync(log, 0o666);
  postgres?.create(join(root, 'postgres'));
  // PostgreSQL syncs the files of its tables and not the folders in which it creates them.
  const disk = new Disk(root, { keepsNames: postgres !== undefined });
  const shim = shimEnvironment(options.shim, { root, log });
  const engine = await postgres?.start(join(root, 'postgres'), shim);
  using receiver = await startReceiver();
  await using server = await startConfab({
    folder,
    plant: bug,
    settings: {
      CONFAB_DATA_DIR: join(root, 'data'),
      CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
      CONFAB_LOG_LEVEL: 'warn',
      ...(engine === undefined ? {} : { CONFAB_DATABASE_URL: engine.url }),
      ...shim,
    },
  });
  try {
    const moment = () => statSync(log).size;
    const client = new Client(server, { connections: clientCount, patienceMs });
    const model = new Model(factsOf, freshTally());
    const world = await buildWorld(client, model, { key: server.key, receiverUrl: receiver.url });
    const beganAt = moment();
    const random = seededRandom(seed);
    const mixes = world.writers.map(
      (writer) => new WriteMix(model, world, writer, seededRandom(random.integer(0, 2 ** 31))),
    );
    const entries = await write(options.requests, { client, model, mixes, moment });
    await client.close();
    await server.stop();
    await engine?.stop({ isClean: true });
    const endedAt = systemClock.now();
    return { log, disk, world, beganAt, endedAt, entries, violations: model.violations };
  } finally {
    await server.kill();
    await engine?.stop();
  }
}

async function write(
  requests: number,
  run: { client: Client; model: Model; mixes: readonly WriteMix[]; moment: () => number },
): Promise<Entry[]> {
  const { client, model, mixes, moment } = run;
  const entries: Entry[] = [];
  const writing = mixes.map(async (mix) => {
    while (entries.length < requests) {
      const operation = mix.next();
      if (operation === undefined) continue;
      const entry: Entry = {
        operation,
        sentAt: moment(),
        answeredAt: Number.POSITIVE_INFINITY,
        answer: undefined,
      };
      entries.push(entry);
      const send: Client['send'] = async (...request) => {
        entry.answer = await client.send(...request);
        entry.answeredAt = moment();
        return entry.answer;
      };
      if (!(await model.perform({ send }, operation))) return;
    }
  });
  await Promise.all(writing);
  return entries;
}
