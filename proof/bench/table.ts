/** The figures of one row; what could not be measured or has nothing to be held against is undefined. */
export type TableRow = {
  readonly name: string;
  readonly perSecond: number | undefined;
  /** The fraction of what the bare framework does with the like. */
  readonly fraction: number | undefined;
  /** The processor time of a request as a multiple of that of its floor. */
  readonly ofFloor: number | undefined;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  readonly cpuUs: number | undefined;
  readonly memoryMb: number | undefined;
  readonly failed: number;
};

const columns: readonly { title: string; width: number; show: (row: TableRow) => string }[] = [
  { title: 'requests/s', width: 11, show: (row) => fixed(row.perSecond, 0) },
  { title: 'of bare', width: 9, show: (row) => fixed(row.fraction, 2) },
  { title: 'of floor', width: 10, show: (row) => fixed(row.ofFloor, 2) },
  { title: 'p50 ms', width: 8, show: (row) => fixed(row.p50Ms, 1) },
  { title: 'p99 ms', width: 8, show: (row) => fixed(row.p99Ms, 1) },
  { title: 'CPU µs', width: 8, show: (row) => fixed(row.cpuUs, 0) },
  { title: 'RAM MB', width: 8, show: (row) => fixed(row.memoryMb, 0) },
  { title: 'failed', width: 8, show: (row) => (row.failed === 0 ? '' : String(row.failed)) },
];

function fixed(figure: number | undefined, digits: number): string {
  return figure === undefined ? '' : figure.toFixed(digits);
}

/** Prints the rows under their titles. */
export function printTable(rows: readonly TableRow[]): void {
  const width = Math.max(...rows.map((row) => row.name.length));
  const line = (name: string, cells: readonly string[]) =>
    console.log(
      name.padEnd(width) + cells.map((cell, index) => cell.padStart(columns[index]?.width ?? 0)).join(''),
    );
  line(
    '',
    columns.map((column) => column.title),
  );
  for (const row of rows)
    line(
      row.name,
      columns.map((column) => column.show(row)),
    );
}
