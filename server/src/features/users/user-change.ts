import type { Clearable } from 'confab-contract/operation.ts';
import { invalidField } from 'confab-contract/problem.ts';
import type { UserPatch } from 'confab-contract/users.ts';
import { parseId, type Ref } from 'confab-contract/values/ids.ts';
import type { Directory } from '../../access/directory/directory-access.ts';
import type { User } from '../../kernel/principal.ts';
import { searchWords } from '../../kernel/search.ts';
import { skeletonOf } from '../../kernel/skeleton.ts';
import { sortKey } from '../../kernel/sort-key.ts';
import { normaliseTags } from '../../kernel/tags.ts';
import { visibleText } from '../../kernel/unseen.ts';
import { safeAddress } from '../../kernel/web-address.ts';
import { readDirectoryField } from '../directories/user-directory.ts';

/** The text fields of a profile: the name on the wire and the name in features. */
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

/** A picture in a request. */
export type RequestedPicture =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'blob'; readonly id: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** The stored columns of a user's picture. */
export type PictureValues = Pick<User, 'pictureId' | 'pictureUrl'>;

/** The readers of a user's fields in a body. `pictures.ts` then processes the picture. */
export const userReaders = {
  email: readEmail,
  picture: readPicture,
  directory: readDirectoryField,
  tags: normaliseTags,
} as const;

/** The fields of a user in a body, read. */
type SentProfile = Omit<Clearable<UserPatch>, 'picture' | 'directory'> & {
  readonly picture?: PictureValues | null;
  readonly directory?: Ref | null;
};

/** The prepared fields of a user in a request; an absent one stays unchanged. */
export type UserChange = {
  readonly uid?: string;
  readonly directory?: Ref | Directory | null;
  readonly isSuspended?: boolean;
  readonly values: Partial<
    Pick<
      User,
      TextField | 'pictureId' | 'pictureUrl' | 'metadata' | 'tags' | 'role' | 'isBot' | 'isTrusted' | 'way'
    >
  >;
};

/** The change of a user that a body requests. */
export function prepareChange(input: SentProfile): UserChange {
  const texts: Partial<Record<TextField, string | null>> = {};
  for (const [wire, field] of Object.entries(textFields) as [keyof typeof textFields, TextField][]) {
    const text = input[wire];
    if (text !== undefined) texts[field] = text;
  }
  return {
    ...(input.uid === undefined || input.uid === null ? {} : { uid: input.uid }),
    ...(input.directory === undefined ? {} : { directory: input.directory }),
    ...(input.is_suspended === undefined ? {} : { isSuspended: input.is_suspended ?? false }),
    values: {
      ...texts,
      ...(input.picture === undefined ? {} : (input.picture ?? { pictureId: null, pictureUrl: null })),
      ...(input.metadata === undefined
        ? {}
        : { metadata: input.metadata === null ? null : JSON.stringify(input.metadata) }),
      ...(input.tags === undefined ? {} : { tags: JSON.stringify(input.tags ?? []) }),
      ...(input.role === undefined ? {} : { role: input.role }),
      ...(input.is_bot === undefined ? {} : { isBot: input.is_bot ?? false }),
      ...(input.is_trusted === undefined ? {} : { isTrusted: input.is_trusted ?? false }),
    },
  };
}

// One @ between two parts without white space, quotes or angle brackets. Only a message shows whether an address exists.
const email = /^[^\s@"<>]{1,64}@[^\s@"<>]+$/u;

/** Whether a text has the form of an email address. */
export function isEmail(text: string): boolean {
  return email.test(text);
}

function readEmail(text: string): string {
  if (!isEmail(text)) throw invalidField('/email', 'email', 'must be an email address');
  return text;
}

/** The most characters of a picture's address. */
const addressCharactersMax = 2048;
/** The most bytes of a picture inside a request; a larger one is uploaded first. */
const pictureBytesMax = 512 * 1024;

const dataAddressStart = /^data:image\/[a-z0-9.+-]{1,64};base64,/i;
const whiteSpace = /\s+/g;
// White space is removed first, because a pattern that permits it takes quadratic time for a run of spaces.
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A `picture`: the id of a blob, the picture itself in base64, or an address, normalised and without quotes or spaces. */
function readPicture(input: string | number): RequestedPicture {
  const text = String(input);
  const id = parseId(text);
  if (id !== undefined) return { kind: 'blob', id };
  if (/^data:/i.test(text)) return { kind: 'bytes', bytes: readDataAddress(text) };
  const url = pictureAddress(text);
  if (url === undefined)
    throw invalidField(
      '/picture',
      'invalid',
      'must be a blob, a picture in base64 or an http or https address',
    );
  return { kind: 'address', url };
}

/** The http or https address of a picture, normalised and without quotes or spaces, or undefined for any other text. */
export function pictureAddress(text: string): string | undefined {
  const url = text.length <= addressCharactersMax ? URL.parse(text) : null;
  return url === null || !['http:', 'https:'].includes(url.protocol) ? undefined : safeAddress(url.href);
}

function readDataAddress(input: string): Uint8Array {
  const start = dataAddressStart.exec(input)?.[0];
  const encoded = start === undefined ? undefined : input.slice(start.length).replace(whiteSpace, '');
  if (encoded === undefined || !base64.test(encoded))
    throw invalidField('/picture', 'invalid', 'must be a data address of an image in base64');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > pictureBytesMax)
    throw invalidField('/picture', 'too_long', `must have at most ${pictureBytesMax} bytes`);
  return bytes;
}

/** The fields of a user from which the displayed name is derived. */
type Names = Pick<User, 'uid' | 'name' | 'givenName' | 'familyName' | 'nickname' | 'email'>;

/** The name for display: name, else given and family name, else nickname, else the local part of the email, else uid. */
export function displayNameOf(user: Names): string {
  const full = [user.givenName, user.familyName]
    .map((part) => visibleText(part)?.trim())
    .filter(Boolean)
    .join(' ');
  const candidates = [user.name, full, user.nickname, user.email?.split('@')[0]];
  return candidates.map((text) => visibleText(text)?.trim()).find(Boolean) ?? user.uid;
}

/** The words by which other users find a user: those of the fields they see. */
export function publicUserWords(
  user: Pick<User, 'uid' | 'displayName' | 'givenName' | 'familyName' | 'nickname'>,
): string {
  return searchWords(user.uid, user.displayName, user.givenName, user.familyName, user.nickname);
}

/** The words by which API keys find a user: names, uid and email address. */
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

/** The sort keys of a user's names, and the skeleton of the one that is displayed. */
export function userKeys({ name, displayName }: Pick<User, 'name' | 'displayName'>) {
  const visible = visibleText(name);
  return {
    nameKey: visible === null ? '' : sortKey(visible),
    displayNameKey: sortKey(displayName),
    skeleton: skeletonOf(displayName),
  };
}
