#!/usr/bin/env bash
# `url.domainToASCII` parses the host of a URL: it cuts what follows a slash, and makes an IPv4 address of a short number.
# A check of the domain of a mail address then accepts another domain than the one that was written.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0

cat > try.mjs <<'E'
import { domainToASCII } from 'node:url';

for (const domain of ['bücher.example', 'exa mple.com', 'a.example/b.example', 'a.example?b', '127.1', '0x7f000001'])
  console.log(`${domain}: ${JSON.stringify(domainToASCII(domain))}`);
E
npx node try.mjs | tee seen
diff seen - <<'E'
bücher.example: "xn--bcher-kva.example"
exa mple.com: ""
a.example/b.example: "a.example"
a.example?b: "a.example"
127.1: "127.0.0.1"
0x7f000001: "127.0.0.1"
E
