/**
 * What watching a server costs: `npx node proof/bench-traces.ts`.
 *
 * Starts a server for each way to watch it, all at the same time, and loads one after the other in turns, so that what
 * else the machine does meets all of them. Prints the least processor time of an answered request over the rounds, because
 * other programs only add to it, and how much more it is than without metrics and traces.
 *
 * `--rounds`, `--seconds`, `--warm` and `--connections` change the effort.
 */

import { join } from 'node:path';
import { Client } from 'confab-testing/harness/client.ts';
import { type ConfabProcess, startConfab } from 'confab-testing/harness/confab-process.ts';
import { startReceiver } from 'confab-testing/harness/receiver.ts';
import { readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { type Load, measure } from './bench/measure.ts';
import { createComments, gets } from './bench/rows.ts';

const {
  rounds,
  warm: warmSeconds,
  ...sizes
} = readFlags({ rounds: 9, seconds: 3, warm: 1, connections: 20 });
const suite = new Suite('traces');

/** A collector that takes every trace. Its processor time is that of this process. */
using collector = await startReceiver((response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
);
const endpoint = collector.url;

const ways: readonly (readonly [name: string, settings: { readonly [name: string]: string }])[] = [
  ['neither metrics nor traces', { CONFAB_METRICS: 'off' }],
  ['metrics', {}],
  ['metrics, and traces of one request in twenty', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }],
  [
    'metrics, and traces of all requests',
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: 'always_on' },
  ],
];

const loadNames = ['create a comment', 'get a comment'] as const;

/** A server with an app, and what is sent to it. */
type Watched = {
  readonly name: string;
  readonly server: ConfabProcess;
  readonly loads: { readonly [N in (typeof loadNames)[number]]: Load };
};

async function start([name, settings]: (typeof ways)[number], index: number): Promise<Watched> {
  const server = await startConfab({ folder: join(suite.folder, `${index}`), settings });
  await using client = new Client(server);
  const app = await client.create('/api/apps', { uid: 'bench', type: 'comments', access: 'write' });
  const comment = await client.create(`/api/apps/${app}/comments`, { text: 'first' });
  return {
    name,
    server,
    loads: {
      'create a comment': createComments([app], server.key),
      'get a comment': gets([`/api/comments/${comment}`], server.key),
    },
  };
}

async function compare(): Promise<void> {
  const watched = await Promise.all(ways.map(start));
  const [plain] = watched;
  if (plain === undefined) throw new RangeError('there is a way without metrics and traces');
  for (const load of loadNames) {
    const least = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1)
      for (const { name, server, loads } of watched) {
        const { cpuUs = 0, failed } = await measure(server, { ...sizes, warmSeconds }, loads[load]);
        if (failed > 0) suite.fail(`${failed} requests failed with ${name}`);
        least.set(name, Math.min(cpuUs, least.get(name) ?? cpuUs));
      }
    console.log(`${load}, µs of processor time a request`);
    const base = least.get(plain.name) ?? 0;
    for (const [name, us] of least)
      console.log(
        `  ${name.padEnd(44)} ${us.toFixed(1).padStart(7)}  ${(100 * (us / base - 1)).toFixed(1).padStart(6)} %`,
      );
  }
  for (const { server } of watched) await server.stop();
}

await suite.run({ compare });
