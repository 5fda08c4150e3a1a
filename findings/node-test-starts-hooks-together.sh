#!/usr/bin/env bash
# node:test runs the `before` hooks of a `describe` one after another, and those of a file all at once.
# A second hook that needs what the first one made fails, but only outside of a `describe`.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0

hooks() {
  cat <<'E'
  before(async () => { said.push('1 begins'); await new Promise((done) => setTimeout(done, 200)); said.push('1 ends'); });
  before(async () => { said.push('2 begins'); });
  test('hears', () => console.log(`SEEN ${place}: ${said.join(', ')}`));
E
}
echo "import { before, describe, test } from 'node:test'; const said = [];" | tee file.mjs > suite.mjs
{ echo "const place = 'a file';"; hooks; } >> file.mjs
{ echo "const place = 'a describe';"; echo "describe('suite', () => {"; hooks; echo '});'; } >> suite.mjs
for each in suite file; do npx node --test "$each.mjs" | grep -oE 'SEEN .*' | cut -c6- | tee -a seen; done
diff seen - <<'E'
a describe: 1 begins, 1 ends, 2 begins
a file: 1 begins, 2 begins, 1 ends
E
