#!/usr/bin/env bash
# The S3 client sends a stream without Content-Length although the caller gives it, because a checksum follows in a trailer.
# Stores that want a length or know no aws-chunked refuse the upload; `requestChecksumCalculation: 'WHEN_REQUIRED'` sends both
# the length and the bytes as they are. A Buffer is sent plainly in either case.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund node@24.21.0 @aws-sdk/client-s3@3.1175.0

cat > try.mjs <<'E'
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

let got;
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  got = { length: request.headers['content-length'] ?? 'none', body: Buffer.concat(chunks).toString() };
  response.setHeader('etag', '"x"').end();
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const bytes = () => Buffer.from('hello');
for (const checksums of ['default', 'WHEN_REQUIRED'])
  for (const [kind, Body] of [['buffer', bytes()], ['stream', Readable.from([bytes()])]]) {
    const client = new S3Client({
      endpoint: `http://127.0.0.1:${server.address().port}`,
      region: 'eu-west-1',
      forcePathStyle: true,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
      ...(checksums === 'default' ? {} : { requestChecksumCalculation: checksums }),
    });
    await client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'file', Body, ContentLength: 5 }));
    console.log(`${checksums}, ${kind}: length ${got.length}, body ${JSON.stringify(got.body)}`);
  }
process.exit();
E
npx node try.mjs | tee seen
diff seen - <<'E'
default, buffer: length 5, body "hello"
default, stream: length none, body "5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n"
WHEN_REQUIRED, buffer: length 5, body "hello"
WHEN_REQUIRED, stream: length 5, body "hello"
E
