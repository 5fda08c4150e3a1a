/**
 * Runs the heavy suites in pieces and keeps a ledger of what was run on which commit: `npx node proof/proof.ts`.
 *
 * The parts are in `proof/ledger/parts.ts`: kills, power cuts, the simulator, the differential, the fuzzer, faults of the disk.
 * Without flags it runs a piece of each part in turns, until each has reached its aim in the ledger; failovers need
 * programs that npm does not bring, and run only where `--part` names them. `--part` names parts, `--count` says how many
 * more of each to run, `--minutes` how long to go on, `--seed` the seed of the first piece. Without it the next piece of a
 * part has the number after the highest seed of that part in the ledger, so a run goes on where the last one was stopped.
 * A piece that is stopped leaves nothing in the ledger.
 *
 * After each piece it rewrites `proof/ledger/README.md`. A piece that fails ends the run with 1, after the command that
 * repeats it; the suite has then kept its folder.
 */

import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFlags } from 'confab-testing/harness/suite.ts';
import { type Entry, note, readLedger } from './ledger/ledger.ts';
import { proofFile, proofPage } from './ledger/page.ts';
import { type Part, parts } from './ledger/parts.ts';

const {
  part: wantedParts,
  count,
  seed: firstSeed,
  minutes,
} = readFlags({
  part: Object.keys(parts)
    .filter((name) => parts[name]?.needsPrograms !== true)
    .join(','),
  count: 0,
  seed: 0,
  minutes: 0,
});
const startedAt = performance.now();

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

/** Runs a piece, whose output is shown as it comes. */
async function run(
  name: string,
  part: Part,
  { pieceCount, seed }: { pieceCount: number; seed: number },
): Promise<Entry> {
  const args = part.command(pieceCount, seed);
  const command = `node ${args.join(' ')}`;
  const state = {
    commit: git('rev-parse', 'HEAD'),
    sources: git('rev-parse', 'HEAD:server/src'),
    is_clean: git('status', '--porcelain', '--', '.', ':!proof/ledger') === '',
    at: new Date().toISOString(),
  };
  console.log(`\n${name}: ${command}`);
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((ended) =>
    child.once('close', (...how) => ended(how)),
  );
  if (signal !== null) {
    console.log(`${name}: stopped by ${signal}; the next run begins this piece again`);
    process.exit(1);
  }
  return {
    part: name,
    count: Number(part.counted.exec(output)?.[1] ?? 0),
    seed,
    ...state,
    seconds: Math.round((performance.now() - began) / 1000),
    result: code === 0 ? 'passed' : 'failed',
    figures: output.match(part.figures)?.map((line) => line.trim()) ?? [],
    command,
  };
}

const chosen = wantedParts.split(',').map((name) => {
  const part = parts[name];
  if (part === undefined) throw new RangeError(`--part takes some of ${Object.keys(parts).join(',')}`);
  const before = readLedger().filter((entry) => entry.part === name);
  const done = before.reduce((sum, entry) => sum + entry.count, 0);
  const highest = Math.max(0, ...before.map(({ seed }) => seed));
  return {
    name,
    part,
    left: count > 0 ? count : part.aim - done,
    seed: firstSeed > 0 ? firstSeed : highest + 1,
  };
});
const isOver = () => minutes > 0 && performance.now() - startedAt > minutes * 60_000;

while (chosen.some(({ left }) => left > 0) && !isOver())
  for (const each of chosen) {
    if (each.left <= 0 || isOver()) continue;
    const pieceCount = Math.min(each.part.piece, each.left);
    const entry = await run(each.name, each.part, { pieceCount, seed: each.seed });
    note(entry);
    writeFileSync(proofFile, proofPage());
    if (entry.result === 'failed') {
      console.log(`\nFAILED: ${each.name}; repeat it with: ${entry.command}`);
      process.exit(1);
    }
    each.left -= Math.max(entry.count, 1);
    each.seed += 1;
  }
