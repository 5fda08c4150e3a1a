#!/usr/bin/env bash
# dependency-cruiser finds no module beside TypeScript 7, reports no violation and exits with 0.
# The same rule and files with TypeScript 5 are a violation and exit code 1: a gate in CI opens with an upgrade.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
mkdir src
echo '{"type":"module"}' > package.json
echo "import './b.ts';" > src/a.ts
echo 'export const b: number = 1;' > src/b.ts
cat > rules.cjs <<'E'
module.exports = {
  forbidden: [{ name: 'a-without-b', severity: 'error', from: { path: 'a[.]ts$' }, to: { path: 'b[.]ts$' } }],
};
E
for version in 5.9.3 7.0.2; do
  npm install --silent --no-audit --no-fund node@24.21.0 dependency-cruiser@18.7.2 "typescript@$version"
  status=0
  npx node node_modules/.bin/depcruise --config rules.cjs src > said || status=$?
  echo "typescript $version: exit code $status, $(grep -oE '\([0-9]+ modules[^)]*\)|[0-9]+ dependency violations \([^)]*\)' said | head -1)" | tee -a seen
done
diff seen - <<'E'
typescript 5.9.3: exit code 1, 1 dependency violations (1 errors, 0 warnings)
typescript 7.0.2: exit code 0, (0 modules, 0 dependencies cruised)
E
