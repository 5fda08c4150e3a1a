/**
 * Measures what rate limits cost: `npx node --expose-gc proof/limits.ts --seed 1`. Processor time of the decision for one request, and
 * the memory that the counts of a million addresses take. `--json FILE` writes the figures there as well.
 */

import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { configFrom } from 'confab-server/src/config/config.ts';
import type { Db } from 'confab-server/src/db/db.ts';
import { createRateLimits } from 'confab-server/src/features/limits/limits.ts';
import { createAddressOf } from 'confab-server/src/http/limits/client-address.ts';
import { systemClock } from 'confab-server/src/kernel/clock.ts';
import {
  addressId,
  defaultRates,
  type RateOutcome,
  rateFieldsOf,
} from 'confab-server/src/kernel/rate-limits.ts';
import { createLog } from 'confab-server/src/setup/store.ts';
import { median } from 'confab-testing/harness/figures.ts';
import { seededRandom } from 'confab-testing/harness/random.ts';
import { anySeed, readFlags } from 'confab-testing/harness/suite.ts';

const { seed, addresses, rounds, json } = readFlags({
  seed: anySeed,
  addresses: 1_000_000,
  rounds: 9,
  json: '',
});
const random = seededRandom(seed);
const requests = 200_000;
const mebibyte = 1024 * 1024;

function freshLimits() {
  const log = createLog(configFrom({ CONFAB_LOG_LEVEL: 'silent' }));
  return createRateLimits({ db: {} as Db, clock: systemClock, log }, defaultRates);
}

/** The median processor time of one call, in microseconds. */
function cpuUs(call: (index: number) => unknown): number {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const begun = process.cpuUsage();
    for (let index = 0; index < requests; index += 1) call(index);
    const { user, system } = process.cpuUsage(begun);
    // The first round warms up.
    if (round > 0) times.push((user + system) / requests);
  }
  return median(times);
}

const limits = freshLimits();
const people = Array.from({ length: 10_000 }, (_, index) => `person ${index}`);
const clients = people.map(() => `203.0.${random.integer(0, 255)}.${random.integer(0, 255)}`);
const proxies = new BlockList();
proxies.addAddress('127.0.0.1');
const addressOf = createAddressOf(proxies);
const socket = { remoteAddress: '127.0.0.1' };
const messages = clients.map((client) => {
  return { socket, headers: { 'x-forwarded-for': client } } as unknown as IncomingMessage;
});
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

function decide(index: number): RateOutcome[] {
  const byCaller = limits.take('person', at(people, index), 'read') as RateOutcome;
  const byAddress = limits.take('address', addressId(at(clients, index)), 'read') as RateOutcome;
  return [byCaller, byAddress];
}

console.log(`seed ${seed}`);
console.log('| Part of a request | CPU, µs |\n|---|---|');
const costs = {
  'the address of the client, behind a proxy': cpuUs((index) => addressOf(at(messages, index))),
  'the decision for caller and address': cpuUs(decide),
  'the decision and the two fields': cpuUs((index) => rateFieldsOf(decide(index))),
};
for (const [name, us] of Object.entries(costs)) console.log(`| ${name} | ${us.toFixed(2)} |`);

globalThis.gc?.();
const crowded = freshLimits();
const before = process.memoryUsage();
for (let index = 0; index < addresses; index += 1)
  crowded.takeNow('address', addressId(`${index >>> 16}.${(index >>> 8) & 255}.${index & 255}.9`), 'read');
globalThis.gc?.();
const after = process.memoryUsage();
const grown = after.heapUsed + after.external - before.heapUsed - before.external;
const memoryMib = grown / mebibyte;
console.log(`\n${addresses} addresses, each in one window: ${memoryMib.toFixed(1)} MiB more memory in use`);
if (json !== '') writeFileSync(json, JSON.stringify({ costs, addresses, memoryMib }));
