import { Problem } from 'confab-contract/problem.ts';
import { userRefusal } from '../../access/user/user-access.ts';
import type { User } from '../../kernel/principal.ts';

/** The 401 for a credential; `detail` is public and repeats nothing of the credential. */
export function refused(detail: string): Problem {
  return new Problem('invalid_credential', detail);
}

/** The 401 for a credential that nobody has: a guess, or one that was revoked. */
export class UnknownCredential extends Problem {
  constructor(detail: string) {
    super('invalid_credential', detail);
  }
}

/** The user, unless suspended or in the trash: throws `invalid_credential`, because neither can do anything. */
export function usable(user: User): User {
  const refusal = userRefusal(user);
  if (refusal === 'user_suspended') throw refused('The user is suspended.');
  if (refusal === 'user_trashed') throw refused('The user is in the trash.');
  return user;
}
