/**
 * Draws charts of horizontal bars as SVG, without a library. A picture is as wide as a telephone with some room, so that
 * its text stays legible there, and is shown at this width on larger screens. It has a light and a dark scheme, a title and a
 * description for those who hear it, and no colour that alone tells something.
 */

/** A bar; one without a value is not drawn, and its text says why. */
export type Bar = { readonly value: number | null; readonly text: string; readonly series?: 'other' };

/** A row: its label, a line of remark, its bars, and a mark that they should reach or stay below. */
export type ChartRow = {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly remark?: { readonly text: string; readonly isBad: boolean };
  readonly mark?: number | undefined;
  /** What the full width stands for in this row; the largest value of the chart when absent. */
  readonly full?: number;
};

/** A chart. */
export type Chart = {
  /** A word, from which ids are made. */
  readonly name: string;
  readonly title: string;
  /** What it shows, with its figures, for those who do not see it. */
  readonly description: string;
  /** What its two series are. */
  readonly legend?: readonly [own: string, other: string];
  /** In a chart with marks, what they are. */
  readonly markLegend?: string;
  readonly rows: readonly ChartRow[];
};

/** The width of a picture. At 358 pixels, which a page 390 pixels wide leaves, its smallest text has 12.6. */
const width = 480;
const padding = 20;
const inner = width - 2 * padding;
const textPx = 17;
const titlePx = 20;
const barHeight = 14;
const barGap = 8;
const lineHeight = 23;
const rowGap = 14;
const textGap = 10;
const swatch = 14;

const style = `
    .ground { fill: #fbfcfe; stroke: #d0d7de }
    .title { font-size: ${titlePx}px; font-weight: 600; fill: #1f2328 }
    .text { font-size: ${textPx}px; fill: #1f2328 }
    .remark { font-size: ${textPx}px; fill: #57606a }
    .bad { font-size: ${textPx}px; fill: #a40e26 }
    .track { fill: #e7eaef }
    .own { fill: #4f5bd5 }
    .other { fill: #858e98 }
    .mark { stroke: #1f2328; stroke-width: 3 }
    .halo { stroke: #fbfcfe; stroke-width: 7 }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #161b22; stroke: #3d444d }
      .title, .text { fill: #e6edf3 }
      .remark { fill: #a8b1bb }
      .bad { fill: #ff9a94 }
      .track { fill: #262c36 }
      .own { fill: #8f99ff }
      .other { fill: #7d8590 }
      .mark { stroke: #e6edf3 }
      .halo { stroke: #161b22 }
    }
  `;

