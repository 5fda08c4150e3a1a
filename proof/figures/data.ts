import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { lastRelease } from 'confab-testing/harness/last-release.ts';
import type { RunFacts } from 'confab-testing/harness/run-facts.ts';

/** What was measured, from which the page and its pictures are drawn. */
export const dataFile = 'docs/figures.json';

/** The parts that are measured by themselves, in the order of the page. */
export const partNames = [
  'speed',
  'releases',
  'deliveries',
  'limits',
  'elements',
  'sizes',
  'proofs',
  'coverage',
] as const;
/** One of the parts. */
export type PartName = (typeof partNames)[number];

/** The parts whose figures are times, which other programs of the machine change. */
export const timedParts: readonly PartName[] = ['speed', 'releases', 'deliveries', 'limits', 'elements'];

/** The load of the machine, by core, above which other programs count as running. */
export const quietLoad = 0.2;

/** The most or the least that one value of a row should be. */
export type Aim = { readonly of: string } & ({ readonly most: number } | { readonly least: number });

/** A row: its values by the columns of its table (`tables.ts`). A value that is null was not measured. */
export type FigureRow = {
  readonly name: string;
  readonly values: { readonly [column: string]: number | null };
  /** The unit, where the columns have none of their own. */
  readonly unit?: string;
  readonly aim?: Aim;
  /** What else is to be known about it, as plain text: why a value is missing, which commits and seeds. */
  readonly note?: string;
};

/** A part as it was measured: its run, the command of it, and its rows by the table. */
export type PartFigures = {
  readonly run: RunFacts;
  readonly command: string;
  /** What the figures are of, beside the commit of the run, as plain text. */
  readonly note?: string;
  readonly tables: { readonly [table: string]: readonly FigureRow[] };
};

/** Everything that was measured; a part that was never measured is absent. */
export type FigureData = {
  /** The last release, which some figures are held against. */
  readonly release: { readonly name: string; readonly commit: string };
  readonly parts: { readonly [P in PartName]?: PartFigures };
};

/** What is kept, or nothing where nothing was measured. */
export function readFigures(): FigureData {
  if (!existsSync(dataFile)) return { release: lastRelease, parts: {} };
  return JSON.parse(readFileSync(dataFile, 'utf8')) as FigureData;
}

/** Keeps the figures; numbers get three digits behind the point, and what is no number is null. */
export function writeFigures(data: FigureData): void {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? Math.round(value * 1000) / 1000 : value;
  writeFileSync(dataFile, `${JSON.stringify(data, rounded, 2)}\n`);
}

/** A figure as it is kept: null for what was not measured. */
export function known(figure: number | undefined): number | null {
  return figure === undefined || !Number.isFinite(figure) ? null : figure;
}

/** Whether a row reaches its aim; undefined without an aim, or without the value. */
export function reaches({ values, aim }: FigureRow): boolean | undefined {
  const value = aim === undefined ? undefined : values[aim.of];
  if (aim === undefined || value === undefined || value === null) return undefined;
  return 'most' in aim ? value <= aim.most : value >= aim.least;
}
