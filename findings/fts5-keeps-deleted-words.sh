#!/usr/bin/env bash
# `pragma secure_delete = on` overwrites deleted rows of SQLite, and FTS5 keeps the words of a deleted row in its index.
# They leave the file when the parts of the index are merged, or with the option `secure-delete` of FTS5 itself.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0

cat > try.mjs <<'E'
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync('store.db');
const kept = (word) => readFileSync('store.db').includes(word);
database.exec(`
  pragma secure_delete = on;
  create table plain (id integer primary key, text);
  create virtual table words using fts5 (text, content = '', contentless_delete = 1);
  insert into plain values (1, 'plumbago');
  insert into words (rowid, text) values (1, 'xylophone');
  delete from plain;
  delete from words;
`);
console.log(`SQLite ${database.prepare('select sqlite_version() v').get().v}, after both rows are deleted:`);
console.log(`the word of the plain table is in the file: ${kept('plumbago')}`);
console.log(`the word of the index is in the file: ${kept('xylophone')}`);
database.exec("insert into words (words) values ('optimize')");
console.log(`after a merge of the index it is: ${kept('xylophone')}`);
E
npx node try.mjs | tee seen
diff seen - <<'E'
SQLite 3.53.4, after both rows are deleted:
the word of the plain table is in the file: false
the word of the index is in the file: true
after a merge of the index it is: false
E
