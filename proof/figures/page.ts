import type { RunFacts } from 'confab-testing/harness/run-facts.ts';
import {
  dataFile,
  type FigureData,
  type FigureRow,
  type PartFigures,
  type PartName,
  partNames,
} from './data.ts';
import { type Picture, picturesOf } from './pictures.ts';
import { aimText, rowsOf, shown, type Table, tablesFor, verdict } from './tables.ts';

/** The page of the figures and the folder of its pictures. `npm run generate` draws them as well. */
export const pageFile = 'docs/figures.md';
export const pictureFolder = 'docs/figures';

/** What each part is about, as Markdown. */
const about: { readonly [P in PartName]: { readonly title: string; readonly text: string } } = {
  speed: {
    title: 'Speed and memory',
    text: 'Confab as npm installs it, on SQLite, beside bare Fastify ("of bare", in requests a second) and beside the shortest program that sends the same bytes and keeps the same promises ("of floor", in processor time). [Performance](performance.md#method) has the method and says what is in the way of the aims. The load generator runs on the same processors.',
  },
  releases: {
    title: 'Beside the last release',
    text: 'Both servers run from their sources at the same time and take turns within each row, so that other work of the machine reaches both. The least and the most are those of the ratio, over the rounds. What the last release cannot answer is left out.',
  },
  deliveries: {
    title: 'Webhooks',
    text: 'Deliveries from full queues, signed and recorded, beside the bare HTTP client (undici) that sends the same bodies to the same receivers.',
  },
  limits: {
    title: 'Rate limits',
    text: 'What the decision about one request costs, and the memory of the counts of a million addresses.',
  },
  elements: {
    title: 'The elements in a browser',
    text: 'The same comments in one Chromium with a fourth of the processor, 1.6 Mbit/s and 150 ms for each answer ([method](performance.md#the-elements)). One round. The aim is for `confab-comments`.',
  },
  sizes: {
    title: 'Sizes',
    text: 'The package as npm packs it, what it installs, what browsers load, the OpenAPI document, and the lines of the sources with their comments, without the scripts that are built from them. Of the last release there is what its history shows.',
  },
  proofs: {
    title: 'Proofs',
    text: 'What the heavy suites have run, from [the ledger](../proof/ledger/ledger.jsonl), whose [page](../proof/ledger/README.md) says what each part does. The commit of each part is the one that was run; `npx node proof/proof.ts --part NAME --seed SEED` repeats a piece.',
  },
  coverage: {
    title: 'Operations by status',
    text: '`npm run test:all` fails unless a test has observed each documented status of each operation on a real answer, beside those that every request can get. [Operations](operations.md) has the statuses and the test of each.',
  },
};

/** Text in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function rowLine(row: FigureRow, table: Table, has: { aims: boolean; notes: boolean }): string {
  const digits = table.columns.find(({ key }) => key === row.aim?.of)?.digits;
  const came = row.aim === undefined ? '' : verdict(row);
  const cells = [
    cell(row.name),
    ...(table.hasUnits ? [cell(row.unit ?? '')] : []),
    ...table.columns.map((column) => shown(row.values[column.key], column.digits)),
    ...(has.aims
      ? [row.aim === undefined ? '' : aimText(row.aim, digits), came === 'missed' ? '**missed**' : came]
      : []),
    ...(has.notes ? [cell(row.note ?? '')] : []),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** A table as Markdown. */
function tableText(rows: readonly FigureRow[], table: Table): string {
  const has = {
    aims: rows.some(({ aim }) => aim !== undefined),
    notes: rows.some(({ note }) => note !== undefined),
  };
  const titles = [
    table.rows,
    ...(table.hasUnits ? ['Unit'] : []),
    ...table.columns.map(({ title }) => title),
    ...(has.aims ? ['Aim', ''] : []),
    ...(has.notes ? ['Note'] : []),
  ];
  const sides = [
    '---',
    ...(table.hasUnits ? ['---'] : []),
    ...table.columns.map(() => '---:'),
    ...(has.aims ? ['---', '---'] : []),
    ...(has.notes ? ['---'] : []),
  ];
  return [
    `| ${titles.map(cell).join(' | ')} |`,
    `|${sides.join('|')}|`,
    ...rows.map((row) => rowLine(row, table, has)),
  ].join('\n');
}

