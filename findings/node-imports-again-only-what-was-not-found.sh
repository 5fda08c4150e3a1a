#!/usr/bin/env bash
# A second `import()` of a module that could not be loaded loads it anew; of one that threw, it repeats the old error until the process ends.
# So a retry heals a missing file or a full table of descriptors, and never an error of the module's own first run, such as a
# database that was away.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0

cat > try.mjs <<'E'
import { writeFileSync } from 'node:fs';

const outcome = (name) => import(name).then(({ value }) => value, (error) => error.code ?? error.message);
console.log(`missing file: ${await outcome('./late.mjs')}`);
writeFileSync('late.mjs', "export const value = 'loaded';");
console.log(`the same once it is there: ${await outcome('./late.mjs')}`);

writeFileSync('throws.mjs', "if (!globalThis.isReady) throw new Error('not ready'); export const value = 'loaded';");
console.log(`throws at first: ${await outcome('./throws.mjs')}`);
globalThis.isReady = true;
console.log(`the same once it would not: ${await outcome('./throws.mjs')}`);
E
npx node try.mjs | tee seen
diff seen - <<'E'
missing file: ERR_MODULE_NOT_FOUND
the same once it is there: loaded
throws at first: not ready
the same once it would not: not ready
E
