import { decidedEarly } from './early.ts';

/**
 * Values of body fields and their outcome: accepted, a wrong JSON type (400), or a broken rule (422, and 400
 * where the operation declares no 422).
 */
export type FieldRow = {
  readonly field: string;
  readonly name: string;
  readonly value: unknown;
  readonly expected: 'ok' | 'wrong type' | 'broken rule';
};

type Outcome = FieldRow['expected'];

/** Fields whose values are looked up in the store, which then decides about some of them. */
const lookedUp = new Set([
  ...['blobs', 'blob_id', 'attachments', 'picture', 'embed_id', 'meeting_id', 'directory'],
  ...['members', 'user', 'app', 'version'],
]);

function rowsOf(field: string, expected: Outcome, values: { readonly [name: string]: unknown }): FieldRow[] {
  return namedRows(field, expected, Object.entries(values));
}

function namedRows(field: string, expected: Outcome, values: [name: string, value: unknown][]): FieldRow[] {
  const all = values.map(([name, value]) => ({ field, name, value, expected }));
  const isEarly = expected === 'wrong type' || (expected === 'broken rule' && !lookedUp.has(field));
  return isEarly ? [...decidedEarly(all)] : all;
}

/** A number that JSON can express and JavaScript cannot; it is inserted into the text of a body unchanged. */
export class RawNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The text of a body, with numbers that JavaScript cannot hold. */
export function textOf(value: unknown): string {
  if (value instanceof RawNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${textOf(member)}`);
  return `{${members.join(',')}}`;
}

const notStrings = {
  number: 5,
  zero: 0,
  true: true,
  false: false,
  object: {},
  array: ['x'],
  'empty array': [],
};
const notObjects = { number: 5, string: '{}', true: true, array: [], 'array of objects': [{}] };
const notArrays = { number: 5, string: 'x', true: true, object: {}, 'array-like': { '0': 'x', length: 1 } };
const notBooleans = { number: 1, zero: 0, string: 'true', array: [], object: {} };
const notIntegers = {
  string: '1',
  true: true,
  object: {},
  array: [1],
  fraction: 1.5,
  huge: new RawNumber('1e400'),
};

const illFormed = {
  NUL: 'a\u0000b',
  'high surrogate': 'a\ud800',
  'low surrogate': '\udc00a',
  'surrogates reversed': '\udc00\ud800',
};
const odd = {
  empty: '',
  space: ' ',
  'control characters': 'a\u0001\u001b\u007fb',
  'direction override': 'a\u202eb',
  'byte order mark': '\ufeffa',
  markup: '<script>alert(1)</script>',
  quote: `'"\\\``,
  statement: "'; drop table apps; --",
  template: '{{7*7}}',
  combining: `a${'\u0301'.repeat(200)}`,
  family: '👨‍👩‍👧‍👦',
  newline: 'a\r\nb',
};

function texts(field: string, max: number): FieldRow[] {
  return [
    ...rowsOf(field, 'wrong type', notStrings),
    ...rowsOf(field, 'broken rule', {
      ...illFormed,
      'too long': 'x'.repeat(max + 1),
      'too many emoji': '😀'.repeat(max + 1),
    }),
    ...rowsOf(field, 'ok', {
      ...odd,
      longest: 'x'.repeat(max),
      'longest of emoji': '😀'.repeat(max),
      null: null,
    }),
  ];
}

function nest(depth: number, inner: unknown = 1): Record<string, unknown> {
  let value: Record<string, unknown> = { a: inner };
  for (let i = 1; i < depth; i += 1) value = { a: value };
  return value;
}

function nestedArrays(depth: number): Record<string, unknown> {
  let value: unknown = [];
  for (let i = 2; i < depth; i += 1) value = [value];
  return { a: value };
}

const kib64 = 64 * 1024;
// `{"a":"…"}` has eight characters around its text.
const metadataOf = (bytes: number) => ({ a: 'x'.repeat(bytes - 8) });
const parsed = (text: string): unknown => JSON.parse(text);

const metadata: FieldRow[] = [
  ...rowsOf('metadata', 'wrong type', notObjects),
  ...rowsOf('metadata', 'broken rule', {
    'NUL in a value': { a: 'x\u0000' },
    'NUL in a key': { 'a\u0000': 1 },
    'surrogate in a value': { a: ['\ud800'] },
    'surrogate in a key': { a: { '\udfff': 1 } },
    infinite: { a: new RawNumber('1e400') },
    'minus infinite': { a: [new RawNumber('-1e400')] },
    'beyond 2^53': { a: new RawNumber('9007199254740993') },
    'below -2^53': { a: new RawNumber('-9007199254740993') },
    'a number of 400 digits': { a: new RawNumber('9'.repeat(400)) },
    'more digits than a double has': { a: new RawNumber('0.12345678901234567890123') },
    'a number too small for a double': { a: [{ b: new RawNumber('1e-400') }] },
    'a small number that a double changes': { a: new RawNumber('4.9e-324') },
    'one changed number among kept ones': {
      a: [1, new RawNumber('1e20'), new RawNumber('12345678901234567890')],
    },
    'one byte too many': metadataOf(kib64 + 1),
    'one byte too many, in characters of three': { a: '€'.repeat(Math.ceil((kib64 - 7) / 3)) },
    '33 levels': nest(33),
    '33 levels of arrays': nestedArrays(33),
    '60 levels': nest(60),
    '15,000 keys': Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [i, 0])),
  }),
  ...rowsOf('metadata', 'ok', {
    null: null,
    empty: {},
    'empty key': { '': '' },
    'every type': { s: 'x', n: 1.5, t: true, f: false, z: null, a: [], o: {} },
    'as many bytes as there may be': metadataOf(kib64),
    '32 levels': nest(32),
    '32 levels of arrays': nestedArrays(32),
    __proto__: parsed('{"__proto__":{"polluted":true}}'),
    'inner __proto__': parsed('{"a":{"__proto__":{"polluted":true}}}'),
    'constructor.prototype': { constructor: { prototype: { polluted: true } } },
    'names of methods': parsed(
      '{"toString":1,"valueOf":2,"hasOwnProperty":3,"toJSON":4,"then":5,"length":6}',
    ),
    'names of schemas': { $ref: '#/a', $id: 'x', type: 'string', '~1': 1, 'a/b': 2 },
    'integer-like keys': parsed('{"2":"b","1":"a"}'),
    'largest integers': { a: 9007199254740991, b: -9007199254740991 },
    'smallest numbers': { a: 5e-324, b: 0.1, c: 1e-7 },
    'minus zero': { a: new RawNumber('-0') },
    'beyond 2^53, and a double': { a: new RawNumber('1e20'), b: new RawNumber('9007199254740994') },
    'a power of two of 22 digits': { a: new RawNumber('1180591620717411303424') },
    'the largest double': { a: new RawNumber('1.7976931348623157E+308') },
    'seventeen digits of one double': { a: new RawNumber('0.30000000000000004'), b: new RawNumber('1.50') },
    'a text of digits beside a long number': {
      a: '"9007199254740993',
      b: new RawNumber('100000000000000000000'),
    },
    'a key of 1,000 characters': { ['k'.repeat(1000)]: 1 },
    emoji: { '😀': '👨‍👩‍👧' },
  }),
];

