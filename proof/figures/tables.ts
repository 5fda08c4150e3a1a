import { type Aim, type FigureData, type FigureRow, type PartName, reaches } from './data.ts';

/** A column: the value that it shows. Without `digits`, a number has as many as its size needs. */
export type Column = { readonly key: string; readonly title: string; readonly digits?: number };

/** A table of the page: the rows of a part, and what its columns are. */
export type Table = {
  readonly part: PartName;
  readonly table: string;
  /** The title of the first column. */
  readonly rows: string;
  readonly columns: readonly Column[];
  readonly hasUnits?: true;
};

const own: Column = { key: 'own', title: 'this commit' };

/** Every table, in the order of the page. */
export function tablesFor({ release }: FigureData): readonly Table[] {
  const before: Column = { key: 'release', title: release.name };
  const value: Column = { key: 'value', title: 'figure' };
  return [
    {
      part: 'speed',
      table: 'requests',
      rows: 'Request',
      columns: [
        { key: 'perSecond', title: 'requests/s', digits: 0 },
        { key: 'ofBare', title: 'of bare', digits: 2 },
        { key: 'ofFloor', title: 'of floor', digits: 2 },
        { key: 'p50Ms', title: 'p50, ms', digits: 1 },
        { key: 'p99Ms', title: 'p99, ms', digits: 1 },
        { key: 'cpuUs', title: 'CPU, µs', digits: 0 },
        { key: 'memoryMb', title: 'memory, MB', digits: 0 },
      ],
    },
    { part: 'speed', table: 'process', rows: 'Start and memory', columns: [value], hasUnits: true },
    {
      part: 'releases',
      table: 'costs',
      rows: 'Processor time of a request',
      columns: [
        own,
        before,
        { key: 'ratio', title: `of ${release.name}`, digits: 2 },
        { key: 'least', title: 'least', digits: 2 },
        { key: 'most', title: 'most', digits: 2 },
      ],
      hasUnits: true,
    },
    {
      part: 'deliveries',
      table: 'ways',
      rows: 'Deliveries from a full queue',
      columns: [
        { key: 'own', title: 'a second', digits: 0 },
        { key: 'client', title: 'the bare client', digits: 0 },
        { key: 'fraction', title: 'of it', digits: 2 },
        { key: 'cpuUs', title: 'CPU, µs', digits: 0 },
      ],
    },
    { part: 'limits', table: 'costs', rows: 'Rate limits', columns: [value], hasUnits: true },
    {
      part: 'elements',
      table: 'browser',
      rows: 'A page with 25 comments',
      columns: [
        { key: 'confab-comments', title: 'confab-comments' },
        { key: 'kit', title: 'kit' },
        { key: 'ArtalkLite', title: 'ArtalkLite' },
      ],
    },
    { part: 'sizes', table: 'sizes', rows: 'Size', columns: [own, before], hasUnits: true },
    { part: 'sizes', table: 'lines', rows: 'Lines of code and text', columns: [own, before] },
    {
      part: 'proofs',
      table: 'parts',
      rows: 'Part',
      columns: [
        { key: 'count', title: 'run so far', digits: 0 },
        { key: 'pieces', title: 'pieces', digits: 0 },
        { key: 'failed', title: 'failed', digits: 0 },
        { key: 'hours', title: 'hours', digits: 1 },
      ],
      hasUnits: true,
    },
    {
      part: 'coverage',
      table: 'statuses',
      rows: 'Status',
      columns: [
        { key: 'documented', title: 'operations that document it', digits: 0 },
        { key: 'sqlite', title: 'observed on SQLite', digits: 0 },
        { key: 'documentedPostgres', title: 'that can answer it on PostgreSQL', digits: 0 },
        { key: 'postgres', title: 'observed there', digits: 0 },
      ],
    },
  ];
}

/** The rows of a table; none where the part was not measured. */
export function rowsOf(
  data: FigureData,
  { part, table }: Pick<Table, 'part' | 'table'>,
): readonly FigureRow[] {
  return data.parts[part]?.tables[table] ?? [];
}

/** A number as a table shows it, and a dash for what was not measured. */
export function shown(value: number | null | undefined, digits?: number): string {
  if (value === null || value === undefined) return '–';
  const size = Math.abs(value);
  const needed = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3;
  const fraction = digits ?? needed;
  return value.toLocaleString('en-US', { minimumFractionDigits: fraction, maximumFractionDigits: fraction });
}

/** Such as "at most 1.30". */
export function aimText(aim: Aim, digits?: number): string {
  return 'most' in aim ? `at most ${shown(aim.most, digits)}` : `at least ${shown(aim.least, digits)}`;
}

/** Whether a row reaches its aim, in a word. */
export function verdict(row: FigureRow): 'reached' | 'missed' | 'not measured' {
  const isReached = reaches(row);
  return isReached === undefined ? 'not measured' : isReached ? 'reached' : 'missed';
}
