import { tableOf } from '../failover/table.ts';
import { type Entry, ledgerFile, readLedger, seedsOf, totalsOf } from './ledger.ts';
import { parts } from './parts.ts';

/** The page of what was run. `npx node proof/proof.ts` writes it after each piece, and `npm run generate` as well. */
export const proofFile = 'proof/ledger/README.md';

const grouped = (number: number): string => number.toLocaleString('en-US');

function partRows(ledger: readonly Entry[]): string[] {
  return Object.entries(parts).map(([name, { unit, what, aim }]) => {
    const { count, pieces, failed, hours } = totalsOf(ledger.filter(({ part }) => part === name));
    return `| \`${name}\` | ${what} | ${grouped(aim)} ${unit} | ${grouped(count)} | ${pieces} | ${failed} | ${hours.toFixed(1)} |`;
  });
}

function commitRows(ledger: readonly Entry[]): string[] {
  const bySources = [...Map.groupBy(ledger, ({ sources }) => sources)];
  return bySources.flatMap(([sources, entries]) =>
    [...Map.groupBy(entries, ({ part }) => part)].map(([part, own]) => {
      const { count, failed } = totalsOf(own);
      const commits = [...new Set(own.map(({ commit }) => `\`${commit.slice(0, 8)}\``))].join(', ');
      const changed = own.filter((entry) => !entry.is_clean).length;
      return `| \`${sources.slice(0, 8)}\` | ${commits} | \`${part}\` | ${grouped(count)} | ${seedsOf(own)} | ${failed} | ${changed} | ${own.at(-1)?.at.slice(0, 10)} |`;
    }),
  );
}

function failoverTable(ledger: readonly Entry[]): string {
  const lines = ledger.filter(({ part }) => part === 'failovers').flatMap(({ figures }) => figures);
  return lines.length === 0 ? 'None were run so far.' : tableOf(lines);
}

function failureLines(ledger: readonly Entry[]): string[] {
  const failed = ledger.filter(({ result }) => result === 'failed');
  if (failed.length === 0) return ['None.'];
  return failed.map(
    ({ part, commit, at, command, figures, note: why }) =>
      `- \`${part}\`, ${at}, commit \`${commit.slice(0, 8)}\`: \`${command}\`. ${why ?? figures.join('; ')}`,
  );
}

/** The page, from the ledger. */
export function proofPage(): string {
  const ledger = readLedger();
  return `# What was proved, and how often

The suites of the repository kill servers, cut their power, compare engines and send damaged requests. \`npx node proof/proof.ts\` runs them in pieces and writes each piece to [a ledger](ledger.jsonl). \`npm run generate\` makes this page from the ledger. The promises themselves are in [Durability](../../docs/durability.md).

\`\`\`sh
npx node proof/proof.ts                               # a piece of each part in turns, until the aims are reached
npx node proof/proof.ts --minutes 60                  # for an hour
npx node proof/proof.ts --part kills --count 1000     # 1,000 kills more
npx node proof/proof.ts --part cuts --seed 7 --count 50
npx node proof/proof.ts --part failovers              # needs the programs of npx node proof/failover.ts
\`\`\`

Stop it whenever you like: a piece that was stopped is not in the ledger, and the next run begins it again. Each piece has a seed of its own, the number after the highest that the ledger has for its part. A piece that fails stops the run, keeps its folder and prints the command that repeats it.

## By part

| Part | What a piece does | Aim | Run so far | Pieces | Failed | Hours |
|---|---|---:|---:|---:|---:|---:|
${partRows(ledger).join('\n')}

## Failovers by kind

What each kind breaks and what is compared is in [Several nodes](../../docs/scaling.md#what-failovers-show). The times depend on the machine, and on what else it does.

${failoverTable(ledger)}

## By the sources that were run

The first column is the tree of \`server/src/\` (\`git rev-parse COMMIT:server/src\`, or \`COMMIT:src\` before there were packages), which a rebase leaves as it is. "Changed" counts pieces of a checkout with files that were not committed.

| Sources | Commits | Part | Count | Seeds | Failed | Changed | Last |
|---|---|---|---:|---|---:|---:|---|
${commitRows(ledger).join('\n')}

## Failures

${failureLines(ledger).join('\n')}

The ledger has one JSON object on each line of \`${ledgerFile}\`: the part, the count, the seed, the commit, the time, the result and the figures that the suite printed.
`;
}
