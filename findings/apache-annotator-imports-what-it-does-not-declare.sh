#!/usr/bin/env bash
# @apache-annotator/dom imports @apache-annotator/selector, which it names among its development dependencies alone.
# So it cannot be imported after it was installed as its guide says; where both are installed it works.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0 @apache-annotator/dom@0.2.0

cat > try.mjs <<'J'
const outcome = await import('@apache-annotator/dom').then(
  (found) => typeof found.createTextQuoteSelectorMatcher,
  ({ code }) => code,
);
console.log(`${process.argv[2]}: ${outcome}`);
J
npx node try.mjs alone | tee seen
npm install --silent --no-audit --no-fund @apache-annotator/selector@0.2.0
npx node try.mjs 'with the selector' | tee -a seen
diff seen - <<'J'
alone: ERR_MODULE_NOT_FOUND
with the selector: function
J
