import type { Clearable } from '../../contract/operation.ts';
import type { UserPatch } from '../../contract/users.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { User } from '../../kernel/principal.ts';
import { invalidField } from '../../kernel/problem.ts';
import { searchWords } from '../../kernel/search.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import { readDirectoryField } from '../directories/directories.ts';

/** The texts of a profile: the name on the wire and the name features use. */
const textFields = {
  email: 'email',
  given_name: 'givenName',
  middle_name: 'middleName',
  family_name: 'familyName',
  name: 'name',
  nickname: 'nickname',
  phone_number: 'phoneNumber',
  comment: 'comment',
} as const;

type TextField = (typeof textFields)[keyof typeof textFields];

/** Fields of a user that a request brings, prepared; an absent one is left as it is. */
export type UserChange = {
  readonly uid?: string;
  readonly directory?: Ref | null;
  readonly isSuspended?: boolean;
  readonly values: Partial<
    Pick<User, TextField | 'pictureId' | 'pictureUrl' | 'metadata' | 'tags' | 'isBot'>
  >;
};

/**
 * Prepares what a body says about a user. Throws `validation_failed` for an e-mail address, a picture, a directory or
 * tags that break their rule.
 */
export function prepareChange(sent: Clearable<UserPatch>): UserChange {
  const texts: Partial<Record<TextField, string | null>> = {};
  for (const [wire, field] of Object.entries(textFields) as [keyof typeof textFields, TextField][]) {
    const text = sent[wire];
    if (text !== undefined) texts[field] = text;
  }
  if (texts.email !== undefined && texts.email !== null) assertEmail(texts.email);
  return {
    ...(sent.uid === undefined || sent.uid === null ? {} : { uid: sent.uid }),
    ...(sent.directory === undefined
      ? {}
      : { directory: sent.directory === null ? null : readDirectoryField(sent.directory) }),
    ...(sent.is_suspended === undefined ? {} : { isSuspended: sent.is_suspended ?? false }),
    values: {
      ...texts,
      ...(sent.picture === undefined ? {} : readPicture(sent.picture)),
      ...(sent.metadata === undefined
        ? {}
        : { metadata: sent.metadata === null ? null : JSON.stringify(sent.metadata) }),
      ...(sent.tags === undefined ? {} : { tags: JSON.stringify(normaliseTags(sent.tags ?? [])) }),
      ...(sent.is_bot === undefined ? {} : { isBot: sent.is_bot ?? false }),
    },
  };
}

// One @ between two parts without white space, quotes or angle brackets; whether it is anybody's is found out by
// writing to it, not by a pattern.
const email = /^[^\s@"<>]{1,64}@[^\s@"<>]+$/u;

function assertEmail(text: string): void {
  if (!email.test(text)) throw invalidField('/email', 'email', 'must be an e-mail address');
}

/** What a `picture` becomes: an http or https address in its normal form, which holds no quotes or spaces. */
function readPicture(sent: string | number | null): Pick<User, 'pictureId' | 'pictureUrl'> {
  if (sent === null) return { pictureId: null, pictureUrl: null };
  const url = typeof sent === 'string' && URL.canParse(sent) ? new URL(sent) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw invalidField('/picture', 'invalid', 'must be an http or https address');
  return { pictureId: null, pictureUrl: url.href };
}

/** The parts of a user that the name on the screen is made from. */
type Names = Pick<User, 'uid' | 'name' | 'givenName' | 'familyName' | 'nickname' | 'email'>;

/** The name people see: name, else given and family name, else nickname, else the local part of the e-mail, else uid. */
export function displayNameOf(user: Names): string {
  const full = [user.givenName, user.familyName]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' ');
  const candidates = [user.name, full, user.nickname, user.email?.split('@')[0]];
  return candidates.map((text) => text?.trim()).find(Boolean) ?? user.uid;
}

/** The words a user is found by: names, uid and e-mail address. */
export function userWords(user: Names & Pick<User, 'middleName'>): string {
  return searchWords(
    user.uid,
    user.name,
    user.givenName,
    user.middleName,
    user.familyName,
    user.nickname,
    user.email,
  );
}