const tags: FieldRow[] = [
  ...rowsOf('tags', 'wrong type', {
    ...notArrays,
    'of numbers': [5],
    'of nulls': ['a', null],
    'of objects': [{}],
    'of arrays': [['a']],
  }),
  ...rowsOf('tags', 'broken rule', {
    'an empty one': [''],
    'a blank one': ['a', ' \t\n '],
    'a long one': ['x'.repeat(65)],
    'too many': Array.from({ length: 101 }, (_, i) => `t${i}`),
    NUL: ['a\u0000'],
    surrogate: ['\ud800'],
  }),
  ...rowsOf('tags', 'ok', {
    none: [],
    null: null,
    'the longest': ['x'.repeat(64), '😀'.repeat(64), ` ${'y'.repeat(64)} `],
    'as many as there may be': Array.from({ length: 100 }, (_, i) => `t${i}`),
    'many that are one': Array.from({ length: 500 }, () => 'same'),
    odd: ['<b>', "o'clock", '100%', 'a_b', '__proto__', 'constructor', 'ü', '日本'],
  }),
];

const blobs: FieldRow[] = [
  ...rowsOf('blobs', 'wrong type', {
    ...notArrays,
    'of strings': ['1'],
    'of fractions': [1.5],
    'of nulls': [null],
    'of objects': [{ id: 1 }],
  }),
  ...rowsOf('blobs', 'broken rule', {
    zero: [0],
    negative: [-1],
    'beyond 2^53': [new RawNumber('9007199254740992')],
    'nobody has': [987654321],
    'the same twice': [987654321, 987654321],
    'too many': Array.from({ length: 101 }, (_, i) => i + 1_000_000),
  }),
  ...rowsOf('blobs', 'ok', { none: [], null: null }),
];

