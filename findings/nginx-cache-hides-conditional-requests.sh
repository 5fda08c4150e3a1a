#!/usr/bin/env bash
# nginx removes If-None-Match and Range from the request wherever `proxy_cache` is on, also for answers that forbid caching.
# A server behind it that answers `no-store` with an entity tag sees no condition, so it cannot answer 304 or 206, and clients
# get the whole answer each time.
set -euo pipefail
cd "$(mktemp -d)"
trap 'kill $(cat nginx.pid server.pid 2>/dev/null) 2>/dev/null || true; rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0
# Debian 12's nginx, unpacked here in place of installed.
apt-get download nginx nginx-common &>apt.log || { cat apt.log; exit 1; }
for each in *.deb; do dpkg -x "$each" debian; done

cat > server.mjs <<'E'
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';
const server = createServer((request, response) => {
  const { 'if-none-match': tag = 'none', range = 'none' } = request.headers;
  response.writeHead(200, { etag: '"1"', 'cache-control': 'no-store', seen: `If-None-Match ${tag}, Range ${range}` });
  response.end('hello');
}).listen(0, '127.0.0.1', () => writeFileSync('port', String(server.address().port)));
E
node_modules/.bin/node server.mjs >server.log 2>&1 & echo $! > server.pid
until [ -s port ]; do sleep 0.1; done
cat > nginx.conf <<E
user $(id -un) $(id -gn); pid nginx.pid; error_log stderr; events {}
http {
  access_log off; client_body_temp_path body; proxy_temp_path temporary; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  proxy_cache_path cache keys_zone=pages:1m;
  server {
    listen unix:$PWD/nginx.socket;
    location /plain { proxy_pass http://127.0.0.1:$(cat port); }
    location /cached { proxy_cache pages; proxy_pass http://127.0.0.1:$(cat port); }
  }
}
E
./debian/usr/sbin/nginx -p "$PWD" -c "$PWD/nginx.conf" -e stderr
./debian/usr/sbin/nginx -v 2>&1 | grep -oE 'nginx/[0-9.]+' | tee seen
for each in plain cached; do
  got=$(curl -si --unix-socket nginx.socket -H 'If-None-Match: "1"' -H 'Range: bytes=0-1' "http://localhost/$each" | tr -d '\r')
  echo "$each: $(head -1 <<<"$got"); the server has seen $(grep -i '^seen:' <<<"$got" | cut -d' ' -f2-)" | tee -a seen
done
diff seen - <<'E'
nginx/1.22.1
plain: HTTP/1.1 200 OK; the server has seen If-None-Match "1", Range bytes=0-1
cached: HTTP/1.1 200 OK; the server has seen If-None-Match none, Range none
E
