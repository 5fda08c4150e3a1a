/** A user in feature code; the users feature creates the wire form. Times are Unix milliseconds. */
export type User = {
  readonly id: number;
  readonly uid: string;
  readonly displayName: string;
  readonly email: string | null;
  readonly givenName: string | null;
  readonly middleName: string | null;
  readonly familyName: string | null;
  readonly name: string | null;
  readonly nickname: string | null;
  readonly phoneNumber: string | null;
  readonly comment: string | null;
  readonly directoryId: number | null;
  readonly pictureId: number | null;
  readonly pictureUrl: string | null;
  readonly metadata: string | null;
  readonly tags: string;
  /** `moderator` for a user who moderates the apps of their directory; otherwise null. */
  readonly role: string | null;
  readonly createdAt: number;
  readonly modifiedAt: number | null;
  readonly isBot: boolean;
  /** Whether the user has a live connection. */
  readonly isActive: boolean;
  readonly suspendedAt: number | null;
  readonly trashedAt: number | null;
  /** How a visitor signs in: `guest`, `email` or the name of a provider; null for a user of the product. */
  readonly way: string | null;
  /** Whether the user is trusted: their texts are not held although they are new or a guest. */
  readonly isTrusted: boolean;
};

/**
 * Which users of their directory users can see (`CONFAB_PEOPLE`): `all`, or only those with whom they share an app
 * (`shared`).
 */
export type PeopleSetting = 'all' | 'shared';

/** The most bytes of files in use of one user, and of one app; no limit if absent. */
export type StorageQuotas = {
  readonly personBytesMax: number | undefined;
  readonly appBytesMax: number | undefined;
};

/**
 * What calls, if it is not a request of plain HTTP: a program by the Model Context Protocol, or the server itself with
 * what the provider of an agent has answered.
 */
export type Via = 'mcp' | 'agent';

/**
 * The caller. It is a user with an access token, a client with an API key, or a visitor. Content of an API
 * key belongs to `user`. A visitor either has no credential, and then cannot write, or has signed in through
 * Confab itself.
 */
export type Principal = {
  readonly kind: 'token' | 'key' | 'visitor';
  readonly user: User;
  /** The id of the API key with which a request was made. */
  readonly apiKeyId?: number;
  /** When the credential expires, in Unix milliseconds; absent if it does not expire. */
  readonly expiresAt?: number;
  /** Whether a session of the console stands for the credential. */
  readonly isSession?: true;
  /** The scopes that the API key is limited to; `all` is every scope. Absent without a key. */
  readonly scopes?: readonly string[];
  /** The quotas for files that the caller adds; absent for API keys, which have none. */
  readonly storage?: StorageQuotas;
  /** Absent for plain HTTP. */
  readonly via?: Via;
  /** The version of the second form in which the caller gets answers; absent for the first (`kernel/form.ts`). */
  readonly form?: number;
};

/** The caller with the protocol through which they call and the form in which they get answers: visitors get the first. */
export function asOf(
  principal: Principal,
  { via, form }: { readonly via: Via | undefined; readonly form: number | undefined },
): Principal {
  if (via === undefined && form === undefined) return principal;
  const isSecond = form !== undefined && principal.kind !== 'visitor';
  return { ...principal, ...(via && { via }), ...(isSecond && { form }) };
}

/** A user with nothing but a uid, as the base of a new user. */
export function blankUser(uid: string, at: number): User {
  return {
    id: 0,
    uid,
    displayName: uid,
    email: null,
    givenName: null,
    middleName: null,
    familyName: null,
    name: null,
    nickname: null,
    phoneNumber: null,
    comment: null,
    directoryId: null,
    pictureId: null,
    pictureUrl: null,
    metadata: null,
    tags: '[]',
    role: null,
    createdAt: at,
    modifiedAt: null,
    isBot: false,
    isActive: false,
    suspendedAt: null,
    trashedAt: null,
    way: null,
    isTrusted: false,
  };
}

/**
 * The directory of visitors who sign in through Confab itself. It does not count when a rule depends on
 * whether a product has directories. The name is reserved: users of a product are not put into it, because
 * users of one directory see each other (decision 0151).
 */
export const directoryOfVisitors = 'visitors';

/**
 * The temporary id of a guest who will be created together with a comment. Such a guest has signed in, so the
 * id is not 0.
 */
export const unstoredId = -1;

/** The principal of a request without a credential. No user has the id 0. */
export const visitor: Principal = { kind: 'visitor', user: blankUser('', 0) };

/** The kind of caller for a user with a token. */
export function callerKindOf({ way }: Pick<User, 'way'>): 'token' | 'visitor' {
  return way === null ? 'token' : 'visitor';
}

/** Whether a caller is a visitor who has signed in. */
export function isSignedIn({ kind, user }: Principal): boolean {
  return kind === 'visitor' && user.id !== 0;
}