const attachments: FieldRow[] = [
  ...rowsOf('attachments', 'wrong type', { ...notArrays, 'of strings': ['1'], 'of fractions': [1.5] }),
  ...rowsOf('attachments', 'broken rule', {
    zero: [0],
    'nobody has': [987654321],
    'too many': Array.from({ length: 101 }, (_, i) => i + 1),
  }),
];

function references(field: string): FieldRow[] {
  return [
    ...rowsOf(field, 'wrong type', notIntegers),
    ...rowsOf(field, 'broken rule', {
      zero: 0,
      negative: -1,
      'nobody has': 987654321,
      'beyond 2^53': new RawNumber('9007199254740992'),
    }),
    ...rowsOf(field, 'ok', { null: null }),
  ];
}

const options: FieldRow[] = [
  ...rowsOf('options', 'wrong type', {
    ...notArrays,
    'of strings': ['yes'],
    'of nulls': [null],
    'a text that is a number': [{ text: 5 }],
  }),
  ...rowsOf('options', 'broken rule', {
    'without a text': [{}],
    'a text that is null': [{ text: null }],
    'with an empty text': [{ text: '' }],
    'with a blank text': [{ text: ' \n' }],
    'with a long text': [{ text: 'x'.repeat(513) }],
    'too many': Array.from({ length: 51 }, (_, i) => ({ text: `o${i}` })),
    NUL: [{ text: 'a\u0000' }],
    surrogate: [{ text: '\ud800' }],
  }),
  ...rowsOf('options', 'ok', {
    none: [],
    null: null,
    one: [{ text: 'only' }],
    'as many as there may be': Array.from({ length: 50 }, (_, i) => ({ text: `o${i}` })),
    'the longest': [{ text: 'x'.repeat(512) }, { text: '😀'.repeat(512) }],
    'the same twice': [{ text: 'a' }, { text: 'a' }],
    'with blanks around the text': [{ text: ' a ' }],
    'with nulls that are absent': [{ id: null, text: 'a' }],
    'with more than a text': [{ text: 'a', vote_count: 99, has_voted: true, voters: [1] }],
  }),
];

const text: FieldRow[] = [
  ...rowsOf('text', 'wrong type', notStrings),
  ...rowsOf('text', 'broken rule', {
    ...illFormed,
    'one byte too many': 'x'.repeat(kib64 + 1),
    'one byte too many, in characters of four': '😀'.repeat(kib64 / 4) + 'x',
    '300,000 characters': 'x'.repeat(300_000),
  }),
  ...rowsOf('text', 'ok', {
    ...odd,
    null: null,
    longest: 'x'.repeat(kib64),
    'longest of emoji': '😀'.repeat(kib64 / 4),
  }),
];

const access: FieldRow[] = [
  ...rowsOf('access', 'wrong type', notStrings),
  ...rowsOf('access', 'broken rule', {
    empty: '',
    capital: 'Read',
    blank: 'read ',
    admin: 'admin',
    all: 'all',
    two: 'read,write',
  }),
  ...rowsOf('access', 'ok', { none: 'none', read: 'read', write: 'write' }),
];

