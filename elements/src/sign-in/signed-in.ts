import type { Kept, Session } from '../shared.ts';

/** What the server answers to somebody who has signed in or stays signed in. */
export type SignedIn = Required<Omit<Kept, 'issuedAt'>>;

/** Keeps what the server has answered, without what nothing here needs. */
export function keepSignedIn(session: Session, answer: SignedIn): void {
  const { access_token, expires_in, renewal_secret, user } = answer;
  const { id, display_name, avatar_url, way } = user;
  session.keep({
    ...{ access_token, expires_in, renewal_secret, issuedAt: Date.now() },
    user: {
      id,
      display_name,
      ...(avatar_url === undefined ? {} : { avatar_url }),
      ...(way === undefined ? {} : { way }),
    },
  });
}
