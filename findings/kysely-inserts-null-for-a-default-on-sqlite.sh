#!/usr/bin/env bash
# Kysely inserts null on SQLite where one row of several leaves out a column that has a default.
# The same rows one by one get the default, and PostgreSQL gets it in both cases.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0 kysely@0.29.9

cat > try.mjs <<'E'
import { DatabaseSync } from 'node:sqlite';
import { DummyDriver, Kysely, PostgresAdapter, PostgresQueryCompiler, SqliteAdapter, SqliteQueryCompiler } from 'kysely';

const builder = (createAdapter, createQueryCompiler) =>
  new Kysely({ dialect: { createAdapter, createQueryCompiler, createDriver: () => new DummyDriver(), createIntrospector: () => undefined } });
const sqlite = builder(() => new SqliteAdapter(), () => new SqliteQueryCompiler());
const postgres = builder(() => new PostgresAdapter(), () => new PostgresQueryCompiler());

const rows = [{ id: 1 }, { id: 2, state: 'closed' }];
const insert = (kysely, values) => kysely.insertInto('issue').values(values).compile();
console.log(`PostgreSQL: ${insert(postgres, rows).sql}`);
console.log(`SQLite: ${insert(sqlite, rows).sql}`);

const database = new DatabaseSync(':memory:');
database.exec("create table issue (id integer primary key, state text default 'open')");
const run = ({ sql, parameters }) => database.prepare(sql).run(...parameters);
run(insert(sqlite, rows));
run(insert(sqlite, [{ id: 3 }]));
console.log(JSON.stringify(database.prepare('select id, state from issue').all()));
E
npx node try.mjs | tee seen
diff seen - <<'E'
PostgreSQL: insert into "issue" ("id", "state") values ($1, default), ($2, $3)
SQLite: insert into "issue" ("id", "state") values (?, null), (?, ?)
[{"id":1,"state":null},{"id":2,"state":"closed"},{"id":3,"state":"open"}]
E
