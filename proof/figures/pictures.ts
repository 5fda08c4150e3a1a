import { type Chart, type ChartRow, drawChart } from './chart.ts';
import type { FigureData, FigureRow, PartName } from './data.ts';
import { aimText, rowsOf, shown, verdict } from './tables.ts';

/** The pictures of the page: which rows of which table each shows, and how. */

/** A picture: the part that it belongs to, its text for those who do not see it, and its file. */
export type Picture = {
  readonly part: PartName;
  readonly name: string;
  readonly alt: string;
  readonly svg: string;
};

type Plan = {
  readonly part: PartName;
  readonly table: string;
  readonly name: string;
  readonly title: string;
  readonly legend?: readonly [string, string];
  readonly markLegend?: string;
  /** Which rows it shows; all when absent. */
  readonly has?: (row: FigureRow) => boolean;
  readonly draw: (row: FigureRow) => ChartRow;
};

/** A value with its unit; says so where it was not measured. */
function valueText(value: number | null | undefined, unit = '', digits?: number): string {
  return value === null || value === undefined
    ? 'not measured'
    : `${shown(value, digits)}${unit === '' ? '' : ` ${unit}`}`;
}

/** The remark and the mark of a row with an aim. */
function aimOf(row: FigureRow, digits?: number): Pick<ChartRow, 'remark' | 'mark'> {
  if (row.aim === undefined) return {};
  const came = verdict(row);
  return {
    remark: { text: `aim: ${aimText(row.aim, digits)}, ${came}`, isBad: came === 'missed' },
    mark: 'most' in row.aim ? row.aim.most : row.aim.least,
  };
}

/** One bar for a value, with its aim. */
function single(key: string, digits?: number): Plan['draw'] {
  return (row) => ({
    label: row.name,
    bars: [{ value: row.values[key] ?? null, text: valueText(row.values[key], row.unit, digits) }],
    ...aimOf(row, digits),
  });
}

/** Two bars, of this commit and of something else. */
function pair(first: string, second: string): Plan['draw'] {
  return (row) => ({
    label: row.name,
    bars: [
      { value: row.values[first] ?? null, text: valueText(row.values[first], row.unit) },
      { value: row.values[second] ?? null, text: valueText(row.values[second], row.unit), series: 'other' },
    ],
    ...aimOf(row),
  });
}

/** How far a part of the proof has come on its way to its aim. */
function progress(row: FigureRow): ChartRow {
  const aim = row.aim !== undefined && 'least' in row.aim ? row.aim.least : 1;
  const { count = null, failed = null, pieces = null } = row.values;
  return {
    label: row.unit === undefined || row.unit === row.name ? row.name : `${row.name}, in ${row.unit}`,
    bars: [{ value: count, text: `${shown(count)} of ${shown(aim)}` }],
    full: aim,
    ...(failed === null || failed === 0
      ? {}
      : { remark: { text: `failed: ${shown(failed)} of ${shown(pieces)} pieces`, isBad: true } }),
  };
}

function observed(row: FigureRow): ChartRow {
  const { documented = null, sqlite = null, documentedPostgres = null, postgres = null } = row.values;
  const text = (seen: number | null, of: number | null) =>
    seen === null ? 'not measured' : `${shown(seen)} of ${shown(of)}`;
  return {
    label: row.name,
    bars: [
      { value: sqlite, text: text(sqlite, documented) },
      { value: postgres, text: text(postgres, documentedPostgres), series: 'other' },
    ],
  };
}

function plansFor({ release }: FigureData): readonly Plan[] {
  const releases = ['this commit', release.name] as const;
  const markLegend = 'aim';
  return [
    {
      part: 'speed',
      table: 'requests',
      name: 'floors',
      title: 'Processor time of a request, as a multiple of the shortest program that does the same',
      markLegend,
      has: ({ aim }) => aim !== undefined,
      draw: single('ofFloor', 2),
    },
    {
      part: 'speed',
      table: 'process',
      name: 'memory',
      title: 'Memory of a server, in MB',
      markLegend,
      has: ({ unit }) => unit === 'MB',
      draw: single('value'),
    },
    {
      part: 'releases',
      table: 'costs',
      name: 'releases',
      title: 'Processor time of a request, in µs',
      legend: releases,
      has: ({ unit }) => unit === 'µs',
      draw: (row) => {
        const { unit: _, ...rest } = row;
        return pair('own', 'release')(rest);
      },
    },
    {
      part: 'deliveries',
      table: 'ways',
      name: 'deliveries',
      title: 'Deliveries a second, as a fraction of what the bare client sends',
      markLegend,
      draw: single('fraction', 2),
    },
    {
      part: 'elements',
      table: 'browser',
      name: 'elements',
      title: 'Script and styles of a page with comments, in bytes',
      legend: ['confab-comments', 'ArtalkLite'],
      markLegend,
      has: ({ name }) => name.endsWith('bytes'),
      draw: pair('confab-comments', 'ArtalkLite'),
    },
    {
      part: 'sizes',
      table: 'lines',
      name: 'lines',
      title: 'Lines of code and text',
      legend: releases,
      draw: (row) => {
        const { unit: _, ...rest } = row;
        return pair('own', 'release')(rest);
      },
    },
    {
      part: 'proofs',
      table: 'parts',
      name: 'proofs',
      title: 'What was proved so far, on the way to its aim',
      draw: progress,
    },
    {
      part: 'coverage',
      table: 'statuses',
      name: 'coverage',
      title: 'Documented statuses of the operations that a test has observed',
      legend: ['SQLite', 'PostgreSQL'],
      draw: observed,
    },
  ];
}

/** A sentence for each row, as a reader hears it. */
function spoken({ label, bars, remark }: ChartRow, legend: Plan['legend']): string {
  const texts = bars.map(({ text, series }) =>
    legend === undefined ? text : `${series === undefined ? legend[0] : legend[1]} ${text}`,
  );
  return `${label}: ${[...texts, ...(remark === undefined ? [] : [remark.text])].join(', ')}.`;
}

/** Every picture of some figures. */
export function picturesOf(data: FigureData): Picture[] {
  return plansFor(data).map(({ part, table, name, title, legend, markLegend, has, draw }) => {
    const rows = rowsOf(data, { part, table })
      .filter((row) => has?.(row) ?? true)
      .map(draw);
    const said = rows.map((row) => spoken(row, legend));
    const chart: Chart = {
      name,
      title,
      description: rows.length === 0 ? 'Not measured yet.' : said.join(' '),
      ...(legend === undefined ? {} : { legend }),
      ...(markLegend === undefined ? {} : { markLegend }),
      rows,
    };
    return { part, name, alt: `${title}. The table has the figures.`, svg: drawChart(chart) };
  });
}