const type: FieldRow[] = [
  ...rowsOf('type', 'wrong type', notStrings),
  ...rowsOf('type', 'broken rule', {
    null: null,
    empty: '',
    unknown: 'forum',
    blank: 'comments ',
    'unknown guid': '00000000-0000-0000-0000-000000000000',
    'guid in braces': '{88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd}',
    method: 'constructor',
    NUL: 'comments\u0000',
    long: 'x'.repeat(100_000),
  }),
];

const directory: FieldRow[] = [
  ...rowsOf('directory', 'wrong type', notStrings),
  ...rowsOf('directory', 'broken rule', {
    empty: '',
    unknown: 'nowhere',
    'unknown id': '987654321',
    zero: '0',
    'leading zero': '01',
    statement: "' or 1=1 --",
    ...illFormed,
  }),
  ...rowsOf('directory', 'ok', { null: null }),
];

const webhook: FieldRow[] = [
  ...rowsOf('payload_url', 'wrong type', notStrings),
  ...rowsOf('payload_url', 'broken rule', {
    empty: '',
    blank: ' ',
    relative: '/hook',
    'without a host': 'https://',
    'without a scheme': 'example.com/hook',
    ftp: 'ftp://example.com/',
    file: 'file:///etc/passwd',
    data: 'data:text/plain,x',
    script: 'javascript:alert(1)',
    'with a user': 'https://user:secret@example.com/',
    'too long': `https://example.com/${'x'.repeat(2048)}`,
    ...illFormed,
  }),
  ...rowsOf('payload_url', 'ok', {
    https: 'https://example.com/a?b=c',
    'with a port': 'https://example.com:8443/',
  }),
  ...rowsOf('secret', 'wrong type', notStrings),
  ...rowsOf('secret', 'broken rule', { empty: '', 'too long': 'x'.repeat(257), ...illFormed }),
  ...rowsOf('secret', 'ok', { short: 'x', longest: 'x'.repeat(256), null: null, 'not ASCII': 'ключ' }),
  ...rowsOf('triggers', 'wrong type', { ...notArrays, 'of numbers': [5], 'of nulls': [null] }),
  ...rowsOf('triggers', 'broken rule', {
    none: [],
    unknown: ['everything'],
    'one unknown': ['comments', 'everything'],
    empty: [''],
    capital: ['Comments'],
    method: ['constructor'],
    NUL: ['comments\u0000'],
  }),
  ...rowsOf('triggers', 'ok', {
    group: ['comments'],
    action: ['comment_created'],
    twice: ['apps', 'apps'],
    both: ['posts', 'post_created'],
  }),
  ...rowsOf('enabled', 'wrong type', notBooleans),
  ...rowsOf('is_enabled', 'wrong type', notBooleans),
  ...rowsOf('ordered', 'wrong type', notBooleans),
  ...rowsOf('ordered', 'ok', { true: true, false: false }),
];

/** Unknown fields, with names that mean something to engines, clients or this server; all are ignored. */
const unknown: FieldRow[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  'id',
  'created_at',
  'created_by_id',
  'is_trashed',
  'app_id',
  'html',
  '',
  ' ',
  'Name',
  'TEXT',
  '$ref',
  'a\u0000b',
].map((field) => ({ field, name: 'ignored', value: { polluted: true }, expected: 'ok' }));

const approval: readonly FieldRow[] = [
  ...rowsOf('approval', 'ok', {
    everything: 'everything',
    newcomers: 'newcomers',
    guests: 'guests',
    rules: 'rules',
    null: null,
  }),
  ...rowsOf('approval', 'wrong type', notStrings),
  ...rowsOf('approval', 'broken rule', {
    empty: '',
    unknown: 'sometimes',
    capital: 'Rules',
    inherited: 'constructor',
  }),
  ...rowsOf('approval_count', 'ok', { one: 1, most: 1000, null: null }),
  ...rowsOf('approval_count', 'wrong type', notIntegers),
  ...rowsOf('approval_count', 'broken rule', { zero: 0, negative: -1, more: 1001 }),
];

const visitors: readonly FieldRow[] = [
  ...rowsOf('visitors', 'ok', { read: 'read', write: 'write', null: null }),
  ...rowsOf('visitors', 'wrong type', notStrings),
  ...rowsOf('visitors', 'broken rule', {
    empty: '',
    none: 'none',
    capital: 'Read',
    inherited: 'constructor',
  }),
];