/** Text as it stands in SVG and HTML, also within quotes. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** How wide a text is at most in the fonts that a reader may have, in ems: a wide one has these widths. */
function widthEm(text: string): number {
  const em = (character: string) => {
    if (/[ijlt.,:;'|()f ]/.test(character)) return 0.4;
    if (/[mwMW@%—µ]/.test(character)) return 0.98;
    return /[A-Z]/.test(character) ? 0.72 : 0.64;
  };
  return [...text].reduce((sum, character) => sum + em(character), 0);
}

/** The lines of a text that are no wider than so many pixels; a single word may be. */
function linesOf(text: string, sizePx: number, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthEm(longer) * sizePx <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Collects elements from top to bottom. */
class Drawing {
  readonly #elements: string[] = [];
  y = padding;

  /** Lines of text below each other. */
  lines(lines: readonly string[], kind: 'title' | 'text' | 'remark' | 'bad', sizePx = textPx): void {
    for (const line of lines) {
      this.#elements.push(
        `<text class="${kind}" x="${padding}" y="${place(this.y + sizePx)}">${escaped(line)}</text>`,
      );
      this.y += lineHeight + sizePx - textPx;
    }
  }

  add(element: string): void {
    this.#elements.push(element);
  }

  toString(): string {
    return this.#elements.map((element) => `  ${element}`).join('\n');
  }
}

/** A coordinate, in hundredths of a pixel. */
function place(pixels: number): string {
  return String(Math.round(pixels * 100) / 100);
}

function rect(kind: string, { x, y, wide }: { x: number; y: number; wide: number }): string {
  return `<rect class="${kind}" x="${place(x)}" y="${place(y)}" width="${place(wide)}" height="${barHeight}" rx="3"/>`;
}

function drawLegend(drawing: Drawing, { legend, markLegend, rows }: Chart): void {
  const series = (legend ?? []).map((text, index) => ({ text, kind: index === 0 ? 'own' : 'other' }));
  const hasMarks = rows.some(({ mark }) => mark !== undefined);
  const all = [
    ...series,
    ...(hasMarks && markLegend !== undefined ? [{ text: markLegend, kind: 'mark' }] : []),
  ];
  let x = padding;
  for (const { text, kind } of all) {
    const wide = swatch + textGap / 2 + widthEm(text) * textPx;
    if (x > padding && x + wide > width - padding) {
      drawing.y += lineHeight;
      x = padding;
    }
    const { y } = drawing;
    if (kind === 'mark')
      drawing.add(`<path class="mark" d="M${place(x + swatch / 2)} ${place(y + 1)}v${barHeight + 4}"/>`);
    else
      drawing.add(
        `<rect class="${kind}" x="${place(x)}" y="${place(y + 2)}" width="${swatch}" height="${swatch}" rx="3"/>`,
      );
    drawing.add(
      `<text class="text" x="${place(x + swatch + textGap / 2)}" y="${place(y + textPx - 2)}">${escaped(text)}</text>`,
    );
    x += wide + 2 * textGap;
  }
  if (all.length > 0) drawing.y += lineHeight;
  if (all.length > 0) drawing.y += rowGap / 2;
}

function drawRow(
  drawing: Drawing,
  row: ChartRow,
  { full, barWidth }: { full: number; barWidth: number },
): void {
  const scale = (value: number) => (Math.min(value, full) / full) * barWidth;
  drawing.lines(linesOf(row.label, textPx, inner), 'text');
  drawing.y += 5;
  const top = drawing.y;
  for (const { value, text, series = 'own' } of row.bars) {
    const { y } = drawing;
    drawing.add(rect('track', { x: padding, y, wide: barWidth }));
    if (value !== null && value > 0)
      drawing.add(rect(series, { x: padding, y, wide: Math.max(scale(value), 2) }));
    drawing.add(
      `<text class="text" x="${place(padding + barWidth + textGap)}" y="${place(y + barHeight - 1)}">${escaped(text)}</text>`,
    );
    drawing.y += barHeight + barGap;
  }
  if (row.mark !== undefined) {
    const line = `d="M${place(padding + scale(row.mark))} ${place(top - 2)}V${place(drawing.y - barGap + 2)}"`;
    // The halo keeps the mark apart from a bar of nearly its lightness.
    for (const kind of ['halo', 'mark']) drawing.add(`<path class="${kind}" ${line}/>`);
  }
  if (row.remark !== undefined)
    drawing.lines(linesOf(row.remark.text, textPx, inner), row.remark.isBad ? 'bad' : 'remark');
  drawing.y += rowGap;
}

/** The chart as the text of an SVG file. The same chart gives the same text. */
export function drawChart(chart: Chart): string {
  const { name, title, description, rows } = chart;
  const drawing = new Drawing();
  drawing.lines(linesOf(title, titlePx * 1.05, inner), 'title', titlePx);
  drawing.y += rowGap / 2;
  drawLegend(drawing, chart);
  const bars = rows.flatMap((row) => row.bars);
  const textWidth = Math.max(0, ...bars.map(({ text }) => widthEm(text) * textPx));
  const barWidth = Math.max(inner - textWidth - textGap, inner / 4);
  const largest = Math.max(...bars.map(({ value }) => value ?? 0), ...rows.map(({ mark }) => mark ?? 0), 0);
  for (const row of rows) drawRow(drawing, row, { full: row.full ?? (largest || 1), barWidth });
  if (rows.length === 0) drawing.lines(['Not measured yet.'], 'remark');
  const height = Math.round(drawing.y + padding - (rows.length === 0 ? 0 : rowGap));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${name}-title ${name}-desc" font-family="system-ui, -apple-system, Segoe UI, sans-serif">
  <title id="${name}-title">${escaped(title)}</title>
  <desc id="${name}-desc">${escaped(description)}</desc>
  <style>${style}</style>
  <rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
${drawing}
</svg>
`;
}
