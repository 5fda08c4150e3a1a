import { createHmac, timingSafeEqual } from 'node:crypto';
import { notFound } from '../../kernel/problem.ts';

/** The signed addresses at which users stop or limit their mail without signing in. They do not expire. */
export type MailLinks = {
  /** The address of a user's page. */
  toUser(userId: number): string;
  /** The user of such an address; throws `not_found` for one that this server did not create. */
  userOf(id: string, signature: string): number;
};

/** Addresses signed with `secret`, below the public address of this server. */
export function createMailLinks({
  secret,
  publicUrl,
}: {
  secret: string;
  publicUrl: () => string;
}): MailLinks {
  const sign = (id: string) => createHmac('sha256', secret).update(`mail\n${id}`).digest('base64url');
  return {
    toUser: (userId) => `${publicUrl()}/mail/${userId}/${sign(String(userId))}`,
    userOf(id, signature) {
      const [sent, due] = [Buffer.from(signature), Buffer.from(sign(id))];
      if (sent.length !== due.length || !timingSafeEqual(sent, due)) throw notFound('page');
      return Number(id);
    },
  };
}
