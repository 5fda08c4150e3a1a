/**
 * What a large store costs: `npx node proof/bench-size.ts`.
 *
 * Makes a store with a million comments in one app and a million over 1,000 others, whose texts have a vocabulary of
 * 30,000 words as frequent as those of a language, with 100,000 users, 10,000 apps, 10,000 files in one app and as many
 * of everything else (`bench/large-store.ts`), and measures three things (`--part` chooses among them):
 *
 * - `lists`: sends every list in every order, with searches, filters, counts and pages far down, one request after the
 *   other. Of each it prints how long the answer took and, from inside the server, how long its event loop was held.
 * - `turns`: sends these and every request of `bench:requests` while 50 connections create comments, and prints how long
 *   the turns of the event loop were and with which requests one was too long.
 * - `neighbours`: asks for lists of a tiny app in this store and in one without anything else, in turns.
 *
 * `--every N` sends one request in N of `turns`, for a machine on which all of them take hours. `--comments N` makes
 * everything smaller, `--store FOLDER` keeps the store and uses it again, `--only TEXT` sends only the requests with that
 * text, `--over MS` prints only those that hold the event loop for longer, `--repeat N` sends each so often.
 * `--engine=postgres` moves the store to PostgreSQL first.
 */

import { cpSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { anySeed, readFlags, temporaryFolder } from 'confab-testing/harness/suite.ts';
import { type LargeWorld, largeStore } from './bench/large-store.ts';
import { measureLists, pathOf } from './bench/list-costs.ts';
import { listRequests } from './bench/list-requests.ts';
import { movedToPostgres } from './bench/moved-store.ts';
import { compareNeighbours } from './bench/neighbours.ts';
import { measureTurns } from './bench/turns.ts';
import { startPages } from './requests/pages.ts';
import { startProbed } from './requests/probed-server.ts';
import { allRows, type Row } from './requests/rows.ts';
import { supplyOf } from './requests/supply.ts';
import { Preparation } from './requests/world.ts';

const flags = readFlags({
  comments: 1_000_000,
  engine: 'sqlite',
  every: 1,
  only: '',
  over: 0,
  part: 'lists,turns,neighbours',
  repeat: 15,
  seed: anySeed,
  store: '',
});

using folder = temporaryFolder('size');
const kept = flags.store === '' ? join(folder.path, 'store') : flags.store;

type Started = Awaited<ReturnType<typeof start>>;

/** Starts a server with a probe on a copy of a store, because some requests change it; on PostgreSQL the store moves there. */
async function start(name: string, store: string) {
  const isMoved = flags.engine === 'postgres';
  const database = isMoved ? await movedToPostgres(join(store, 'data')) : undefined;
  const own = join(folder.path, name);
  if (!isMoved) cpSync(join(store, 'data'), join(own, 'data'), { recursive: true });
  const probePath = join(folder.path, `${name}.probe`);
  const server = await startProbed(probePath, { folder: own, settings: database?.settings ?? {} });
  await using client = new Client(server);
  const [reader, guest] = [await issueToken(client, 'reader'), await issueToken(client, 'guest')];
  const tokens = { key: server.key, reader, guest };
  const probe = connect(probePath);
  const stop = async () => {
    probe.destroy();
    await server.kill();
    await database?.stop();
  };
  return { ...server, probe, tokens, stop };
}

/** The lists as rows, and every request of the interface with everything at its limit. */
async function turnRows(server: Started, world: LargeWorld, pages: Awaited<ReturnType<typeof startPages>>) {
  const lists = listRequests(world).map(
    (request): Row => ({
      name: `${request.list} (${request.caller}): ${request.name}`,
      isRepeatable: true,
      make: async () => ({
        method: 'GET',
        path: (await pathOf(server, request)) ?? request.path,
        headers: { authorization: `Bearer ${server.tokens[request.caller]}` },
      }),
    }),
  );
  const preparation = new Preparation(server);
  const headers = { authorization: `Bearer ${await preparation.token()}` };
  const stock = {
    ...{ world: world.atLimits, supply: supplyOf(preparation, pages), pages },
    ...{ random: seededRandom(flags.seed), headers },
  };
  return [...lists, ...(await allRows(stock))];
}

async function compareTurns(server: Started, world: LargeWorld): Promise<void> {
  using pages = await startPages();
  const rows = await turnRows(server, world, pages);
  const { big, tiny } = world;
  const loaded = { ...server, token: server.tokens.reader, appIds: [big, ...tiny] };
  await measureTurns(
    loaded,
    rows.filter(({ name }, n) => name.includes(flags.only) && (n + flags.seed) % flags.every === 0),
  );
}

async function compareWithAlone(large: Started, world: LargeWorld): Promise<void> {
  const store = join(folder.path, 'alone-store');
  const { tiny } = await largeStore(store, 0);
  const alone = await start('alone', store);
  const neighbour = ({ url, tokens }: Started, app = 0) => ({ url, token: tokens.reader, app });
  try {
    await compareNeighbours(neighbour(alone, tiny[0]), neighbour(large, world.tiny[0]));
  } finally {
    await alone.stop();
  }
}

async function run(): Promise<void> {
  const world = await largeStore(kept, flags.comments);
  const server = await start('large', kept);
  const parts = flags.part.split(',');
  try {
    if (parts.includes('lists')) {
      const requests = listRequests(world).filter(({ list, name }) =>
        `${list}: ${name}`.includes(flags.only),
      );
      await measureLists(server, requests, { times: flags.repeat, overMs: flags.over });
    }
    if (parts.includes('neighbours')) await compareWithAlone(server, world);
    if (parts.includes('turns')) await compareTurns(server, world);
  } finally {
    await server.stop();
  }
}

await run();
