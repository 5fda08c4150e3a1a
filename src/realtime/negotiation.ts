import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { notFound } from '../kernel/problem.ts';

/**
 * What a client gets when it negotiates, and opens a connection with. It carries whose it is and until when, signed with
 * a secret of the store, so that any node takes what any other has given. It is used once on each node; more would give
 * its user nothing, who has to be authenticated each time and can negotiate as often as they like.
 */

/** How long after negotiating a connection has to be opened, in milliseconds. */
const lifeMs = 30_000;
/** The most used ones that are remembered; beyond it the oldest give way. */
const usedMax = 10_000;

/** Makes and takes negotiations signed with `secret`. */
export function createNegotiations({ secret, clock }: { secret: string; clock: Clock }) {
  const used = new Map<string, number>();

  function sign(text: string, userId: number): string {
    return createHmac('sha256', secret).update(`connection\n${text}\n${userId}`).digest('base64url');
  }

  function forgetOld(): void {
    for (const [token, until] of used) {
      if (until > clock.now() && used.size <= usedMax) return;
      used.delete(token);
    }
  }

  return {
    /** A token that the user can open a connection with, on any node. */
    make(userId: number): string {
      const text = `${randomBytes(24).toString('base64url')}.${clock.now() + lifeMs}`;
      return `${text}.${sign(text, userId)}`;
    },

    /** Takes a token from the user; throws `not_found` unless it was made for them, is fresh and was not used here. */
    take(token: string | undefined, userId: number): string {
      const [random, until, signature] = token?.split('.') ?? [];
      const due = Buffer.from(sign(`${random}.${until}`, userId));
      const sent = Buffer.from(signature ?? '');
      const isSigned = sent.length === due.length && timingSafeEqual(sent, due);
      if (token === undefined || !isSigned || Number(until) <= clock.now() || used.has(token))
        throw notFound('connection');
      used.set(token, Number(until));
      forgetOld();
      return token;
    },
  };
}
