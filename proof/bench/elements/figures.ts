import { median } from 'confab-testing/harness/figures.ts';

/** A row of the table. */
export type Row = {
  readonly title: string;
  readonly digits: number;
  /** The most that ours may be. */
  readonly most?: number;
  /** The most that ours may be of the better of the others. */
  readonly mostOfBetter?: number;
};

/** The rows, by what measures them. */
export const rows = {
  readerBytes: { title: 'script and styles of a reader, bytes', digits: 0, most: 15_000 },
  writerBytes: { title: 'script and styles of a writer, bytes', digits: 0, most: 35_000 },
  requests: { title: 'requests in all', digits: 0, most: 4 },
  needed: { title: 'requests answered until 25 are visible, without the page', digits: 0, most: 2 },
  visibleMs: { title: 'time until 25 are visible, ms', digits: 0, most: 900, mostOfBetter: 0.5 },
  shifts: { title: 'layout shifts', digits: 3, most: 0 },
  shiftsOfFooter: { title: 'the same with a footer below', digits: 3 },
  scriptMs: { title: 'script until 100 are shown, ms', digits: 0, mostOfBetter: 0.5 },
  taskMs: { title: 'all work of the main thread for it, ms', digits: 0 },
  heapBytes: { title: 'heap with 1,000, kB', digits: 0, mostOfBetter: 1 },
  nodes: { title: 'nodes with 1,000', digits: 0, mostOfBetter: 1 },
  axeKinds: { title: 'kinds of faults that axe finds', digits: 0, most: 0 },
  axePlaces: { title: 'places of faults that axe finds', digits: 0, most: 0 },
} as const satisfies { readonly [name: string]: Row };

/** What is measured. */
export type RowName = keyof typeof rows;

/** The figures of all rounds. */
export class Figures {
  readonly #found = new Map<string, number[]>();

  add(contender: string, figures: { readonly [N in RowName]?: number }): void {
    for (const [row, figure] of Object.entries(figures)) this.#of(row, contender).push(figure);
  }

  /** The median of what was measured; NaN where nothing was. */
  median(row: RowName, contender: string): number {
    return median(this.#of(row, contender));
  }

  /** The median, with the least and the most where they differ. */
  text(row: RowName, contender: string): string {
    const found = this.#of(row, contender);
    if (found.length === 0) return '';
    const { digits }: Row = rows[row];
    const shown = (figure: number) => figure.toFixed(digits);
    const [least, most] = [shown(Math.min(...found)), shown(Math.max(...found))];
    const middle = shown(median(found));
    return least === most ? middle : `${middle} (${least}–${most})`;
  }

  #of(row: string, contender: string): number[] {
    const key = `${row} ${contender}`;
    const found = this.#found.get(key) ?? [];
    this.#found.set(key, found);
    return found;
  }
}

/** What ours needed in one row, beside the others and its aims. */
export type RowFigure = {
  readonly title: string;
  /** The medians: of ours, and of the others by name. */
  readonly own: number;
  readonly others: { readonly [contender: string]: number };
  /** The most that ours may be, each of them; empty without an aim. */
  readonly aims: readonly number[];
};

/** The figures of each row that was measured, of which the first contender is ours. */
export function figuresOf(figures: Figures, [ours = '', ...others]: readonly string[]): RowFigure[] {
  return (Object.entries(rows) as [RowName, Row][]).flatMap(([name, row]) => {
    const own = figures.median(name, ours);
    if (Number.isNaN(own)) return [];
    const ofOthers = others.map((other) => [other, figures.median(name, other)] as const);
    const better = Math.min(...ofOthers.map(([, figure]) => figure));
    const aims = [
      ...(row.most === undefined ? [] : [row.most]),
      // Where the others have been left out there is nothing to compare with.
      ...(row.mostOfBetter === undefined || Number.isNaN(better) ? [] : [row.mostOfBetter * better]),
    ];
    return [{ title: row.title, own, others: Object.fromEntries(ofOthers), aims }];
  });
}

/** Prints the table in Markdown, ours first; returns the aims that ours has missed, one line each. */
export function printFigures(figures: Figures, names: readonly string[]): string[] {
  const missed: string[] = [];
  console.log(`| | ${names.join(' | ')} | aim |\n|---|${'---:|'.repeat(names.length + 1)}`);
  const known = figuresOf(figures, names);
  for (const [name, row] of Object.entries(rows) as [RowName, Row][]) {
    const { own, aims } = known.find(({ title }) => title === row.title) ?? {};
    if (own === undefined || aims === undefined) continue;
    const cells = names.map((each) => figures.text(name, each));
    console.log(
      `| ${row.title} | ${cells.join(' | ')} | ${aims.map((aim) => aim.toFixed(0)).join(' and ')} |`,
    );
    if (aims.some((aim) => own > aim)) missed.push(`${row.title}: ${own.toFixed(row.digits)}`);
  }
  return missed;
}
