import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { rootUrl as root } from 'confab-tools/places.ts';
import { SaxesParser } from 'saxes';
import { coverageOf } from '../figures/coverage.ts';
import { type FigureData, type FigureRow, partNames, reaches, readFigures } from '../figures/data.ts';
import { figureFiles, pageFile, pictureFolder } from '../figures/page.ts';
import { proofRows } from '../figures/proofs.ts';
import { rowsOf, shown, tablesFor } from '../figures/tables.ts';
import type { Entry } from '../ledger/ledger.ts';
import { parts } from '../ledger/parts.ts';
import { someFigures, someRun } from './figure-data.ts';

const nothing: FigureData = { release: { name: '0.1.0', commit: someRun.commit }, parts: {} };

function pageOf(data: FigureData): string {
  return figureFiles(data)[pageFile] ?? '';
}

function picturesOf(data: FigureData): [file: string, svg: string][] {
  return Object.entries(figureFiles(data)).filter(([file]) => file.endsWith('.svg'));
}

/** The elements of an XML document with their texts, in order. Throws where it is not well-formed. */
function elementsOf(xml: string): { name: string; attributes: { [name: string]: string }; text: string }[] {
  const found: { name: string; attributes: { [name: string]: string }; text: string }[] = [];
  const open: number[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    open.push(found.length);
    found.push({ name, attributes: attributes as { [name: string]: string }, text: '' });
  });
  parser.on('text', (text) => {
    const element = found[open.at(-1) ?? -1];
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return found;
}

/** The cells of the rows of a page's tables, by the first cell. */
function cellsOf(page: string): Map<string, string[][]> {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(/ \| /));
  return Map.groupBy(rows, ([first = '']) => first);
}

/** Whether a cell shows a figure of the data: a dash for none, and a number up to half of its last digit. */
function shows(text: string | undefined, figure: number | null | undefined): boolean {
  if (text === undefined || figure === null || figure === undefined) return text === '–' && figure === null;
  const digits = text.split('.')[1]?.length ?? 0;
  return Math.abs(Number(text.replaceAll(',', '')) - figure) <= 10 ** -digits / 2 + 1e-9;
}

// What is committed follows from the data that is committed, so a page that was edited or not drawn again is noticed.
describe('the committed figures', () => {
  const files = figureFiles(readFigures());

  for (const [file, text] of Object.entries(files))
    test(`${file} is drawn from the data`, () => {
      assert.equal(readFileSync(new URL(file, root), 'utf8'), text);
    });

  test('have no picture that nothing draws', () => {
    const pictures = globSync(`${pictureFolder}/*`, { cwd: root });
    assert.deepEqual(
      pictures.filter((file) => !(file in files)),
      [],
    );
  });

  test('show each value of the data, as exactly as the page is', () => {
    const data = readFigures();
    const rows = cellsOf(pageOf(data));
    let compared = 0;
    for (const table of tablesFor(data))
      for (const row of rowsOf(data, table)) {
        const units = table.hasUnits ? 2 : 1;
        const cells = (rows.get(row.name) ?? []).find((each) =>
          table.columns.every(({ key }, index) => shows(each[units + index], row.values[key] ?? null)),
        );
        assert.ok(cells, `the page has no row of "${row.name}" with ${JSON.stringify(row.values)}`);
        compared += table.columns.length;
      }
    assert.ok(compared > 0, 'there is a figure');
  });
});

// The page says what it does not know, and what is missed, and takes any text.
describe('the page of the figures', () => {
  test('is the same each time', () => {
    assert.deepEqual(figureFiles(someFigures()), figureFiles(structuredClone(someFigures())));
  });

  test('changes with a figure', () => {
    const text = JSON.stringify(someFigures());
    assert.match(text, /"own":84/);
    const before = figureFiles(someFigures());
    const after = figureFiles(JSON.parse(text.replace('"own":84', '"own":85')));
    assert.notEqual(after[pageFile], before[pageFile]);
    assert.notEqual(after[`${pictureFolder}/releases.svg`], before[`${pictureFolder}/releases.svg`]);
  });

  test('says of each part that it was not measured', () => {
    const page = pageOf(nothing);
    assert.equal(page.match(/^Not measured yet\.$/gm)?.length, partNames.length);
    for (const [file, svg] of picturesOf(nothing)) assert.match(svg, />Not measured yet\.<\/text>/, file);
  });

  test('has a dash for a missing value, and its reason', () => {
    const page = pageOf(someFigures());
    assert.match(page, /^\| create a comment \| µs \| 253 \| – \| – \| – \| – \| npm could not install/m);
    assert.match(page, /^\| missing \|(?: – \|){7} at most 1\.50 \| not measured \|$/m);
    const svg = Object.fromEntries(picturesOf(someFigures()))[`${pictureFolder}/releases.svg`] ?? '';
    assert.match(svg, />not measured<\/text>/);
  });

  test('names the aims that are missed, and no other', () => {
    const page = pageOf(someFigures());
    const missed = page.slice(page.indexOf('## Aims that are missed'), page.indexOf('## Speed'));
    assert.match(missed, /quotes.*: 2\.35, aim at most 1\.50/);
    assert.match(missed, /memory at rest: 131 MB, aim at most 130/);
    assert.doesNotMatch(missed, /list 25 threads|works-of|missing:/);
    assert.match(pageOf(nothing), /None of those that were measured\./);
  });

  test('escapes what Markdown reads as a table or as HTML', () => {
    const page = pageOf(someFigures());
    assert.match(page, /^\| a &lt;b>name&lt;\/b> &amp; "quotes" \\\| 'others' \| 10 \|/m);
  });

  test('says on what it was measured', () => {
    const page = pageOf(someFigures());
    assert.match(page, /on commit `01234567` \(sources `89abcdef`\), 2026-11-27 08:30 UTC, 12 s\. 2 × A & B/);
    assert.match(page, /Load 0\.03 before and 1\.98 after\.$/m);
    assert.match(page, /with changes that were not committed.*Load 3\.50 before/);
  });
});

