import { isLongerThan } from './characters.ts';

const idPattern = /^[1-9][0-9]{0,15}$/;

/** The integer id, 1 to 2^53 - 1, whose canonical spelling is `text`, or undefined. */
export function parseId(text: string): number | undefined {
  if (!idPattern.test(text)) return undefined;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : undefined;
}

/** An integer id or a string uid, as given in a path or a body. */
export type Ref = { readonly id: number } | { readonly uid: string };

/** Reads a reference: ASCII digits are an id, anything else is a uid; undefined when it is neither. */
export function parseRef(text: string): Ref | undefined {
  if (/^[0-9]+$/.test(text)) {
    const id = parseId(text);
    return id === undefined ? undefined : { id };
  }
  return uidFault(text) === undefined ? { uid: text } : undefined;
}

/** The same for a body, in which an id may be a number. */
export function readRef(input: string | number): Ref | undefined {
  if (typeof input === 'string') return parseRef(input);
  const id = parseId(String(input));
  return id === undefined ? undefined : { id };
}

/** The kinds of objects with uids. */
export type UidOwner = 'app' | 'user';

/**
 * Reserved uids that are paths of operations: `/api/apps/init` is an operation, so no app can be reached there. A test
 * derives the same words from the contract.
 */
export const reservedUids: { readonly [O in UidOwner]: readonly string[] } = {
  app: ['init'],
  user: ['autocomplete'],
};

/** The most characters (Unicode code points) of a uid. */
export const uidCharactersMax = 256;

// White_Space, other invisible characters, every control character and every lone surrogate (in `u` mode a pair is one
// code point, so \p{Cs} matches only lone ones).
const uidForbidden = /[\p{White_Space}\uFEFF\u200B\u2060\u180E\p{Cc}\p{Cs}]/u;
const onlyDigits = /^\p{Nd}+$/u;

/**
 * The reason why `uid` is invalid, or undefined. A uid has 1 to 256 characters, no white space, control or invisible
 * character, at least one character that is not a decimal digit in any script, and is neither `.` nor `..`, which clients
 * remove from a path. Source: specification section 2.1 and 8.
 */
export function uidFault(uid: string): string | undefined {
  if (uid.length === 0) return 'must not be empty';
  if (isLongerThan(uid, uidCharactersMax)) return `must have at most ${uidCharactersMax} characters`;
  if (uidForbidden.test(uid)) return 'must not contain white space, control or invisible characters';
  if (onlyDigits.test(uid)) return 'must contain at least one character that is not a digit';
  if (uid === '.' || uid === '..') return 'must not be "." or ".."';
  return undefined;
}

/** The same for the uid of an app or a user to create, which must not be reserved either. */
export function ownUidFault(owner: UidOwner, uid: string): string | undefined {
  if (reservedUids[owner].includes(uid)) return `must not be "${uid}", which is a path of its own`;
  return uidFault(uid);
}
