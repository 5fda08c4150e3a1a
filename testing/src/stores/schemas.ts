import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';

/** The guarantees of a schema in words that do not depend on the engine; every list is sorted. */
export type Schema = {
  /** By table, each column as `name type [not null] [default …]`. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly primaryKeys: Readonly<Record<string, string>>;
  readonly foreignKeys: readonly string[];
  /** The number of checks of a table. */
  readonly checks: Readonly<Record<string, number>>;
  /** Each as `table (columns) [unique] [where …]`. */
  readonly indexes: readonly string[];
  readonly searchTables: readonly string[];
};

function columnText(
  name: unknown,
  { type, isRequired, preset }: { type: unknown; isRequired: boolean; preset: unknown },
): string {
  return `${name} ${type}${isRequired ? ' not null' : ''}${preset === null ? '' : ` default ${preset}`}`;
}

function indexText(
  table: unknown,
  { columns, isUnique, where }: { columns: unknown; isUnique: boolean; where: string | undefined },
): string {
  const condition = where === undefined ? '' : ` where ${where.toLowerCase().replaceAll(/[()]/g, '')}`;
  return `${table} (${columns})${isUnique ? ' unique' : ''}${condition}`;
}

/** Reads the schema of a SQLite database. */
export function sqliteSchema(database: DatabaseSync): Schema {
  const all = (sql: string) => database.prepare(sql).all();
  const tables = all(
    `select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'
      and sql not like 'create virtual%' and name not like '%\\_search\\_%' escape '\\' order by name`,
  ).map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
  const columns: Record<string, string[]> = {};
  const primaryKeys: Record<string, string> = {};
  const checks: Record<string, number> = {};
  const foreignKeys: string[] = [];
  const indexes: string[] = [];
  for (const { name: table, sql } of tables) {
    const found = all(`select * from pragma_table_info('${table}')`);
    columns[table] = found
      .map((column) =>
        columnText(column.name, {
          type: String(column.type).toLowerCase(),
          isRequired: column.notnull === 1 || column.pk !== 0,
          preset: column.dflt_value,
        }),
      )
      .sort();
    primaryKeys[table] = found
      .filter((column) => column.pk !== 0)
      .sort((a, b) => Number(a.pk) - Number(b.pk))
      .map((column) => column.name)
      .join(', ');
    checks[table] = sql.match(/\bcheck \(/g)?.length ?? 0;
    for (const key of all(`select * from pragma_foreign_key_list('${table}')`))
      foreignKeys.push(
        `${table} (${key.from}) to ${key.table} (${key.to}) on delete ${String(key.on_delete).toLowerCase()}`,
      );
    for (const index of all(`select * from pragma_index_list('${table}') where origin <> 'pk'`)) {
      const text = all(`select sql from sqlite_master where name = '${index.name}'`)[0]?.sql;
      indexes.push(
        indexText(table, {
          columns: all(`select name from pragma_index_info('${index.name}') order by seqno`)
            .map((column) => column.name ?? 'expression')
            .join(', '),
          isUnique: index.unique === 1,
          where: / where (.*)$/.exec(String(text))?.[1],
        }),
      );
    }
  }
  return {
    columns,
    primaryKeys,
    checks,
    foreignKeys: foreignKeys.sort(),
    indexes: indexes.sort(),
    searchTables: all(
      `select name from sqlite_master where type = 'table' and sql like '%using fts5(%' order by name`,
    ).map(({ name }) => String(name)),
  };
}

const types: Readonly<Record<string, string>> = { bigint: 'integer', text: 'text', bytea: 'blob' };

/** Reads the schema of a PostgreSQL database. */
export async function postgresSchema(client: pg.Client): Promise<Schema> {
  const all = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows;
  const columns: Record<string, string[]> = {};
  const primaryKeys: Record<string, string> = {};
  const checks: Record<string, number> = {};
  const isOwn = `relnamespace = 'public'::regnamespace and relname not like '%\\_search'`;
  for (const column of await all(
    `select relname, attname, format_type(atttypid, null) as type, attnotnull, pg_get_expr(adbin, adrelid) as preset
      from pg_class join pg_attribute on attrelid = pg_class.oid
      left join pg_attrdef on adrelid = pg_class.oid and adnum = attnum
      where ${isOwn} and relkind = 'r' and attnum > 0 and not attisdropped`,
  )) {
    const table = String(column.relname);
    checks[table] = 0;
    columns[table] ??= [];
    columns[table].push(
      columnText(column.attname, {
        type: types[String(column.type)] ?? column.type,
        isRequired: column.attnotnull === 1,
        preset: column.preset === null ? null : String(column.preset).replace(/::text$/, ''),
      }),
    );
  }
  for (const list of Object.values(columns)) list.sort();
  const namesOf = (keys: string, table: string) =>
    `(select string_agg(attname, ', ' order by place) from unnest(${keys}) with ordinality as element (number, place)
      join pg_attribute on attrelid = ${table} and attnum = number)`;
  const foreignKeys: string[] = [];
  for (const constraint of await all(
    `select relname, contype, confrelid::regclass::text as other, ${namesOf('conkey', 'conrelid')} as own_columns,
        ${namesOf('confkey', 'confrelid')} as other_columns,
        case confdeltype when 'c' then 'cascade' when 'a' then 'no action' else confdeltype::text end as removal
      from pg_constraint join pg_class on pg_class.oid = conrelid where ${isOwn}`,
  )) {
    const table = String(constraint.relname);
    if (constraint.contype === 'p') primaryKeys[table] = String(constraint.own_columns);
    if (constraint.contype === 'c') checks[table] = (checks[table] ?? 0) + 1;
    if (constraint.contype === 'f')
      foreignKeys.push(
        `${table} (${constraint.own_columns}) to ${constraint.other} (${constraint.other_columns}) on delete ${constraint.removal}`,
      );
  }
  const indexes = (
    await all(
      `select relname, indisunique, (
            select string_agg(coalesce(attname, 'expression'), ', ' order by place)
            from unnest(indkey::int2[]) with ordinality as key (number, place)
            left join pg_attribute on attrelid = indrelid and attnum = key.number and attnum > 0) as columns,
          pg_get_expr(indpred, indrelid) as condition
        from pg_index join pg_class on pg_class.oid = indrelid where ${isOwn} and not indisprimary`,
    )
  ).map((index) =>
    indexText(index.relname, {
      columns: index.columns,
      isUnique: index.indisunique === 1,
      where:
        index.condition === null ? undefined : String(index.condition).replaceAll(/::(?:text|bigint)/g, ''),
    }),
  );
  const searchTables = await all(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname like '%\\_search' order by relname`,
  );
  return {
    columns: sorted(columns),
    primaryKeys: sorted(primaryKeys),
    checks: sorted(checks),
    foreignKeys: foreignKeys.sort(),
    indexes: indexes.sort(),
    searchTables: searchTables.map(({ relname }) => String(relname)),
  };
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
