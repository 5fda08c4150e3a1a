import { cpus } from 'node:os';

/** The processors and the Node of this machine, for the heading of figures. */
export function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`;
}

/** The value below which a part (from 0 to 1) of the values lies; NaN without values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
}

/** The median of some values; for an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
