import { decidedEarly } from './early.ts';

/** Uids with their outcome: kept unchanged, a broken rule (422), or not a string (400). */
export type UidRow = {
  readonly name: string;
  readonly uid: unknown;
  readonly expected: 'kept' | 422 | 400;
};

/** The white space of Unicode 16 and its look-alikes: none may occur in a uid. */
const blanks = [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
  0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff, 0x200b, 0x2060,
  0x180e,
];
const controls = [0x00, 0x01, 0x07, 0x08, 0x1b, 0x1f, 0x7f, 0x80, 0x9f];

function named(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A forbidden character alone and in each place of an otherwise valid uid. */
function everywhere(code: number): UidRow[] {
  const character = String.fromCodePoint(code);
  return [
    { name: `${named(code)} alone`, uid: character, expected: 422 },
    { name: `${named(code)} first`, uid: `${character}x`, expected: 422 },
    { name: `${named(code)} inside`, uid: `x${character}x`, expected: 422 },
    { name: `${named(code)} last`, uid: `x${character}`, expected: 422 },
  ];
}

/** The zero of every script with decimal digits: a digit whose predecessor is not a digit. */
const zeros = Array.from({ length: 0x20000 }, (_, code) => code).filter(
  (code) => isDigit(code) && !isDigit(code - 1),
);

function isDigit(code: number): boolean {
  return code >= 0 && (code < 0xd800 || code > 0xdfff) && /^\p{Nd}$/u.test(String.fromCodePoint(code));
}

const digits: UidRow[] = [
  ...['5', '000', '12345678901234567890', '1２٣', '٠'.repeat(256)].map(
    (uid): UidRow => ({ name: `digits ${uid.slice(0, 10)}`, uid, expected: 422 }),
  ),
  ...zeros.map(
    (code): UidRow => ({
      name: `digit ${named(code)}`,
      uid: `${String.fromCodePoint(code)}4${String.fromCodePoint(code + 7)}`,
      expected: 422,
    }),
  ),
];

const refused: UidRow[] = [
  { name: 'empty', uid: '', expected: 422 },
  { name: 'dot', uid: '.', expected: 422 },
  { name: 'two dots', uid: '..', expected: 422 },
  { name: '257 characters', uid: 'x'.repeat(257), expected: 422 },
  { name: '257 characters of four bytes', uid: '😀'.repeat(257), expected: 422 },
  { name: '10,000 characters', uid: 'x'.repeat(10_000), expected: 422 },
  { name: 'high surrogate', uid: 'a\ud800', expected: 422 },
  { name: 'low surrogate', uid: '\udc00a', expected: 422 },
  { name: 'surrogates reversed', uid: 'a\udc00\ud800b', expected: 422 },
  { name: 'surrogate between emoji', uid: '😀\ud83d😀', expected: 422 },
];

const mistyped: UidRow[] = [5, 0, -1, 1.5, true, false, {}, { uid: 'a' }, [], ['a']].map((uid) => ({
  name: JSON.stringify(uid),
  uid,
  expected: 400,
}));

/** Each is kept unchanged and found again by its percent-encoding. Pairs that look alike are different uids. */
const kept: UidRow[] = [
  'x',
  '5a',
  '-5',
  '5.0',
  '+1',
  '1e3',
  '0x10',
  '٣x',
  '½',
  '²',
  'Ⅷ',
  '①',
  '...',
  '.a',
  'a/b',
  '/',
  '//',
  'a?b',
  '?',
  'a#b',
  '#',
  'a%2f',
  '%',
  '%25',
  '%00',
  'a+b',
  'a;b',
  'a\\b',
  'a&b=c',
  'a:b@c',
  '<script>alert(1)</script>',
  "'or\u20191=1--",
  '{{7*7}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it looks like a template on purpose
  '${x}',
  '"quoted"',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'Init',
  'init2',
  '%69nit',
  'autocomplete',
  'hasOwnProperty',
  'then',
  'null',
  'undefined',
  'true',
  'Plan',
  'plan',
  'PLAN',
  'ß',
  'SS',
  'ss',
  'İ',
  'i\u0307',
  '\u212a',
  'K',
  'é',
  'e\u0301',
  'ﬁ',
  'fi',
  '😀',
  '👨‍👩‍👧',
  'שלום',
  'مرحبا',
  '日本',
  'a\u00ad',
  'a\ufe0f',
  'x'.repeat(256),
  '😀'.repeat(256),
  `5${'0'.repeat(254)}x`,
].map((uid) => ({ name: JSON.stringify(uid.slice(0, 20)), uid, expected: 'kept' }));

export const uidRows: readonly UidRow[] = [
  ...[blanks.flatMap(everywhere), controls.flatMap(everywhere), digits, refused, mistyped].flatMap(
    decidedEarly,
  ),
  ...kept,
];
