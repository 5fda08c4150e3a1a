import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatTime } from '../i18n.ts';

/** A line of a chart. The colour is a class of `.chart`, such as `good`. */
export type Series = {
  readonly label: string;
  readonly color: string;
  /** The values, one for each time; null where there is no data. The last one is of a minute that has not ended. */
  readonly values: readonly (number | null)[];
};

type ChartProps = {
  readonly title: string;
  /** What the chart says, in a sentence, for those who do not see it. */
  readonly summary: string;
  /** The moments of the values, in Unix milliseconds, at equal distances. The last one is the present minute. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** The smallest distance between two marks of the vertical axis. */
  readonly stepMin: number;
  /** Stands in the chart while all values are zero or absent. */
  readonly empty: string;
  readonly format: (value: number) => string;
};

const quarterMs = 15 * 60_000;
/** The most parts into which the marks divide the vertical axis. */
const partsMax = 3;

/** How far apart the words of the horizontal axis are at least, in pixels. */
const gapPx = 8;

/**
 * A chart over time, with what its lines are and their last values. It has axes without data as well. The minute that runs
 * stands apart as a point: joined to the line, it would be a fall to nothing once a minute.
 */
export function Chart({ title, summary, times, series, stepMin, empty, format }: ChartProps) {
  const largest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const marks = marksUpTo(largest, stepMin);
  const top = marks.at(-1) ?? stepMin;
  // A line along zero below the words that there is nothing would contradict them.
  const shown = largest === 0 ? [] : series;
  const plot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => keepApart(plot.current));
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => keepApart(plot.current));
    if (plot.current !== null) observer.observe(plot.current);
    return () => observer.disconnect();
  }, []);
  return (
    <figure class="card chart">
      <figcaption>
        <strong>{title}</strong>
        {series.map(({ label, color, values }) => (
          <span key={label} class="soft">
            <i class={`swatch ${color}`} />
            <bdi>{label}</bdi> <bdi>{shownOf(values, format)}</bdi>
          </span>
        ))}
      </figcaption>
      {/* Time runs from the left in every language. A direction of their own would turn the places of words around. */}
      <div class="plot" dir="ltr" role="img" aria-label={summary} ref={plot}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          <title>{summary}</title>
          {marks.map((mark) => (
            <path key={mark} class="grid" d={`M0 ${100 - (mark / top) * 100}h100`} />
          ))}
          {shown.map(({ label, color, values }) => (
            <g key={label} class={color}>
              <path d={lineOf([...values.slice(0, -1), null], top)} />
              <path
                class="now"
                d={lineOf([...values.slice(0, -1).map(() => null), values.at(-1) ?? null], top)}
              />
            </g>
          ))}
        </svg>
        {marks.map((mark) => (
          <span key={mark} class="mark" style={{ insetBlockEnd: `${(mark / top) * 100}%` }}>
            <bdi>{format(mark)}</bdi>
          </span>
        ))}
        {momentsOf(times).map(([place, time]) => (
          <time key={time} style={{ insetInlineStart: `${place}%` }}>
            <bdi>{formatTime(time, { timeStyle: 'short' })}</bdi>
          </time>
        ))}
        {largest === 0 && <span class="none">{empty}</span>}
      </div>
    </figure>
  );
}

/** The value of the last whole minute, or of the one that runs where there is no other. */
function shownOf(values: readonly (number | null)[], format: (value: number) => string): string {
  const value = values.at(-2) ?? values.at(-1) ?? null;
  return value === null ? '–' : format(value);
}

/** Hides the times that would touch those after them, of which the last is shown. How wide they are, fonts and languages decide. */
function keepApart(plot: HTMLElement | null): void {
  let free = Number.POSITIVE_INFINITY;
  for (const time of [...(plot?.querySelectorAll('time') ?? [])].reverse()) {
    const { left, right } = time.getBoundingClientRect();
    const hasRoom = right + gapPx <= free;
    time.style.visibility = hasRoom ? '' : 'hidden';
    if (hasRoom) free = left;
  }
}

/** Round values from 0 to at least `largest`, at equal distances. */
function marksUpTo(largest: number, stepMin: number): number[] {
  const least = Math.max(largest / partsMax, stepMin);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, index) => index * step);
}

/** The quarters of an hour and the last moment, each with its place in hundredths of the axis. */
function momentsOf(times: readonly number[]): (readonly [place: number, time: number])[] {
  const placed = times.map((time, index) => [placeOf(index, times.length), time] as const);
  const [, now] = placed.at(-1) ?? [0, 0];
  return placed.filter(([, time]) => time === now || time % quarterMs === 0);
}

function placeOf(index: number, count: number): number {
  return (index / Math.max(1, count - 1)) * 100;
}

/** The path of a line in a square of 100, with gaps where there is no data. A value between gaps is a point. */
function lineOf(values: readonly (number | null)[], top: number): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const point = `${placeOf(index, values.length)} ${100 - (value / top) * 100}`;
      return typeof values[index - 1] === 'number' ? `L${point}` : `M${point}h0`;
    })
    .join('');
}
