import { notFound } from 'confab-contract/problem.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isSameSignature, signerFor } from '../../kernel/signatures.ts';
import { moderatesAny, statesOf } from './mail.store.ts';
import { changeMail, getsNewComments, type MailChange } from './mail.ts';

/** A user and a signature, as an address has them. */
export type MailLink = { readonly user: string; readonly signature: string };

/** The signed addresses at which users stop or limit their mail without signing in. They do not expire. */
export type MailLinks = {
  /** The address of a user's page. */
  toUser(userId: number): string;
  /**
   * Whether the user of such an address is told of new comments; undefined for one who moderates nothing. Throws `not_found`
   * for an address that this server did not create.
   */
  newComments(link: MailLink): Promise<boolean | undefined>;
  /** Stores what the user of such an address wants to be sent; throws `not_found` as `newComments` does. */
  choose(link: MailLink, change: MailChange): Promise<void>;
};

/** Addresses signed with `secret`, below the public address of this server. */
export function createMailLinks({
  db,
  clock,
  secret,
  publicUrl,
}: {
  db: Db;
  clock: Clock;
  secret: string;
  publicUrl: () => string;
}): MailLinks {
  const sign = signerFor(secret, 'mail');

  function verify({ user, signature }: MailLink): void {
    if (!isSameSignature(signature, sign([user]))) throw notFound('page');
  }

  return {
    toUser: (userId) => `${publicUrl()}/mail/${userId}/${sign([String(userId)])}`,
    async newComments(link) {
      verify(link);
      const userId = Number(link.user);
      if ((await db.read.get(moderatesAny, { userId })) === undefined) return undefined;
      const [state] = await db.read.all(statesOf, { userIds: [userId] });
      return getsNewComments(state);
    },
    async choose(link, change) {
      verify(link);
      await db.write(async (tx) => {
        const user = await findUser(tx, { id: Number(link.user) });
        if (user === undefined) throw notFound('page');
        await changeMail({ tx, at: clock.now() }, user, change);
      });
    },
  };
}