// Each picture can be read by a program, is heard where it is not seen, and has a dark scheme.
describe('the pictures of the figures', () => {
  for (const [what, data] of Object.entries({
    'hostile figures': someFigures(),
    nothing,
    'the data': readFigures(),
  }))
    test(`of ${what} are XML with a title, a description and a dark scheme`, () => {
      const pictures = picturesOf(data);
      assert.ok(pictures.length >= 8);
      for (const [file, svg] of pictures) {
        const elements = elementsOf(svg);
        const named = elements[0]?.attributes['aria-labelledby']?.split(' ') ?? [];
        const labels = named.map((id) => elements.find(({ attributes }) => attributes['id'] === id));
        assert.deepEqual(
          labels.map((label) => label?.name),
          ['title', 'desc'],
          file,
        );
        for (const label of labels)
          assert.ok((label?.text ?? '').length > 10, `${file} has a ${label?.name}`);
        const style = elements.find(({ name }) => name === 'style')?.text ?? '';
        assert.match(style, /@media \(prefers-color-scheme: dark\)/, file);
        assert.doesNotMatch(svg, /NaN|undefined|Infinity/, file);
      }
    });

  test('show a hostile name as it is', () => {
    const svg = Object.fromEntries(picturesOf(someFigures()))[`${pictureFolder}/floors.svg`] ?? '';
    const texts = elementsOf(svg).filter(({ name }) => name === 'text');
    assert.ok(texts.some(({ text }) => text === 'a <b>name</b> & "quotes" | \'others\''));
  });

  test('have ids that no other has', () => {
    const ids = picturesOf(someFigures()).flatMap(([, svg]) =>
      elementsOf(svg).flatMap(({ attributes }) => attributes['id'] ?? []),
    );
    assert.equal(new Set(ids).size, ids.length);
  });
});

// Numbers are rounded to what they need, and aims are the most or the least.
describe('figures', () => {
  test('are shown with the digits that they need', () => {
    const texts = [1234.5, 621, 12.34, 1.234, 0.28, 0.0123, 1_000_000, null].map((value) => shown(value));
    assert.deepEqual(texts, ['1,235', '621', '12.3', '1.23', '0.28', '0.012', '1,000,000', '–']);
    assert.equal(shown(1.5, 2), '1.50');
  });

  test('reach the most and the least, and nothing where there is no value', () => {
    const row = (value: number | null, aim: FigureRow['aim']): FigureRow => ({
      name: '',
      values: { value },
      ...(aim === undefined ? {} : { aim }),
    });
    assert.equal(reaches(row(2, { of: 'value', most: 2 })), true);
    assert.equal(reaches(row(2.01, { of: 'value', most: 2 })), false);
    assert.equal(reaches(row(2, { of: 'value', least: 2 })), true);
    assert.equal(reaches(row(1.99, { of: 'value', least: 2 })), false);
    assert.equal(reaches(row(null, { of: 'value', least: 2 })), undefined);
    assert.equal(reaches(row(2, undefined)), undefined);
  });

  test('of proofs are the sums of the ledger, with its commits and seeds', () => {
    const entry = (seed: number, count: number, result: Entry['result']): Entry => ({
      part: 'kills',
      count,
      seed,
      commit: someRun.commit,
      sources: someRun.commit,
      is_clean: true,
      at: someRun.at,
      seconds: 1800,
      result,
      figures: [],
      command: 'node proof/crash.ts',
    });
    const rows = proofRows([entry(3, 25, 'passed'), entry(4, 10, 'failed')]);
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(parts),
    );
    const kills = rows.find(({ name }) => name === 'kills');
    assert.deepEqual(kills?.values, { count: 35, pieces: 2, failed: 1, hours: 1 });
    assert.equal(kills?.note, '01234567 with seeds 3 to 4');
    assert.equal(rows.find(({ name }) => name === 'cuts')?.note, 'not run yet');
  });

  test('of coverage are refused where a test failed', () => {
    const record = { run: someRun, tests: 10, failed: 1, coverage: {} };
    assert.throws(() => coverageOf(record), /^Error: 1 of the 10 tests of the last run failed$/);
  });

  test('of coverage name what was not observed, and have a gap where an engine was not run', () => {
    const statuses = [
      { status: 200, documented: 5, observed: 5 },
      { status: 404, documented: 3, observed: 2 },
    ];
    const { tables, note } = coverageOf({
      run: someRun,
      tests: 10,
      failed: 0,
      coverage: { sqlite: { statuses, unseen: ['getApp 404'] } },
    });
    assert.equal(note, '10 tests, none of which failed; not observed: getApp 404 on sqlite');
    assert.deepEqual(
      tables['statuses']?.map(({ name, values }) => [
        name,
        values['documented'],
        values['sqlite'],
        values['postgres'],
      ]),
      [
        ['200', 5, 5, null],
        ['404', 3, 2, null],
      ],
    );
  });
});
