/** Requests that no HTTP client would send, as bytes, with the status of the response. */
export type FramingRow = {
  readonly name: string;
  /** The bytes; `auth` is a whole Authorization line. */
  readonly bytes: (auth: string) => string | Buffer;
  readonly status: number;
  /** Whether the body must be a problem; absent for requests that succeed. */
  readonly isProblem?: boolean;
};

const host = 'Host: confab.test';
const close = 'Connection: close';
const json = 'Content-Type: application/json';
const body = '{"uid":"framed","type":"comments"}';
const length = `Content-Length: ${body.length}`;

function request(line: string, headers: readonly string[], content = ''): string {
  return `${[line, ...headers].join('\r\n')}\r\n\r\n${content}`;
}

function chunked(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
}

const post = 'POST /api/apps HTTP/1.1';
const get = 'GET /api/apps HTTP/1.1';

function bad(name: string, bytes: (auth: string) => string | Buffer, status = 400): FramingRow {
  return { name, bytes, status, isProblem: true };
}

/** Each of these is refused and changes nothing. */
export const framingRows: readonly FramingRow[] = [
  bad('Content-Length and Transfer-Encoding', (auth) =>
    request(post, [host, auth, json, length, 'Transfer-Encoding: chunked'], chunked(body)),
  ),
  bad('Transfer-Encoding and Content-Length', (auth) =>
    request(post, [host, auth, json, 'Transfer-Encoding: chunked', length], chunked(body)),
  ),
  bad('two equal Content-Lengths', (auth) => request(post, [host, auth, json, length, length], body)),
  bad('two different Content-Lengths', (auth) =>
    request(post, [host, auth, json, length, 'Content-Length: 5'], body),
  ),
  bad('a list of Content-Lengths', (auth) =>
    request(post, [host, auth, json, `Content-Length: ${body.length}, ${body.length}`], body),
  ),
  ...['-1', '+5', '0x10', '1e3', '5.0', 'abc', '', '99999999999999999999999', '٣'].map((value) =>
    bad(`a Content-Length of "${value}"`, (auth) =>
      Buffer.from(request(post, [host, auth, json, `Content-Length: ${value}`], body)),
    ),
  ),
  bad('Transfer-Encoding gzip', (auth) =>
    request(post, [host, auth, json, 'Transfer-Encoding: gzip'], chunked(body)),
  ),
  bad('Transfer-Encoding chunked, gzip', (auth) =>
    request(post, [host, auth, json, 'Transfer-Encoding: chunked, gzip'], chunked(body)),
  ),
  bad('Transfer-Encoding xchunked', (auth) =>
    request(post, [host, auth, json, 'Transfer-Encoding: xchunked'], chunked(body)),
  ),
  bad('a chunk without a size', (auth) =>
    request(post, [host, auth, json, 'Transfer-Encoding: chunked'], `xyz\r\n${body}\r\n0\r\n\r\n`),
  ),
  bad('a chunk of a negative size', (auth) =>
    request(post, [host, auth, json, 'Transfer-Encoding: chunked'], `-5\r\n${body}\r\n0\r\n\r\n`),
  ),
  bad('a chunk that is longer than its size', (auth) =>
    request(post, [host, auth, json, 'Transfer-Encoding: chunked'], `3\r\n${body}\r\n0\r\n\r\n`),
  ),
  bad('a chunk size beyond 64 bits', (auth) =>
    request(
      post,
      [host, auth, json, 'Transfer-Encoding: chunked'],
      `FFFFFFFFFFFFFFFFF\r\n${body}\r\n0\r\n\r\n`,
    ),
  ),
  bad('no Host', (auth) => request(get, [auth, close])),
  bad('two Hosts', (auth) => request(get, [host, 'Host: other.test', auth, close])),
  bad('a folded header', (auth) => request(get, [host, auth, 'X-Long: a\r\n b', close])),
  bad('a space before the colon', (auth) => request(get, [host, auth, 'X-Bad : a', close])),
  bad('a header without a colon', (auth) => request(get, [host, auth, 'nonsense', close])),
  bad('an empty header name', (auth) => request(get, [host, auth, ': a', close])),
  bad('a NUL in a header', (auth) => request(get, [host, auth, 'X-Bad: a\u0000b', close])),
  bad('a bare CR in a header', (auth) => request(get, [host, auth, 'X-Bad: a\rb', close])),
  bad('a control character in a header name', (auth) => request(get, [host, auth, 'X\u0001Bad: a', close])),
  bad('an unknown method', (auth) => request('BREW /api/apps HTTP/1.1', [host, auth, close])),
  bad('a method in lower case', (auth) => request('get /api/apps HTTP/1.1', [host, auth, close])),
  bad('a method of another protocol', () => 'EHLO confab.test\r\n\r\n'),
  bad('a TLS greeting', () =>
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
  ),
  bad('an empty request line', (auth) => request(' ', [host, auth, close])),
  bad('no target', (auth) => request('GET HTTP/1.1', [host, auth, close])),
  bad('a space in the target', (auth) => request('GET /api/a pps HTTP/1.1', [host, auth, close])),
  bad('HTTP/9.9', (auth) => request('GET /api/apps HTTP/9.9', [host, auth, close])),
  bad('HTTP/2.0', (auth) => request('GET /api/apps HTTP/2.0', [host, auth, close])),
  bad('HTTP without a version', (auth) => request('GET /api/apps HTTP', [host, auth, close])),
  bad('a tab in the request line', (auth) => request('GET\t/api/apps\tHTTP/1.1', [host, auth, close])),
  bad('raw bytes in the target', (auth) =>
    Buffer.from(request('GET /api/apps/é HTTP/1.1', [host, auth, close])),
  ),
  bad(
    '20 KiB of one header',
    (auth) => request(get, [host, auth, `X-Long: ${'a'.repeat(20 * 1024)}`, close]),
    431,
  ),
  bad(
    '20 KiB of many headers',
    (auth) =>
      request(get, [
        host,
        auth,
        ...Array.from({ length: 1000 }, (_, i) => `X-H-${i}: aaaaaaaaaaaaaaaa`),
        close,
      ]),
    431,
  ),
  bad(
    '20 KiB of target',
    (auth) => request(`GET /api/apps/${'a'.repeat(20 * 1024)} HTTP/1.1`, [host, auth, close]),
    431,
  ),
  bad(
    '20 KiB of query',
    (auth) => request(`GET /api/apps?q=${'a'.repeat(20 * 1024)} HTTP/1.1`, [host, auth, close]),
    431,
  ),
  bad(
    'a declared length that is too large, with nothing sent',
    (auth) => request(post, [host, auth, json, 'Content-Length: 2000000']),
    413,
  ),
  bad(
    'chunks that are too large',
    (auth) =>
      request(
        post,
        [host, auth, json, 'Transfer-Encoding: chunked'],
        `${(1_100_000).toString(16)}\r\n${' '.repeat(1_100_000)}\r\n`,
      ),
    413,
  ),
  bad(
    'two types',
    (auth) => request(post, [host, auth, json, 'Content-Type: text/plain', length, close], body),
    415,
  ),
  bad(
    'two types that are equal',
    (auth) => request(post, [host, auth, json, json, length, close], body),
    415,
  ),
  bad('a body without a type', (auth) => request(post, [host, auth, length, close], body), 415),
  bad(
    'an expectation that cannot be met',
    (auth) => request(post, [host, auth, json, length, 'Expect: tea'], body),
    417,
  ),
  bad('a body without a length on HTTP/1.0', (auth) =>
    request(
      'POST /api/apps HTTP/1.0',
      [host, auth, json, 'Transfer-Encoding: chunked', length],
      chunked(body),
    ),
  ),
  ...['PROPFIND', 'LOCK', 'PURGE', 'REPORT', 'SEARCH', 'LINK', 'QUERY'].map((method) =>
    bad(
      `${method} on a collection`,
      (auth) => request(`${method} /api/apps HTTP/1.1`, [host, auth, close]),
      405,
    ),
  ),
  bad('TRACE', (auth) => request('TRACE /api/apps HTTP/1.1', [host, auth, close]), 405),
  bad('PROPFIND on nothing', (auth) => request('PROPFIND /nothing HTTP/1.1', [host, auth, close]), 404),
  { name: 'CONNECT', bytes: (auth) => request('CONNECT other.test:443 HTTP/1.1', [host, auth]), status: 0 },
];

