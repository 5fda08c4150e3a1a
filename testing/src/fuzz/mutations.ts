import type { Random } from '../harness/random.ts';

/** A request as it goes over the wire. */
export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer | undefined;
};

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'];

/** What may stand for a part of a path: no ids, ids that no store has, and texts for other programs. */
const oddParts = [
  '%00',
  '%ff%fe',
  '%ed%a0%80',
  '%2e%2e',
  '..',
  '.',
  '',
  '%',
  '%zz',
  '%2F',
  '%252F',
  '~',
  '-1',
  '0',
  '00',
  '+1',
  '1e3',
  '1.0',
  '0x1',
  '9007199254740991',
  '9007199254740993',
  '99999999999999999999999',
  '%20',
  '%0d%0aSet-Cookie:a=b',
  '%F0%9F%98%80',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  "1'or'1'='1",
  '1;drop%20table%20apps',
  '{id}',
  '%D9%A1',
  'x'.repeat(3000),
  '%E4'.repeat(500),
];

const queryNames = [
  'top',
  'skip',
  'q',
  'order_by',
  'tag',
  'expand',
  'trashed',
  'count',
  'count_only',
  'after',
  'before',
  'since',
  'until',
  'cursor',
  'member',
  'type',
  'state',
  'content',
  'id',
  'app',
  'user',
  'd',
  'v',
  'expires',
  '__proto__',
  'x',
];

const oddValues = [
  '',
  '%',
  '%00',
  '%ff',
  '%ed%a0%80',
  '-1',
  '0',
  '1.5',
  '1e400',
  'NaN',
  'true',
  'null',
  '[]',
  '%7B%7D',
  '9007199254740993',
  '%22',
  '%27%20or%201=1--',
  '*',
  '%25%25',
  '(((((((((((',
  'id%20desc,id%20asc',
  'a%20AND%20b%20NOT%20c',
  'NEAR(a%20b)',
  '2026-02-30T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  'w'.repeat(2000),
  '%F0%9F%98%80'.repeat(200),
];

