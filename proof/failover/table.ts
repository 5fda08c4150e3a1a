import { median } from 'confab-testing/harness/figures.ts';
import type { Violation } from 'confab-testing/harness/model.ts';
import type { Round } from './run.ts';

/** The figures of a failover as a line, which the ledger keeps. `number` counts the failovers of a run. */
export function lineOf(number: number, round: Round): string {
  const { violations } = round;
  return `${number} ${round.kind}: writes away ${seconds(round.writesAwayMs)}, reads ${seconds(round.readsAwayMs)}, \
streams ${seconds(round.streamAwayMs)}; acknowledged ${round.acknowledged}, slowest ${seconds(round.slowestMs)}, \
503 ${round.refused}, unanswered ${round.unanswered}; delivered ${round.delivered}, repeated ${round.repeated}; \
reconnects ${round.reconnects}; healthy after ${seconds(round.healthyMs)}; violations ${violations.length}${kindsOf(violations)}`;
}

/** Which promises were broken, nothing where none was. */
function kindsOf(violations: readonly Violation[]): string {
  if (violations.length === 0) return '';
  const count = (...kinds: readonly Violation['what'][]) =>
    violations.filter(({ what }) => kinds.includes(what)).length;
  return ` (lost ${count('lost write', 'wrong content')}, gaps ${count('event')}, doubled ${count('phantom')})`;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** A line of `lineOf`, read again; times are in seconds. */
const pattern =
  /^\d+ (?<kind>[\w-]+): writes away (?<writes>[\d.]+) s, reads (?<reads>[\d.]+) s, streams (?<streams>[\d.]+) s; acknowledged (?<acknowledged>\d+), slowest [\d.]+ s, 503 (?<refused>\d+), unanswered (?<unanswered>\d+); delivered (?<delivered>\d+), repeated (?<repeated>\d+); reconnects \d+; healthy after [\d.]+ s; violations (?<violations>\d+)(?: \(lost (?<lost>\d+), gaps (?<gaps>\d+), doubled (?<doubled>\d+)\))?$/;

type Figures = { readonly [name: string]: string | undefined };

function figuresIn(line: string): Figures {
  const { groups } = pattern.exec(line) ?? {};
  if (groups === undefined) throw new Error(`no figures of a failover: ${line}`);
  return groups;
}

const heading = `| Kind | Times | Without writes: median, worst | Without reads: median, worst | Streams without events: worst | Answers 503, none | Acknowledged | Lost | Gaps | Doubled | Otherwise wrong | Deliveries, repeated |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|`;

/** The table of the kinds, from the lines of failovers. */
export function tableOf(lines: readonly string[]): string {
  const all = lines.map(figuresIn);
  const rows = [...Map.groupBy(all, ({ kind = '' }) => kind)].map(([kind, own]) => rowOf(kind, own));
  return [heading, ...rows, rowOf('all', all)].join('\n');
}

function rowOf(name: string, failovers: readonly Figures[]): string {
  const values = (figure: string) => failovers.map((each) => Number(each[figure] ?? 0));
  const sum = (figure: string) => values(figure).reduce((total, value) => total + value, 0);
  const worst = (figure: string) => `${Math.max(...values(figure)).toFixed(1)} s`;
  const spread = (figure: string) => `${median(values(figure)).toFixed(1)} s, ${worst(figure)}`;
  const cells = [
    name,
    failovers.length,
    spread('writes'),
    spread('reads'),
    worst('streams'),
    `${sum('refused')}, ${sum('unanswered')}`,
    sum('acknowledged'),
    sum('lost'),
    sum('gaps'),
    sum('doubled'),
    sum('violations') - sum('lost') - sum('gaps') - sum('doubled'),
    `${sum('delivered')}, ${sum('repeated')}`,
  ];
  return `| ${cells.join(' | ')} |`;
}
