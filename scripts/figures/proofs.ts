import type { Entry } from '../proof/ledger.ts';
import { parts } from '../proof/parts.ts';
import type { FigureRow } from './data.ts';

/** What was proved: the sums of the ledger by part, with the commits and seeds that were run. */
export function proofRows(ledger: readonly Entry[]): FigureRow[] {
  return Object.entries(parts).map(([name, { unit, aim }]) => {
    const own = ledger.filter(({ part }) => part === name);
    const count = own.reduce((sum, entry) => sum + entry.count, 0);
    const seconds = own.reduce((sum, entry) => sum + entry.seconds, 0);
    return {
      name,
      unit,
      values: {
        count,
        pieces: own.length,
        failed: own.filter(({ result }) => result === 'failed').length,
        hours: seconds / 3600,
      },
      aim: { of: 'count', least: aim },
      note: own.length === 0 ? 'not run yet' : runsOf(own),
    };
  });
}

/** Such as "0989cffd with seeds 1 to 3". */
function runsOf(entries: readonly Entry[]): string {
  return [...Map.groupBy(entries, ({ commit }) => commit)]
    .map(([commit, own]) => {
      const seeds = own.map(({ seed }) => seed);
      const [first, last] = [Math.min(...seeds), Math.max(...seeds)];
      return `${commit.slice(0, 8)} with ${first === last ? `seed ${first}` : `seeds ${first} to ${last}`}`;
    })
    .join(', ');
}
