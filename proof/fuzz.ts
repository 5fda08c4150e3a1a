/**
 * Sends random valid and invalid requests: `npx node proof/fuzz.ts`.
 *
 * The valid ones are those of `test:differential`, drawn from the contract about things that exist. With each of them go
 * up to five copies with one to three faults, at the same time: odd parts of the path, odd queries and headers, other
 * methods, damaged bodies. No response may be a 5xx, except that of a second export of a user at once (503 `too_busy`), each must be one that the contract declares, and no refusal may show
 * the insides of the program. Nothing may be logged as an error, and the server must be ready at the end.
 *
 * One of `--second` drawn requests asks for the second form, 4 by default and 0 for none. `--requests` and `--seed` change the run, `--engine` names the engines. Planted mistakes must be found; `--plant none`
 * leaves them out. The seed draws every request; which copy is answered first also depends on the machine.
 *
 * Exits with 1 after a fault, and prints the request.
 */

import { Run } from 'confab-testing/differential/run.ts';
import type { Sent } from 'confab-testing/fuzz/mutations.ts';
import { type Engine, type Fault, startTarget, type Tally } from 'confab-testing/fuzz/target.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { type Wrapping, wrapStore } from 'confab-testing/harness/store-wrapper.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';

const { seed, requests, engine, plant, second } = readFlags({
  seed: anySeed,
  requests: 20_000,
  engine: 'sqlite,postgres',
  plant: '',
  second: 4,
});
const suite = new Suite('fuzz');
/** How many requests a planted mistake has to show itself. */
const plantedRequestsMax = 10_000;
/** With this many faults a run ends. */
const faultsMax = 10;
/** How many requests are drawn between two looks at the tally. */
const drawnAtOnce = 50;

const plants: { readonly [name: string]: Wrapping } = {
  // A statement fails for a value that clients may send.
  'fails-for-1000': {
    read: (read) => ({
      get: (query, parameters) => read.get(query, parameters),
      async all(query, parameters) {
        if (Object.values(parameters as object).includes(1000)) throw new TypeError('planted');
        return await read.all(query, parameters);
      },
    }),
  },
  // A property has a type that the contract does not declare.
  'names-are-numbers': {
    read: (read) => ({
      get: (query, parameters) => read.get(query, parameters),
      async all(query, parameters) {
        const rows = await read.all(query, parameters);
        return rows.map((row) =>
          typeof row === 'object' && row !== null && 'name' in row && typeof row.name === 'string'
            ? { ...row, name: 5 }
            : row,
        );
      },
    }),
  },
};

function textOf({ method, path, headers, body }: Sent): string {
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value.slice(0, 100)}`);
  return `${method} ${path.slice(0, 600)}\n    ${named.join('\n    ')}\n    ${JSON.stringify(body?.toString().slice(0, 600))}`;
}

function textOfFault({ sent, what }: Fault): string {
  return `${what}\n    ${textOf(sent)}`;
}

/** Sends requests until there are as many as wanted, or too many faults. */
async function fuzz(
  name: Engine,
  { wanted, faultsAtMost, wrapping }: { wanted: number; faultsAtMost: number; wrapping?: Wrapping },
): Promise<Tally> {
  const target = await startTarget({
    engine: name,
    random: seededRandom(seed + 1),
    ...(wrapping === undefined ? {} : { wrapDb: (db) => wrapStore(db, wrapping) }),
  });
  const { servers, tally } = target;
  try {
    const run = new Run(servers, seed, second);
    await run.begin();
    while (tally.requests < wanted && tally.faults.length < faultsAtMost) await run.send(drawnAtOnce);
    const ready = await fetch(`${servers.urls.left}/readyz`);
    if (wrapping === undefined && ready.status !== 200)
      suite.fail(`${name}: the server is not ready at the end: ${await ready.text()}`);
    if (wrapping === undefined && servers.logged.length > 0)
      suite.fail(`${name}: the server logged failures`, servers.logged);
    return tally;
  } finally {
    await servers.stop();
  }
}

function report(name: Engine, tally: Tally): void {
  const statuses = [...tally.byStatus].sort(([a], [b]) => a - b);
  const failed = tally.faults.filter(({ what }) => /^5\d\d:/.test(what)).length;
  console.log(`${name}: requests ${tally.requests}, of them with faults ${tally.mutated}, 5xx ${failed}
  ${statuses.map(([status, count]) => `${status}: ${count}`).join(', ')}`);
  if (tally.faults.length > 0) suite.fail(`${name}: responses are wrong`, tally.faults.map(textOfFault));
}

async function comparePlanted(name: string): Promise<void> {
  const { faults, requests: sent } = await fuzz('sqlite', {
    wanted: plantedRequestsMax,
    faultsAtMost: 1,
    ...(plants[name] === undefined ? {} : { wrapping: plants[name] }),
  });
  const [first] = faults;
  suite.planted(name, first && `by request ${sent}: ${first.what.slice(0, 120)}`);
}

console.log(`seed ${seed}: ${requests} requests on ${engine}`);
const engines = engine.split(',').map((name) => {
  if (name !== 'sqlite' && name !== 'postgres') throw new RangeError('--engine is sqlite or postgres');
  return [
    name,
    async () => report(name, await fuzz(name, { wanted: requests, faultsAtMost: faultsMax })),
  ] as const;
});
const planted = Object.keys(plants).map((name) => [name, () => comparePlanted(name)] as const);
const only = { '': '', none: engine }[plant] ?? plant;
await suite.run(Object.fromEntries([...engines, ...planted]), only);
