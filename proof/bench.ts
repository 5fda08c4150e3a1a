/**
 * How fast Confab is, beside the bare framework in the same run on the same machine: `npx node proof/bench.ts`.
 *
 * Requests a second say little about another machine; the fraction of what the framework alone does and the
 * processor time of a request say more. A run is a number of rounds; in each one every row is measured once, on
 * servers that were started for it, and the table shows the median over the rounds. `--seconds`, `--rounds`, `--warm`,
 * `--connections` and `--deliveries` change the effort, `--only TEXT` leaves out the rows of Confab without the text,
 * `--profile FOLDER` writes a processor profile of each Confab there. `--against FOLDER` measures this checkout and another,
 * such as that of the last release or of the commit before, in turns instead.
 */

import { join } from 'node:path';
import { machine } from 'confab-testing/harness/figures.ts';
import { readFlags, temporaryFolder } from 'confab-testing/harness/suite.ts';
import { compareCheckouts } from './bench/checkouts.ts';
import { measureDeliveries } from './bench/delivery-speed.ts';
import { installPackage } from './bench/installed.ts';
import type { Effort } from './bench/measure.ts';
import { failedIn, otherFigures, type Round, runRound, tableRow } from './bench/rounds.ts';
import { isBase, rows } from './bench/rows.ts';
import { listedComments } from './bench/servers.ts';
import { printTable } from './bench/table.ts';

const {
  warm: warmSeconds,
  rounds,
  only,
  profile,
  against,
  deliveries: deliveriesSent,
  ...sizes
} = readFlags({
  seconds: 5,
  warm: 2,
  rounds: 3,
  connections: 50,
  deliveries: 20_000,
  only: '',
  profile: '',
  against: '',
});
const effort: Effort = { ...sizes, warmSeconds };

const asked = rows.filter((row) => isBase(row) || row.name.includes(only));

async function main(): Promise<void> {
  console.log(`Confab beside bare Fastify: ${rounds} rounds, ${effort.seconds} s a row after ${effort.warmSeconds} s of
warming up, ${effort.connections} connections without pipelining, all processes on this machine:
${machine()}, ${process.platform}.
Confab is \`confab serve\` of the package with its defaults (SQLite, every answer after its sync, one log line a request, to a file),
called with a user's access token; the app that is listed again and again has ${listedComments} comments. Bare Fastify keeps nothing,
and logs only where a row says so.
Figures are medians over the rounds; "of bare" is the median of the fraction inside each round. "Of floor" is the
processor time of a request as a multiple of that of the shortest program that sends the same bytes and keeps the
same promises.
`);
  using folder = temporaryFolder('bench');
  const program = await installPackage(join(folder.path, 'installed'));
  const all: Round[] = [];
  const nodeArguments = profile === '' ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
  for (let i = 0; i < rounds; i += 1)
    all.push(
      await runRound({
        folder: join(folder.path, `round-${i}`),
        program,
        rows: asked,
        effort,
        nodeArguments,
      }),
    );
  printTable(asked.map((row) => tableRow(row, all)));
  console.log('');
  for (const { name, figure, unit } of otherFigures(all))
    console.log(`${name.padEnd(52)} ${(figure?.toFixed(0) ?? 'not known').padStart(8)} ${unit}`);
  if (only === '') {
    console.log('');
    await measureDeliveries({ rounds, deliveries: deliveriesSent });
  }
  const failed = failedIn(all);
  if (failed > 0) {
    console.log(`\n${failed} requests failed: these figures are not to be trusted.`);
    process.exitCode = 1;
  }
}

if (against === '') await main();
else await compareCheckouts(against, { rounds, effort, rows: asked });