/** Values of headers that clients, proxies and attackers send. */
const oddHeaders: { readonly [name: string]: readonly string[] } = {
  accept: ['', '*/*', 'text/html', 'application/json;q=0', 'image/webp,*/*;q=0.1', ';;;', 'x'.repeat(500)],
  'accept-encoding': ['identity', 'br;q=0', '*;q=0', 'x', ''],
  'accept-language': ['*', 'de-CH', 'x'.repeat(400), ';q=', 'zh-Hant-TW-x-a-b-c'],
  authorization: [
    '',
    'Bearer',
    'Bearer  x',
    'bearer',
    'Basic Og==',
    `Bearer ${'x'.repeat(5000)}`,
    'Digest x',
  ],
  'content-encoding': ['gzip', 'identity', 'br', 'x'],
  'content-type': [
    '',
    'application/json; charset=utf-16',
    'application/json; charset=UTF-8',
    'application/JSON',
    'application/merge-patch+json',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=a',
    'application/x-www-form-urlencoded',
    'text/plain',
    ';',
    'application/json, application/json',
  ],
  cookie: ['a=b', '=', '__Host-confab=x', 'confab_session=x; confab_session=y', ';;;'],
  'idempotency-key': ['', ' ', '"', '"a"', 'a'.repeat(256), 'a b', 'fuzz-1', 'fuzz-2'],
  'if-match': ['*', '""', 'W/"x"', '"x"', 'x', '"a","b"', ','],
  'if-none-match': ['*', '""', 'W/"x"', 'x', ',,,'],
  'if-modified-since': ['x', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  origin: ['null', 'https://example.com', 'x', 'http://[::1]:99999'],
  prefer: [
    'return=minimal',
    'return=',
    'handling=strict',
    'handling=lenient, return=minimal',
    'wait=9',
    '=;=',
  ],
  range: ['bytes=0-', 'bytes=-0', 'bytes=5-2', 'bytes=0-0,2-3', 'bytes=99999999999999999999-', 'x=1'],
  referer: ['x', 'https://example.com/%00', 'javascript:1'],
  traceparent: [
    'x',
    `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`,
    `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  ],
  'x-confab-user': ['', '0', '-1', 'ada', 'nobody', '%00', '%', 'x'.repeat(600), '1'],
  'x-forwarded-for': ['1.2.3.4', '::1', 'x', '1.2.3.4, 5.6.7.8, ', '999.1.1.1'],
  'x-forwarded-proto': ['https', 'x', 'http,https'],
  'x-http-method-override': ['DELETE', 'x'],
  'x-request-id': ['a', 'a b', 'x'.repeat(200), '{}'],
  'x-weavy-source': ['@weavy/uikit-web', 'x', ''],
};

/** JSON that parsers, stores and page makers trip over. */
const oddJson = [
  'null',
  'true',
  '-0',
  '1e999',
  '1E-999',
  '123456789012345678901234567890',
  '0.1000000000000000055511151231257827',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e\\ufeff\\u2028"',
  '"<script>canary(1)</script>"',
  '"[a](javascript:1)"',
  '"@ada @Bob @nobody"',
  '"https://127.0.0.1:1/"',
  '"2026-13-01T00:00:00Z"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":1}}',
  '{"":""}',
  '{"a":1,"a":2}',
  `"${'x'.repeat(20_000)}"`,
  `"${'\u{1f600}'.repeat(2000)}"`,
  `${'['.repeat(40)}${']'.repeat(40)}`,
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
  `[${'{},'.repeat(300)}{}]`,
];

const mutations: readonly ((sent: Sent, random: Random) => Sent)[] = [
  (sent, random) => ({ ...sent, method: random.draw(methods) }),
  withOddPart,
  withOddPart,
  (sent, random) => ({
    ...sent,
    path: `${sent.path}${random.draw(['/', '//', '/.', ';a=b', '%20', '?', '#'])}`,
  }),
  withLetterOfOtherCase,
  withQuery,
  withQuery,
  withHeader,
  withHeader,
  withoutHeader,
  withOddJson,
  withOddJson,
  withBytesChanged,
  withPartRepeated,
  (sent, random) =>
    sent.body === undefined
      ? sent
      : { ...sent, body: sent.body.subarray(0, random.integer(0, sent.body.length)) },
  (sent, random) => ({ ...sent, body: Buffer.from(random.draw(oddJson)) }),
];

/** A request with one to three faults, which may leave it as it is. */
export function mutated(sent: Sent, random: Random): Sent {
  let changed = sent;
  for (let faults = random.integer(1, 3); faults > 0; faults -= 1)
    changed = random.draw(mutations)(changed, random);
  // A body without a type is refused before it is read.
  const isTyped = changed.body === undefined || 'content-type' in changed.headers || random.oneIn(10);
  return isTyped
    ? changed
    : { ...changed, headers: { ...changed.headers, 'content-type': 'application/json' } };
}

function withOddPart(sent: Sent, random: Random): Sent {
  const [place = '', query] = split(sent.path);
  const parts = place.split('/');
  parts[random.integer(1, parts.length)] = random.draw(oddParts);
  return { ...sent, path: joined(parts.join('/'), query) };
}

function withLetterOfOtherCase(sent: Sent, random: Random): Sent {
  const at = random.integer(0, sent.path.length - 1);
  const letter = sent.path.charAt(at);
  const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
  return { ...sent, path: sent.path.slice(0, at) + other + sent.path.slice(at + 1) };
}

function withQuery(sent: Sent, random: Random): Sent {
  const [place = '', query] = split(sent.path);
  const times = random.oneIn(20) ? 300 : random.integer(1, 3);
  const more = Array.from({ length: times }, () => `${random.draw(queryNames)}=${random.draw(oddValues)}`);
  return { ...sent, path: joined(place, [query, ...more].filter((part) => part !== undefined).join('&')) };
}

function withHeader(sent: Sent, random: Random): Sent {
  const name = random.draw(Object.keys(oddHeaders));
  return { ...sent, headers: { ...sent.headers, [name]: random.draw(oddHeaders[name] ?? []) } };
}

function withoutHeader(sent: Sent, random: Random): Sent {
  const left = { ...sent.headers };
  delete left[random.pick(Object.keys(left)) ?? ''];
  return { ...sent, headers: left };
}

/** Puts another value in the place of one of a JSON body. */
function withOddJson(sent: Sent, random: Random): Sent {
  const text = sent.body?.toString();
  if (text === undefined || !text.startsWith('{')) return sent;
  const values = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|[-\d.eE+]+|true|false|null|\[|\{)/g)];
  const found = random.pick(values);
  if (found === undefined) return sent;
  const at = found.index + 1;
  const end = at + (found[1] ?? '').length;
  // In the place of a bracket it makes the text unreadable, which is tried as well.
  return { ...sent, body: Buffer.from(text.slice(0, at) + random.draw(oddJson) + text.slice(end)) };
}

function withBytesChanged(sent: Sent, random: Random): Sent {
  if (sent.body === undefined || sent.body.length === 0) return sent;
  const body = Buffer.from(sent.body);
  for (let times = random.integer(1, 4); times > 0; times -= 1)
    body[random.integer(0, body.length - 1)] = random.integer(0, 255);
  return { ...sent, body };
}

function withPartRepeated(sent: Sent, random: Random): Sent {
  if (sent.body === undefined) return sent;
  const [from, to] = [random.integer(0, sent.body.length), random.integer(0, sent.body.length)].sort(
    (a, b) => a - b,
  );
  const [head, part, tail] = [
    sent.body.subarray(0, from),
    sent.body.subarray(from, to),
    sent.body.subarray(to),
  ];
  const times = random.draw([2, 2, 3, 50]);
  if (part.length * times > 200_000) return sent;
  return { ...sent, body: Buffer.concat([head, ...Array<Buffer>(times).fill(part), tail]) };
}

function split(path: string): [place: string, query: string | undefined] {
  const at = path.indexOf('?');
  return at < 0 ? [path, undefined] : [path.slice(0, at), path.slice(at + 1)];
}

function joined(place: string, query: string | undefined): string {
  return query === undefined ? place : `${place}?${query}`;
}
