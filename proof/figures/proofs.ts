import { type Entry, seedsOf, totalsOf } from '../ledger/ledger.ts';
import { parts } from '../ledger/parts.ts';
import type { FigureRow } from './data.ts';

/** What was proved: the sums of the ledger by part, with the commits and seeds that were run. */
export function proofRows(ledger: readonly Entry[]): FigureRow[] {
  return Object.entries(parts).map(([name, { unit, aim }]) => {
    const own = ledger.filter(({ part }) => part === name);
    return {
      name,
      unit,
      values: totalsOf(own),
      aim: { of: 'count', least: aim },
      note: own.length === 0 ? 'not run yet' : runsOf(own),
    };
  });
}

/** Such as "0989cffd with seeds 1 to 3". */
function runsOf(entries: readonly Entry[]): string {
  return [...Map.groupBy(entries, ({ commit }) => commit)]
    .map(([commit, own]) => {
      const seeds = seedsOf(own);
      return `${commit.slice(0, 8)} with ${seeds.includes(' ') ? 'seeds' : 'seed'} ${seeds}`;
    })
    .join(', ');
}
