import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Filters, List } from '../../src/db/list.ts';
import { compile, type Engine, type Parameters, type Statement } from '../../src/db/statement.ts';

/**
 * The statements of the lists as files, so that a change to one shows in review as SQL: for each list and engine the
 * page without any filter, with each filter by itself, in each order, after a cursor, and the count; of a filter with which a
 * page is first looked for among the rows of all users, that statement too.
 */

/** A declared list of any kind. */
export type AnyList = List<Parameters, Filters, unknown>;

/** Whether something that a store exports is a declared list. */
export function isList(exported: unknown): exported is AnyList {
  return typeof exported === 'object' && exported !== null && 'page' in exported && 'filters' in exported;
}

const root = path.join(import.meta.dirname, '../..');

/** The text with a line for each clause, at any depth. */
function inLines(sql: string): string {
  return sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=(?:from|where|inner join|left join|order by|limit|union) )/g, '\n  ');
}

/** Whether a value of a filter is a number above one: of a condition that a statement has several times, once shows it. */
function isRepetition(value: unknown): boolean {
  return typeof value === 'number' && value > 1;
}

function settingsOf(filters: Filters): Record<string, unknown>[] {
  const plain = Object.fromEntries(Object.entries(filters).map(([name, [first]]) => [name, first]));
  const others = Object.entries(filters).flatMap(([name, [, ...values]]) =>
    values.filter((value) => !isRepetition(value)).map((value) => ({ ...plain, [name]: value })),
  );
  return [plain, ...others];
}

function fileOf(list: AnyList, engine: Engine): string {
  const { filters, orders, page, probes, count } = list;
  const [plain = {}, ...others] = settingsOf(filters);
  const [order = ''] = orders;
  const written = (title: string, statement: Statement<unknown>) =>
    `-- ${title}\n${inLines(compile(statement, engine).sql)};\n`;
  const told = (settings: object) =>
    Object.entries(settings)
      .filter(([name, value]) => value !== plain[name])
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ');
  return [
    '-- Made by `npm run generate` from the declaration of this list.\n',
    written('as it is without any filter', page({ order, descending: false, settings: plain as never })),
    ...others.flatMap((settings) => {
      const shape = { order, descending: false, settings: settings as never };
      const [first] = probes(shape);
      return [
        written(`with ${told(settings)}`, page(shape)),
        ...(first === undefined
          ? []
          : [written(`with ${told(settings)}, among the first rows of all users`, first)]),
      ];
    }),
    ...orders.map((each) =>
      written(`by ${each}, descending`, page({ order: each, descending: true, settings: plain as never })),
    ),
    written(
      `by ${orders[1] ?? order}, after a cursor`,
      page({
        order: orders[1] ?? order,
        descending: false,
        after: 'indexed',
        settings: plain as never,
      }),
    ),
    written('counted', count(plain as never)),
  ].join('\n');
}

/** The file of each list and engine, by its path. */
export async function listStatements(): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const store of globSync('src/features/**/*.store.ts', { cwd: root }).sort()) {
    const exported: Record<string, unknown> = await import(pathToFileURL(path.join(root, store)).href);
    for (const list of Object.values(exported).filter(isList))
      for (const engine of ['sqlite', 'postgres'] as const)
        files[`docs/sql/${engine}/${list.name}.sql`] = fileOf(list, engine);
  }
  return files;
}
