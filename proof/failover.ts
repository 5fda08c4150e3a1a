/**
 * Fails over an installation as docs/scaling.md has it built: `npx node proof/failover.ts`.
 *
 * From the files of `docs/ha` it starts three servers of PostgreSQL under Patroni and etcd, three nodes of Confab and
 * HAProxy, each at an address of its own within 127.0.0.0/8. Clients write, read and watch through HAProxy, and webhooks
 * are delivered to a receiver, while one failover follows the other, of ten kinds. After each it waits until everything
 * is healthy, and compares the store, the logs of all servers, the streams, the deliveries and the leases with what the
 * clients know. Prints a table of the kinds.
 *
 * Each turn has every kind once, on an installation of its own. `--times` is the number of turns; `--kind` chooses
 * kinds, as in `--kind switchover,primary-frozen`; `--seconds` begins no other failover after that time. The seed draws
 * requests, victims and pauses; what coincides also depends on the machine. At the end, an installation without
 * synchronous replication loses its primary, and the run must find what that loses; `--only` chooses `turns` or
 * `asynchronous`.
 *
 * It installs nothing: where a program is missing it says what to install, and exits with 1. So it does after a
 * violation, and then keeps the folder of the run. It needs Linux.
 */

import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { machine } from 'confab-testing/harness/figures.ts';
import { textOfViolation } from 'confab-testing/harness/model.ts';
import { exitWithoutPrograms } from 'confab-testing/harness/programs.ts';
import { anySeed, readFlags, Suite } from 'confab-testing/harness/suite.ts';
import { faults, losePrimary } from './failover/faults.ts';
import { type Round, runTurn } from './failover/run.ts';
import { lineOf, tableOf } from './failover/table.ts';

const { seed, kind, times, seconds, only } = readFlags({
  seed: anySeed,
  kind: '',
  times: 10,
  seconds: 3600,
  only: '',
});
const strikes = Object.entries(faults).filter(([name]) => kind === '' || kind.split(',').includes(name));
if (strikes.length === 0) throw new RangeError(`--kind takes some of ${Object.keys(faults).join(',')}`);
exitWithoutPrograms({ failover: { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' } }, '');
if (!existsSync('/usr/lib/postgresql/15/bin/postgres')) {
  console.error('not on this machine: PostgreSQL 15\nOn Debian 12: apt-get install postgresql-15');
  process.exit(1);
}

const suite = new Suite('failover');
// PostgreSQL runs as another user.
chmodSync(suite.folder, 0o755);
const startedAt = performance.now();
const lines: string[] = [];
let isGood = true;
/** The third number of the addresses of this run. */
const net = 20 + (process.pid % 200);

function print(round: Round): void {
  const { violations } = round;
  const line = lineOf(lines.length + 1, round);
  lines.push(line);
  console.log(line);
  if (violations.length === 0) return;
  isGood = false;
  suite.fail(`a promise was broken by ${round.kind}`, violations.map(textOfViolation));
}

async function turns(): Promise<void> {
  const hasTime = () => performance.now() - startedAt < seconds * 1000;
  for (let turn = 0; turn < times && hasTime() && isGood; turn += 1)
    try {
      await runTurn({
        folder: join(suite.folder, `turn-${turn}`),
        net,
        seed: seed + turn,
        strikes,
        hasTime,
        onRound: print,
      });
    } catch (error) {
      isGood = false;
      suite.fail(
        `the installation does not recover: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  console.log(`\n${tableOf(lines)}`);
}

/** Without synchronous replication, the loss of a primary and its network loses writes: the run must find that. */
async function asynchronous(): Promise<void> {
  const found: string[] = [];
  for (let n = 0; n < 3 && found.length === 0; n += 1)
    await runTurn({
      folder: join(suite.folder, `asynchronous-${n}`),
      net,
      seed: seed + n,
      strikes: [['primary-lost', losePrimary]],
      mistakes: {
        'patroni.yml': {
          'synchronous_mode: true': 'synchronous_mode: false',
          'synchronous_mode_strict: true': 'synchronous_mode_strict: false',
        },
      },
      hasTime: () => true,
      onRound: ({ violations }) => found.push(...violations.map(textOfViolation)),
    });
  suite.planted(
    'asynchronous',
    found.length > 0 ? `${found.length} violations, first: ${found[0]}` : undefined,
  );
}

console.log(`seed ${seed}, ${machine()}`);
await suite.run({ turns, asynchronous }, only);