const quote = (more: object) => ({ selector: [{ type: 'TextQuoteSelector', exact: 'a', ...more }] });

const anchor: readonly FieldRow[] = [
  ...rowsOf('anchor', 'wrong type', {
    ...notObjects,
    'a key that is a number': { key: 5 },
    'selectors that are an object': { selector: {} },
    'selectors of strings': { selector: ['p'] },
    'a position that is a text': { selector: [{ type: 'TextPositionSelector', start: '1', end: 2 }] },
    'a selector in it that is a text': quote({ refinedBy: 'p' }),
  }),
  ...rowsOf('anchor', 'broken rule', {
    empty: {},
    'a blank key': { key: ' ' },
    'a long key': { key: 'x'.repeat(257) },
    'a key with a control character': { key: 'a\u0001' },
    NUL: quote({ exact: 'a\u0000' }),
    surrogate: quote({ prefix: '\ud800' }),
    'no selector': { selector: [] },
    'an unknown kind': { selector: [{ type: 'PointSelector' }] },
    'a kind that is a method': { selector: [{ type: 'constructor' }] },
    'without a quote': { selector: [{ type: 'TextQuoteSelector' }] },
    'a property of another kind': quote({ start: 1 }),
    'a long quote': quote({ exact: 'x'.repeat(300_000) }),
    'a script in a drawing': { selector: [{ type: 'SvgSelector', value: '<svg><script/></svg>' }] },
  }),
  ...rowsOf('anchor', 'ok', {
    null: null,
    key: { key: 'row-7/price' },
    quote: quote({ prefix: '', suffix: 'b', refinedBy: { type: 'CssSelector', value: '(a+)+$' } }),
    'odd texts': { key: odd.markup, ...quote({ exact: odd.statement, suffix: odd.family }) },
    'names of methods': { key: '__proto__', ...quote({ exact: 'constructor', toString: 1 }) },
  }),
];

export const fieldRows: readonly FieldRow[] = [
  ...anchor,
  ...approval,
  ...visitors,
  ...texts('name', 256),
  ...texts('description', 4096),
  ...metadata,
  ...tags,
  ...blobs,
  ...attachments,
  ...references('embed_id'),
  ...references('meeting_id'),
  ...options,
  ...text,
  ...access,
  ...type,
  ...directory,
  ...webhook,
];

export const unknownRows: readonly FieldRow[] = decidedEarly(unknown);

/** The rows of a field from the values of each outcome, which are their names. */
export function outcomes(
  field: string,
  values: { readonly [E in Outcome]?: readonly unknown[] },
): FieldRow[] {
  return Object.entries(values).flatMap(([expected, list]) =>
    namedRows(
      field,
      expected as Outcome,
      list.map((value) => [textOf(value).slice(0, 60), value]),
    ),
  );
}

const appFields = [
  'approval',
  'approval_count',
  'visitors',
  'access',
  'directory',
  'name',
  'description',
  'metadata',
  'tags',
];
const entryFields = ['blobs', 'embed_id', 'meeting_id', 'options', 'text', 'metadata', 'tags'];

/** The fields that each operation takes, except uids, which have their own catalogue. */
export const fieldsOf: { readonly [operation: string]: readonly string[] } = {
  createApp: ['type', ...appFields],
  updateApp: appFields,
  upsertApp: ['type', ...appFields],
  addMember: ['access'],
  createAppComment: [...entryFields, 'anchor'],
  createFileComment: [...entryFields, 'anchor'],
  createPostComment: [...entryFields, 'anchor'],
  updateComment: [...entryFields, 'anchor', 'attachments'],
  createPost: entryFields,
  updatePost: [...entryFields, 'attachments'],
  createMessage: entryFields,
  updateMessage: [...entryFields, 'attachments'],
  registerWebhook: ['payload_url', 'secret', 'triggers', 'enabled', 'is_enabled', 'ordered'],
  updateWebhook: ['payload_url', 'secret', 'triggers', 'enabled', 'is_enabled', 'ordered'],
};
