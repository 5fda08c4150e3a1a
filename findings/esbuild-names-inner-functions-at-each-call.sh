#!/usr/bin/env bash
# esbuild's `keepNames` defines the name of an inner function whenever the function around it runs.
# Names of functions in stack traces then cost a call of Object.defineProperty in each call of a hot function.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0 esbuild@0.28.2

cat > source.mjs <<'E'
export function outer(list) {
  const inner = (each) => each + 1;
  return list.map(inner);
}
E
npx esbuild source.mjs --keep-names --format=esm --outfile=built.mjs --log-level=error
cat > try.mjs <<'E'
let defined = 0;
const { defineProperty } = Object;
Object.defineProperty = (...args) => { defined += 1; return defineProperty(...args); };
const { outer } = await import('./built.mjs');
console.log(`defined while the module loads: ${defined}`);
defined = 0;
for (let call = 0; call < 1000; call += 1) outer([1]);
console.log(`defined in 1,000 calls: ${defined}`);
E
npx node try.mjs | tee seen
diff seen - <<'E'
defined while the module loads: 1
defined in 1,000 calls: 1000
E
