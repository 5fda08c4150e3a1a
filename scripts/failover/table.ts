import { median } from '../harness/figures.ts';
import type { Round } from './run.ts';

const heading = `| Kind | Times | Without writes: median, worst | Without reads: median, worst | Streams without events: worst | Answers 503, none | Acknowledged | Lost | Gaps | Doubled | Deliveries repeated |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|`;

/** The table of the kinds, as the guide has it. */
export function tableOf(rounds: readonly Round[]): string {
  const kinds = Map.groupBy(rounds, ({ kind }) => kind);
  const rows = [...kinds].map(([kind, own]) => rowOf(kind, own));
  return [heading, ...rows, rowOf('all', rounds)].join('\n');
}

function rowOf(name: string, rounds: readonly Round[]): string {
  const sum = (figure: (round: Round) => number) => rounds.reduce((total, round) => total + figure(round), 0);
  const spread = (figure: (round: Round) => number) => {
    const all = rounds.map(figure);
    return `${seconds(median(all))}, ${seconds(Math.max(...all))}`;
  };
  const count = (fits: (what: string, detail: string) => boolean) =>
    sum(({ violations }) => violations.filter(({ what, detail }) => fits(what, detail)).length);
  const cells = [
    name,
    rounds.length,
    spread(({ writesAwayMs }) => writesAwayMs),
    spread(({ readsAwayMs }) => readsAwayMs),
    seconds(Math.max(...rounds.map(({ streamAwayMs }) => streamAwayMs))),
    `${sum(({ refused }) => refused)}, ${sum(({ unanswered }) => unanswered)}`,
    sum(({ acknowledged }) => acknowledged),
    count((what) => what === 'lost write' || what === 'wrong content'),
    count((what) => what === 'event'),
    count((what) => what === 'phantom'),
    sum(({ repeated }) => repeated),
  ];
  return `| ${cells.join(' | ')} |`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
