/** A user as features see one; the wire form is made by the users feature. Times are Unix milliseconds. */
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
  readonly createdAt: number;
  readonly modifiedAt: number | null;
  readonly isBot: boolean;
  /** Whether the user has a live connection. */
  readonly isActive: boolean;
  readonly suspendedAt: number | null;
  readonly trashedAt: number | null;
};

/**
 * Whom users see in their directory (`CONFAB_PEOPLE`): `all` of it, or only people with whom they share an app
 * (`shared`).
 */
export type PeopleSetting = 'all' | 'shared';

/** Who is calling: a user by access token, or the holder of an API key, whose content belongs to `user`. */
export type Principal = {
  readonly kind: 'token' | 'key';
  readonly user: User;
  /** When the access token ends, in Unix milliseconds; absent for what does not end by itself. */
  readonly expiresAt?: number;
};
