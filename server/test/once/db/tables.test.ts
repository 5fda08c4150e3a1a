import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { sqliteSchema } from 'confab-testing/stores/schemas.ts';

/** The columns that the types of rows declare, by table, each with ` null` if it can be null. */
function declaredColumns(): Map<string, string[]> {
  const text = globSync('server/src/db/tables/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const named = new Map(
    [...text.matchAll(/^(?:export )?type (\w+) = \{([^}]*)\};$/gm)].map(([, name, body]) => [name, body]),
  );
  const tables = text.matchAll(/^ {2}(\w+): ((?:\w+ &\s+)*)\{([^}]*)\}((?: & \w+)*);$/gm);
  const columnsOf = (names: string) =>
    [...names.matchAll(/\w+/g)].map(([name]) => named.get(name) ?? '').join(';');
  return new Map(
    [...tables].map(([, table = '', first = '', own = '', last = '']) => [
      table,
      [...`${own.trimEnd()};${columnsOf(first)};${columnsOf(last)}`.matchAll(/(\w+): ([^;]+?)(?:;|\s*$)/g)]
        .map(([, column, type = '']) => `${column}${/\bnull\b/.test(type) ? ' null' : ''}`)
        .sort(),
    ]),
  );
}

/** The types of rows are what the compiler checks statements by, and nothing else compares them with the steps. */
describe('the types of rows', () => {
  let stores: BothStores;
  before(async () => {
    stores = await openBothStores();
  });
  after(() => stores.close());

  it('have the columns of the schema, and the same ones can be null', () => {
    const { columns } = sqliteSchema(stores.sqlite);
    const declared = declaredColumns();
    assert.ok(declared.size > 30);
    for (const [table, found] of Object.entries(columns)) {
      const made = found.map((column) => column.split(' ')[0] + (/ not null/.test(column) ? '' : ' null'));
      const text = `in server/src/db/tables/, write the columns of ${table} as its migrations make them, with "| null" unless one is "not null"`;
      assert.deepEqual(declared.get(table), made.sort(), text);
    }
  });
});
