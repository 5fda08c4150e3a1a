import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from 'confab-tools/places.ts';
import type { Filters, List, Settings } from '../src/db/list.ts';
import { compile, type Engine, type Parameters, type Statement } from '../src/db/statement.ts';

/**
 * The statements of the lists as files, so that a change to one shows in review as SQL: for each list and engine the
 * page without any filter, with each filter by itself, in each order, after a cursor, and the count; of a filter with which a
 * page is first searched for among the rows of all users, that statement too. The columns of a page, and a text that several
 * of them have, are written once.
 */

/** A declared list of any kind. */
export type AnyList = List<Parameters, Filters, unknown>;

/** Whether something that a store exports is a declared list. */
export function isList(exported: unknown): exported is AnyList {
  return typeof exported === 'object' && exported !== null && 'page' in exported && 'filters' in exported;
}

/** A name, a text, a bracket, or the word that a clause begins with. */
const tokens = /'[^']*'|"[^"]*"|[()]| (?=(?:from|where|inner join|left join|order by|limit|union) )/g;

/** How deep in brackets a clause has a line of its own: a statement, the ids of its page, and what these come from. */
const depthMax = 2;

/** The text with a line for each clause that is not deep within another. */
function inLines(sql: string): string {
  let depth = 0;
  return sql.replaceAll(tokens, (token) => {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    return token === ' ' && depth <= depthMax ? `\n${'  '.repeat(depth + 1)}` : token;
  });
}

/** Whether a value of a filter is a number above one: of a condition that a statement has several times, once shows it. */
function isRepetition(value: unknown): boolean {
  return typeof value === 'number' && value > 1;
}

function settingsOf(filters: Filters): Settings<Filters>[] {
  const plain = Object.fromEntries(Object.entries(filters).map(([name, [first]]) => [name, first]));
  const others = Object.entries(filters).flatMap(([name, [, ...values]]) =>
    values.filter((value) => !isRepetition(value)).map((value) => ({ ...plain, [name]: value })),
  );
  return [plain, ...others];
}

/** The columns of a statement, and what comes after them. */
type Split = { readonly columns: readonly string[]; readonly rest: string };

/** Splits a statement that begins with `select` at the commas of its columns, and where its rows are named. */
function split(sql: string): Split {
  const columns: string[] = [];
  const first = 'select '.length;
  let begin = first;
  let depth = 0;
  for (const { 0: token, index } of sql.matchAll(/'[^']*'|"[^"]*"|[(),]| from /g)) {
    if (index < first) continue;
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (depth === 0 && (token === ',' || token === ' from ')) {
      columns.push(sql.slice(begin, index).trim());
      begin = index + 1;
      if (token === ' from ') return { columns, rest: sql.slice(index) };
    }
  }
  return { columns: [], rest: sql };
}

/** A statement with `[columns]` in the place of the columns that every page of its list has. */
function withoutColumns(sql: string, shared: readonly string[]): string {
  const { columns, rest } = split(sql);
  if (shared.some((column, index) => columns[index] !== column)) return sql;
  return `select ${['[columns]', ...columns.slice(shared.length)].join(', ')}${rest}`;
}

/** What a page of a list is requested with, and the statement. */
type Titled = { readonly title: string; readonly statement: Statement<unknown> };

/** The statements of a list that its file shows; the first is the page without any filter. */
function statementsOf({ filters, orders, page, probes, count }: AnyList): Titled[] {
  const [plain = {}, ...others] = settingsOf(filters);
  const [first = ''] = orders;
  const cursorOrder = orders[1] ?? first;
  const shape = { order: first, descending: false, settings: plain };
  const titleOf = (settings: Settings<Filters>) =>
    Object.entries(settings)
      .filter(([name, value]) => value !== plain[name])
      .map(([name, value]) => `with ${name}: ${value}`)
      .join(', ');
  return [
    { title: 'without any filter', statement: page(shape) },
    ...others.flatMap((settings) => {
      const title = titleOf(settings);
      const probe = probes({ ...shape, settings }).slice(0, 1);
      return [
        { title, statement: page({ ...shape, settings }) },
        ...probe.map((statement) => ({ title: `${title}, among the first rows of all users`, statement })),
      ];
    }),
    ...orders.map((order) => ({
      title: `by ${order}, descending`,
      statement: page({ ...shape, order, descending: true }),
    })),
    {
      title: `by ${cursorOrder}, after a cursor`,
      statement: page({ ...shape, order: cursorOrder, after: 'indexed' }),
    },
    { title: 'counted', statement: count(plain) },
  ];
}

function fileOf(list: AnyList, engine: Engine): string {
  const statements = statementsOf(list).map(({ title, statement }) => {
    const sql = compile(statement, engine).sql.replaceAll(/\s+/g, ' ');
    return { title, sql };
  });
  const columns = split(statements[0]?.sql ?? '').columns.filter((column) => !/ as "key\d+"$/.test(column));
  const titlesByText = Map.groupBy(statements, ({ sql }) => inLines(withoutColumns(sql, columns)));
  return [
    '-- Made by `npm run generate` from the declaration of this list.\n',
    `-- [columns]\n${columns.join(',\n')}\n`,
    ...[...titlesByText].map(
      ([text, same]) => `${same.map(({ title }) => `-- ${title}\n`).join('')}${text};\n`,
    ),
  ].join('\n');
}

/** The file of each list and engine, by its path. */
export async function listStatements(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const store of globSync('server/src/features/**/*.store.ts', { cwd: root }).sort()) {
    const exported: Record<string, unknown> = await import(pathToFileURL(path.join(root, store)).href);
    for (const list of Object.values(exported).filter(isList))
      for (const engine of ['sqlite', 'postgres'] as const)
        files[`docs/sql/${engine}/${list.name}.sql`] = fileOf(list, engine);
  }
  return files;
}
