import type { MetricFacts } from '../kernel/metrics.ts';

/**
 * The values of one metric, by their labels. prom-client writes them as text, but it does not keep them: it checks and
 * sorts the labels of every report, which costs a request as much as finding its comment.
 */
export type MetricValues = {
  /** Adds to a counter, or to a gauge. */
  add(labels: Labels, by: number): void;
  /** Adds an observation to a histogram. */
  observe(labels: Labels, value: number): void;
  /** Forgets all values, also the 0 with which a metric without labels begins. */
  clear(): void;
  /** What prom-client asks a metric for. */
  readonly metric: { readonly name: string; get(): Promise<object> };
};

type Labels = { readonly [name: string]: string | undefined };

type Cell = {
  readonly labels: Labels;
  /** The value of a counter or a gauge, the sum of a histogram. */
  sum: number;
  /** How many observations there are up to each bound of a histogram and above the one before; the last are above all. */
  readonly counts: number[];
};

/** Creates the values of a metric; those of one without labels begin at 0. */
export function createValues(
  name: string,
  { kind, help, labels: always, sometimes = [], buckets = [] }: MetricFacts,
): MetricValues {
  const cells = new Map<string, Cell>();
  const labelNames = [...always, ...sometimes];
  const [firstLabel = '', ...otherLabels] = labelNames;

  function cellOf(labels: Labels): Cell {
    // The key of one label is its value as it is: a text that is put together is hashed each time.
    let key = labels[firstLabel] ?? '';
    for (const label of otherLabels) key += `\n${labels[label]}`;
    let cell = cells.get(key);
    if (cell === undefined) {
      cell = { labels, sum: 0, counts: kind === 'histogram' ? Array(buckets.length + 1).fill(0) : [] };
      cells.set(key, cell);
    }
    return cell;
  }

  if (labelNames.length === 0) cellOf({});

  function samplesOf({ labels, sum, counts }: Cell): object[] {
    if (kind !== 'histogram') return [{ labels, value: sum }];
    let count = 0;
    const cumulative = counts.map((own, index) => {
      count += own;
      return {
        labels: { le: buckets[index] ?? '+Inf', ...labels },
        value: count,
        metricName: `${name}_bucket`,
      };
    });
    return [
      ...cumulative,
      { labels, value: sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ];
  }

  return {
    add(labels, by) {
      cellOf(labels).sum += by;
    },
    observe(labels, value) {
      const cell = cellOf(labels);
      let index = 0;
      while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1;
      cell.sum += value;
      cell.counts[index] = (cell.counts[index] ?? 0) + 1;
    },
    clear: () => cells.clear(),
    metric: {
      name,
      get: async () => ({ name, help, type: kind, values: [...cells.values()].flatMap(samplesOf) }),
    },
  };
}
