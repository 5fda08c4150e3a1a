import type { ParamKind } from 'confab-contract/operation.ts';
import { decidedEarly } from './early.ts';

/** Path segments in the place of an id or a reference, as written on the request line. */

/**
 * The kinds of segments: invalid by its form, a uid that nothing has, an id that nothing has, or
 * one that cannot be decoded.
 */
export type RefRow = {
  readonly text: string;
  readonly kind: 'nothing' | 'uid' | 'id' | 'undecodable';
};

const encoded = (text: string) => encodeURIComponent(text);

const nothing = [
  '0',
  '00',
  '007',
  '00012',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '9'.repeat(400),
  '%20',
  '%205',
  '5%20',
  '%095',
  '5%0A',
  '%00',
  'a%00b',
  '%7F',
  'a%C2%85b',
  '%EF%BB%BFa',
  'a%E2%80%8B',
  encoded('١٢٣'),
  encoded('１２３'),
  encoded('৩'),
  encoded('𝟙𝟚'),
  encoded('1２٣'),
  '.',
  '..',
  '%2e',
  '%2e%2e',
  '.%2e',
  'a'.repeat(257),
  'a'.repeat(1000),
  'a'.repeat(10_000),
  encoded('😀'.repeat(257)),
  '',
];

const uids = [
  '-1',
  '+1',
  '1.0',
  '1.',
  '1e3',
  '1e400',
  '0x10',
  '0b1',
  '1_000',
  '1,98765',
  '1n',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  'true',
  'me',
  '_',
  '*',
  '$',
  '%5Bobject%5D',
  '..%2f..%2f',
  '..%5c',
  'a%2Fb',
  'a%252Fb',
  'a;b=1',
  'a%3Fb',
  'a%23b',
  'a&b',
  'a=b',
  '%25',
  '%27or%271%27%3D%271',
  "'--",
  '%3Cscript%3E',
  '$%7Bx%7D',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a'.repeat(101),
  'a'.repeat(256),
  encoded('😀'.repeat(100)),
  encoded('😀'.repeat(256)),
  encoded('½'),
  encoded('²'),
  encoded('٣x'),
  encoded('é'),
];

const ids = ['9007199254740991', '987654321', '4294967296', '2147483648'];

const undecodable = [
  '%',
  '%z',
  '%zz',
  '%2',
  '%ff',
  '%c0%ae',
  '%E0%A4%A',
  '%ED%A0%80',
  '%80',
  'a%',
  '%u0041',
  '1%',
];

export const refRows: readonly RefRow[] = [
  ...decidedEarly(nothing).map((text) => ({ text, kind: 'nothing' }) as const),
  ...uids.map((text) => ({ text, kind: 'uid' }) as const),
  ...ids.map((text) => ({ text, kind: 'id' }) as const),
  ...decidedEarly(undecodable).map((text) => ({ text, kind: 'undecodable' }) as const),
];

/** Spellings of an id that a careless parser takes for the id itself; none of them may find the object. */
export function nearIds(id: number): string[] {
  return [
    `0${id}`,
    `00${id}`,
    `+${id}`,
    `-${id}`,
    `${id}.0`,
    `${id}.`,
    `${id}e0`,
    `0x${id.toString(16)}`,
    `%20${id}`,
    `${id}%20`,
    `%09${id}`,
    `${id}%0A`,
    `${id}%00`,
    `%00${id}`,
    `${id},`,
    `${id};`,
    `%22${id}%22`,
    `(${id})`,
    `${id}n`,
    `%EF%BC%90${id}`,
    encoded(String.fromCodePoint(...[...String(id)].map((digit) => 0xff10 + Number(digit)))),
  ];
}

/**
 * What names nothing in the place of a parameter, beside an object with the id `there`. A reference may be a uid, which
 * is looked up in the store; where only an id can be, other texts are decided early.
 */
export function badRefs(kind: ParamKind | undefined, there: number): string[] {
  if (kind !== 'id') return [...refRows.map(({ text }) => text), ...nearIds(there)];
  return [nothing, uids, undecodable, nearIds(there)].flatMap(decidedEarly).concat(ids);
}
