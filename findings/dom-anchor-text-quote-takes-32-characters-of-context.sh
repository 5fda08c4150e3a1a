#!/usr/bin/env bash
# dom-anchor-text-quote throws at a prefix of more than 32 characters, once the text has changed there.
# It cuts the quote itself into pieces of 32 characters, which is all that diff-match-patch takes, but not its context. The Web
# Annotation Data Model sets no limit to a prefix, and an unchanged text hides the fault.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0 dom-anchor-text-quote@4.0.2 diff-match-patch@1.0.5

cat > try.cjs <<'J'
const { toTextPosition } = require('dom-anchor-text-quote');

const text = 'The road goes ever on and on, down from the door where it began. Now far ahead the road has gone.';
const root = { textContent: text.replace('goes ever on', 'leads on') };
const start = text.indexOf('where it began');
for (const length of [32, 33]) {
  const selector = { exact: 'where it began', prefix: text.slice(start - length, start), suffix: '.' };
  try {
    const { start: from, end } = toTextPosition(root, selector);
    console.log(`a prefix of ${length}: ${root.textContent.slice(from, end)}`);
  } catch (error) {
    console.log(`a prefix of ${length}: ${error.message}`);
  }
}
J
npx node try.cjs | tee seen
diff seen - <<'J'
a prefix of 32: where it began
a prefix of 33: Pattern too long for this browser.
J