/** Unusual but valid requests. */
export const rightRows: readonly FramingRow[] = [
  {
    name: 'empty lines before',
    bytes: (auth) => `\r\n\r\n${request(get, [host, auth, close])}`,
    status: 200,
  },
  {
    name: 'HTTP/1.0 without a Host',
    bytes: (auth) => request('GET /api/apps HTTP/1.0', [auth]),
    status: 200,
  },
  { name: 'an empty Host', bytes: (auth) => request(get, ['Host:', auth, close]), status: 200 },
  {
    name: 'the absolute form',
    bytes: (auth) => request('GET http://confab.test/api/apps HTTP/1.1', [host, auth, close]),
    status: 200,
  },
  {
    name: 'chunks',
    bytes: (auth) =>
      request(
        'POST /api/apps HTTP/1.1',
        [host, auth, json, 'Transfer-Encoding: chunked', close],
        chunked('{"uid":"chunked","type":"chat"}'),
      ),
    status: 201,
  },
  {
    name: 'chunks of one byte with trailers',
    bytes: (auth) =>
      request(
        'POST /api/apps HTTP/1.1',
        [host, auth, json, 'Transfer-Encoding: chunked', close],
        `${[...'{"uid":"trailed","type":"chat"}'].map((c) => `1\r\n${c}\r\n`).join('')}0\r\nX-Trailer: a\r\n\r\n`,
      ),
    status: 201,
  },
  {
    name: 'Expect: 100-continue',
    bytes: (auth) =>
      request(
        post,
        [host, auth, json, 'Expect: 100-continue', 'Content-Length: 33', close],
        '{"uid":"expected","type":"files"}',
      ),
    status: 201,
  },
  {
    name: 'a method override, which is ignored',
    bytes: (auth) =>
      request(get, [host, auth, 'X-HTTP-Method-Override: DELETE', 'X-Method-Override: DELETE', close]),
    status: 200,
  },
  {
    name: 'a rewritten address, which is ignored',
    bytes: (auth) =>
      request(get, [host, auth, 'X-Original-URL: /api/webhooks', 'X-Rewrite-URL: /nothing', close]),
    status: 200,
  },
  {
    name: 'a body on GET, which is ignored',
    bytes: (auth) => request(get, [host, auth, json, 'Content-Length: 5', close], '{"a":'),
    status: 200,
  },
  {
    name: 'a form body on GET, which is ignored',
    bytes: (auth) =>
      request(get, [host, auth, 'Content-Type: text/plain', 'Content-Length: 3', close], 'a=1'),
    status: 200,
  },
];
