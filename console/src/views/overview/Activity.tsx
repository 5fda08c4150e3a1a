import type { Status, StatusMinute } from 'confab-client';
import { Chart, type Series } from '../../components/Chart.tsx';
import { formatDuration, formatNumber } from '../../i18n.ts';
import { t } from './messages.ts';

type Figure = keyof Omit<StatusMinute, 'at'>;
type Line = readonly [label: string, color: string, figure: Figure];

/** The smallest distance between two marks of the response times, in seconds. */
const durationStepMin = 0.005;

/** What went on in the last hour. */
export function Activity({ status }: { readonly status: Status }) {
  return (
    <>
      <h2>{t('activity')}</h2>
      <div class="charts">
        <Counts
          title={t('requests')}
          status={status}
          lines={[
            [t('all'), 'accent', 'requests'],
            [t('failed'), 'bad', 'failures'],
          ]}
        />
        <Durations status={status} />
        <Counts title={t('comments')} status={status} lines={[[t('created'), 'accent', 'comments']]} />
        <Counts
          title={t('deliveries')}
          status={status}
          lines={[
            [t('delivered'), 'good', 'deliveries'],
            [t('failed'), 'bad', 'failed_deliveries'],
          ]}
        />
      </div>
    </>
  );
}

type LinesProps = { readonly title: string; readonly status: Status; readonly lines: readonly Line[] };

function Counts({ title, status, lines }: LinesProps) {
  const series = seriesOf(status, lines, ({ at }) => Date.parse(at) >= firstMinute(status));
  const sums = series.map(
    ({ label, values }) =>
      `${label} ${formatNumber(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))}`,
  );
  return (
    <Chart
      {...{ title, series, ...axesOf(status) }}
      summary={t('summary', { title, sums: sums.join(', ') })}
      stepMin={1}
      format={formatNumber}
    />
  );
}

function Durations({ status }: { readonly status: Status }) {
  const title = t('durations');
  const lines: Line[] = [
    ['p50', 'accent', 'median_seconds'],
    ['p95', 'warn', 'slow_seconds'],
  ];
  const series = seriesOf(status, lines, ({ requests }) => requests > 0);
  const most = series.map(
    ({ label, values }) => `${label} ${formatDuration(Math.max(...values.map((value) => value ?? 0)))}`,
  );
  return (
    <Chart
      {...{ title, series, ...axesOf(status) }}
      summary={t('summaryMost', { title, most: most.join(', ') })}
      stepMin={durationStepMin}
      format={formatDuration}
    />
  );
}

/** The minute in which the node started, which has the first data, in Unix milliseconds. */
function firstMinute({ started_at }: Status): number {
  return new Date(started_at).setSeconds(0, 0);
}

function axesOf(status: Status) {
  const times = status.minutes.map(({ at }) => Date.parse(at));
  const isNew = (times[0] ?? 0) < firstMinute(status);
  return { times, empty: t(isNew ? 'noData' : 'noneInHour') };
}

function seriesOf(
  { minutes }: Status,
  lines: readonly Line[],
  hasData: (minute: StatusMinute) => boolean,
): Series[] {
  return lines.map(([label, color, figure]) => ({
    label,
    color,
    values: minutes.map((minute) => (hasData(minute) ? minute[figure] : null)),
  }));
}
