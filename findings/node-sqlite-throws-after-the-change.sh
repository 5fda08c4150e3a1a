#!/usr/bin/env bash
# On Node 26, `run` of `node:sqlite` throws ERR_OUT_OF_RANGE after it has changed the store, where the newest row of the
# connection has an id beyond 2^53: also for an update that inserts nothing, and even though nobody reads the id. Node 24
# rounds the id. Ids of one's own seldom are that large, but FTS5 writes rows with such ids when it forgets words.
# `setReadBigInts(true)` gives the exact id on both.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT

cat > try.mjs <<'E'
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(':memory:');
database.exec('create table notes (id integer primary key, text text)');
const outcomeOf = (sql, isBig) => {
  const statement = database.prepare(sql);
  statement.setReadBigInts(isBig);
  try {
    return `newest row ${statement.run().lastInsertRowid}`;
  } catch ({ code }) {
    return code;
  }
};
console.log(`insert: ${outcomeOf("insert into notes values (9007199254740993, 'a')", false)}`);
console.log(`update: ${outcomeOf("update notes set text = 'b'", false)}`);
console.log(`there is: ${database.prepare('select text from notes').get().text}`);
console.log(`update with BigInt: ${outcomeOf("update notes set text = 'c'", true)}`);
E

for version in 24.21.0 26.10.0; do
  npm install --silent --no-audit --no-fund "node@$version"
  echo "Node $version"
  npx node --no-warnings try.mjs
done | tee seen
diff seen - <<'E'
Node 24.21.0
insert: newest row 9007199254740992
update: newest row 9007199254740992
there is: b
update with BigInt: newest row 9007199254740993
Node 26.10.0
insert: ERR_OUT_OF_RANGE
update: ERR_OUT_OF_RANGE
there is: b
update with BigInt: newest row 9007199254740993
E
