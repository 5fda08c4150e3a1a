#!/usr/bin/env bash
# PostgreSQL answers the `commit` of a transaction in which a statement failed without an error.
# Only the command tag says that it was rolled back: `pg` resolves, with `command` "ROLLBACK" in place of "COMMIT".
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund --legacy-peer-deps node@24.21.0 pg@8.23.1 @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17

cat > try.mjs <<'E'
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';

const server = new PGLiteSocketServer({ db: await PGlite.create(), path: `${process.cwd()}/.s.PGSQL.5432` });
await server.start();
const client = new pg.Client({ host: process.cwd(), user: 'postgres', database: 'postgres' });
await client.connect();
await client.query('create table entry (id int primary key)');
await client.query('begin');
await client.query('insert into entry values (1)');
const refused = await client.query('insert into entry values (1)').catch((error) => error.code);
const { command } = await client.query('commit');
const { rowCount } = await client.query('select * from entry');
console.log(`the second insert is refused with ${refused}; commit resolves with ${command}; rows: ${rowCount}`);
process.exit();
E
npx node try.mjs | tee seen
diff seen - <<'E'
the second insert is refused with 23505; commit resolves with ROLLBACK; rows: 0
E
