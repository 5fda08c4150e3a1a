import { useMemo } from 'preact/hooks';
import type { StatusMinute } from '../../../../client/index.js';
import { Chart, type Series } from '../../components/Chart.tsx';
import { formatDuration, formatNumber } from '../../i18n.ts';
import { t } from './messages.ts';

type Figure = keyof Omit<StatusMinute, 'at'>;
type Line = readonly [label: string, color: string, figure: Figure];

/** What went on in the last hour. */
export function Activity({ minutes }: { readonly minutes: readonly StatusMinute[] }) {
  return (
    <>
      <h2>{t('activity')}</h2>
      <div class="charts">
        <Counts
          title={t('requests')}
          minutes={minutes}
          lines={[
            [t('all'), '--accent', 'requests'],
            [t('failed'), '--bad', 'failures'],
          ]}
        />
        <Durations minutes={minutes} />
        <Counts title={t('comments')} minutes={minutes} lines={[[t('created'), '--accent', 'comments']]} />
        <Counts
          title={t('deliveries')}
          minutes={minutes}
          lines={[
            [t('delivered'), '--good', 'deliveries'],
            [t('failed'), '--bad', 'failed_deliveries'],
          ]}
        />
      </div>
    </>
  );
}

type LinesProps = {
  readonly title: string;
  readonly minutes: readonly StatusMinute[];
  readonly lines: readonly Line[];
};

function Counts({ title, minutes, lines }: LinesProps) {
  const { times, series } = useLines(minutes, lines);
  const sums = series.map(
    ({ label, values }) => `${label} ${formatNumber(values.reduce((sum, value) => sum + value, 0))}`,
  );
  return (
    <Chart
      {...{ title, times, series }}
      summary={t('summary', { title, sums: sums.join(', ') })}
      format={formatWhole}
    />
  );
}

/** Marks between whole numbers stay empty. */
function formatWhole(value: number): string {
  return Number.isInteger(value) ? formatNumber(value) : '';
}

function Durations({ minutes }: { readonly minutes: readonly StatusMinute[] }) {
  const title = t('durations');
  const { times, series } = useLines(minutes, [
    [t('median'), '--accent', 'median_seconds'],
    [t('slow'), '--warn', 'slow_seconds'],
  ]);
  const most = series.map(({ label, values }) => `${label} ${formatDuration(Math.max(...values))}`);
  return (
    <Chart
      {...{ title, times, series }}
      summary={t('summaryMost', { title, most: most.join(', ') })}
      format={formatDuration}
    />
  );
}

function useLines(minutes: readonly StatusMinute[], lines: readonly Line[]) {
  return useMemo(
    () => ({
      times: minutes.map(({ at }) => Date.parse(at)),
      series: lines.map(
        ([label, color, figure]): Series => ({
          label,
          color,
          values: minutes.map((minute) => minute[figure]),
        }),
      ),
    }),
    [minutes],
  );
}