/** On what a part was measured, in sentences. */
function runText(run: RunFacts, { command, note }: Pick<PartFigures, 'command' | 'note'>): string {
  const { commit, sources, is_clean: isClean, at, seconds, machine, load } = run;
  const changed = isClean === false ? ', with changes that were not committed' : '';
  const of =
    commit === null
      ? 'a checkout without a history'
      : `commit \`${commit.slice(0, 8)}\` (sources \`${sources?.slice(0, 8)}\`)${changed}`;
  return `\`${command}\` on ${of}, ${at.slice(0, 16).replace('T', ' ')} UTC, ${shown(seconds)} s. ${machine.cores} × ${machine.processor}, Node ${machine.node.replace('v', '')}, ${machine.system}. Load ${shown(load.before, 2)} before and ${shown(load.after, 2)} after.${note === undefined ? '' : ` ${note[0]?.toUpperCase()}${note.slice(1)}.`}`;
}

function partText(data: FigureData, part: PartName, pictures: readonly Picture[]): string {
  const { title, text } = about[part];
  const measured = data.parts[part];
  const lines = [`## ${title}`, text];
  if (measured === undefined) lines.push('Not measured yet.');
  else {
    lines.push(runText(measured.run, measured));
    for (const each of pictures.filter((picture) => picture.part === part))
      lines.push(`![${each.alt}](figures/${each.name}.svg)`);
    for (const table of tablesFor(data).filter((each) => each.part === part))
      lines.push(tableText(rowsOf(data, table), table));
  }
  return lines.join('\n\n');
}

/** The aims that are missed, one line each. */
function missedLines(data: FigureData): string[] {
  return tablesFor(data).flatMap((table) =>
    rowsOf(data, table)
      .filter((row) => verdict(row) === 'missed' && row.aim !== undefined)
      .map((row) => {
        const { aim } = row;
        const column = table.columns.find(({ key }) => key === aim?.of);
        const unit = row.unit === undefined ? '' : ` ${row.unit}`;
        return `- ${about[table.part].title}, ${row.name}: ${shown(row.values[aim?.of ?? ''], column?.digits)}${unit}, aim ${aim === undefined ? '' : aimText(aim, column?.digits)}`;
      }),
  );
}

function pageText(data: FigureData, pictures: readonly Picture[]): string {
  const missed = missedLines(data);
  return `<!-- Made by \`npm run generate\` from ${dataFile}, which \`npx node proof/figures.ts\` measures. -->

# Figures

What this release measured, with the machine, the commit and the command of each figure. \`npx node proof/figures.ts\` measures it again and keeps the figures in [figures.json](figures.json); the page and its pictures are drawn from there. A dash is a figure that was not measured. The last release is ${data.release.name}, commit \`${data.release.commit.slice(0, 8)}\`.

Requests a second mean little on another machine; fractions and multiples say more. The sources are the tree of \`server/src/\` (\`git rev-parse COMMIT:server/src\`, or \`COMMIT:src\` before there were packages), which a rebase leaves as it is. The load of a machine is how many programs ran or waited to run on average in the minute before.

## Aims that are missed

${missed.length === 0 ? 'None of those that were measured.' : missed.join('\n')}

${partNames.map((part) => partText(data, part, pictures)).join('\n\n')}
`;
}

/** The page and the pictures by their paths. */
export function figureFiles(data: FigureData): Readonly<Record<string, string>> {
  const pictures = picturesOf(data);
  return {
    [pageFile]: pageText(data, pictures),
    ...Object.fromEntries(pictures.map(({ name, svg }) => [`${pictureFolder}/${name}.svg`, svg])),
  };
}
