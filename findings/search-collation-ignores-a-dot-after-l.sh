#!/usr/bin/env bash
# The collation for searching of CLDR ignores a middle dot behind any l, in every language, and takes the last consonant of a
# Korean syllable for the first of the next. Other letters keep their dot. Two words that a reader tells apart are one then.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0

cat > try.mjs <<'E'
const { compare } = new Intl.Collator('und', { usage: 'search', sensitivity: 'base' });
console.log(`CLDR ${process.versions.cldr}, Unicode ${process.versions.unicode}`);
for (const [one, other] of [['col·lega', 'collega'], ['html·css', 'htmlcss'], ['js·css', 'jscss'], ['각', '가ㄱ'], ['ﷺ', 'ﷺ'.normalize('NFKD')]])
  console.log(`${one} and ${other}: ${compare(one, other) === 0 ? 'equal' : 'different'}`);
E
npx node try.mjs | tee seen
diff seen - <<'E'
CLDR 48.0, Unicode 17.0
col·lega and collega: equal
html·css and htmlcss: equal
js·css and jscss: different
각 and 가ㄱ: equal
ﷺ and صلى الله عليه وسلم: different
E
