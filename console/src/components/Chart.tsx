import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatTime } from '../i18n.ts';

/** A line of a chart. The colour is a variable of the style sheet, such as `--good`. */
export type Series = { readonly label: string; readonly color: string; readonly values: readonly number[] };

type ChartProps = {
  readonly title: string;
  /** What the chart says, in a sentence, for those who do not see it. */
  readonly summary: string;
  /** The moments of the values, in Unix milliseconds. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
};

const heightPx = 150;

/** A chart over time, with what its lines are and their last values. */
export function Chart({ title, summary, times, series, format }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let drawn: uPlot | undefined;
    const draw = async () => {
      // A file of its own. It reads the language of the browser as it loads, and throws on one that it does not know.
      const { default: Plot } = await import('uplot');
      drawn?.destroy();
      drawn = element.isConnected ? plot(Plot, element, { times, series, format }) : undefined;
    };
    const redraw = () => void draw().catch((error: unknown) => console.warn(error));
    redraw();
    const resized = new ResizeObserver(() =>
      drawn?.setSize({ width: element.clientWidth, height: heightPx }),
    );
    resized.observe(element);
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redraw);
    return () => {
      dark.removeEventListener('change', redraw);
      resized.disconnect();
      drawn?.destroy();
    };
  }, [times, series]);
  return (
    <figure class="card chart">
      <figcaption>
        <strong>{title}</strong>
        {series.map(({ label, color, values }) => (
          <span key={label} class="soft">
            <i class={`swatch ${color.slice(2)}`} />
            {label} {format(values.at(-1) ?? 0)}
          </span>
        ))}
      </figcaption>
      <div ref={place} class="plot" dir="ltr" role="img" aria-label={summary} />
    </figure>
  );
}

function plot(
  Plot: typeof uPlot,
  element: HTMLElement,
  { times, series, format }: Pick<ChartProps, 'times' | 'series' | 'format'>,
): uPlot {
  const styles = getComputedStyle(element);
  const colorOf = (variable: string) => styles.getPropertyValue(variable).trim();
  const axis = {
    stroke: colorOf('--soft'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${styles.fontFamily}`,
  };
  const largest = Math.max(0, ...series.flatMap(({ values }) => values));
  return new Plot(
    {
      width: element.clientWidth,
      height: heightPx,
      padding: [8, 28, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: [0, largest === 0 ? 1 : largest * 1.1] } },
      axes: [
        {
          ...axis,
          values: (_, marks) => marks.map((mark) => formatTime(mark * 1000, { timeStyle: 'short' })),
          space: 90,
          size: 26,
        },
        { ...axis, values: (_, marks) => marks.map(format), size: 64 },
      ],
      series: [
        {},
        ...series.map(({ label, color }) => ({
          label,
          stroke: colorOf(color),
          width: 2,
          points: { show: false },
        })),
      ],
    },
    [times.map((time) => time / 1000), ...series.map(({ values }) => [...values])],
    element,
  );
}
