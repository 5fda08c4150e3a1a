#!/usr/bin/env bash
# undici fails a request whose answer begins with `100 Continue` that it has not asked for, and reports a closed socket.
# RFC 9110, section 15.2, has clients parse any 1xx before the final answer, expected or not; `node:http` does, and so does
# undici with a 103. `fetch` of Node is undici as well.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0 undici@8.13.1

cat > try.mjs <<'E'
import { get } from 'node:http';
import { createServer } from 'node:net';
import { request } from 'undici';

async function serve(interim) {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(`${interim}\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi`));
    socket.on('error', () => undefined);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${server.address().port}/`;
}
const clients = {
  'node:http': (url) => new Promise((done, fail) => get(url, ({ statusCode }) => done(statusCode)).on('error', fail)),
  'undici 8.13.1': async (url) => (await request(url)).statusCode,
  fetch: async (url) => (await fetch(url)).status,
};
for (const interim of ['HTTP/1.1 103 Early Hints', 'HTTP/1.1 100 Continue'])
  for (const [name, client] of Object.entries(clients)) {
    const shown = await client(await serve(interim)).catch(({ cause, code, message }) => `${cause?.code ?? code}, ${cause?.message ?? message}`);
    console.log(`${interim.slice(9)}, ${name}: ${shown}`);
  }
process.exit();
E
npx node try.mjs | tee seen
diff seen - <<'E'
103 Early Hints, node:http: 200
103 Early Hints, undici 8.13.1: 200
103 Early Hints, fetch: 200
100 Continue, node:http: 200
100 Continue, undici 8.13.1: UND_ERR_SOCKET, bad response
100 Continue, fetch: UND_ERR_SOCKET, bad response
E
