import { createHmac, randomBytes } from 'node:crypto';
import { notFound } from 'confab-contract/problem.ts';
import type { Clock } from '../kernel/clock.ts';
import { isSameSignature } from '../kernel/signatures.ts';
import type { FormOfConnection } from './forms.ts';

/**
 * The token that a client gets by negotiating and opens a connection with. It carries its user, expiry and form, signed with a
 * secret of the store, so that every node accepts it. Each node accepts it once. Using it on several nodes gains a user
 * nothing, because every connection is authenticated and negotiating is free.
 */

/** How long a token is valid, in milliseconds. */
const lifeMs = 30_000;
/** The most used tokens that are remembered; beyond it the oldest are forgotten. */
const usedMax = 10_000;

/** Issues and redeems tokens signed with `secret`. */
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
    /** Issues a token with which the user can open a connection on any node. */
    make(userId: number, { form, formKey }: FormOfConnection): string {
      const mark = form !== undefined ? `.${form}` : formKey !== undefined ? `.${formKey}` : '';
      const text = `${randomBytes(24).toString('base64url')}.${clock.now() + lifeMs}${mark}`;
      return `${text}.${sign(text, userId)}`;
    },

    /** Redeems a token; throws `not_found` unless it was issued to the user, is valid and was not used on this node. */
    take(token: string | undefined, userId: number): FormOfConnection & { readonly id: string } {
      const parts = token?.split('.') ?? [];
      const signature = parts.pop();
      const [, until, mark] = parts;
      const isSigned = isSameSignature(signature ?? '', sign(parts.join('.'), userId));
      if (token === undefined || !isSigned || Number(until) <= clock.now() || used.has(token))
        throw notFound('connection');
      used.set(token, Number(until));
      forgetOld();
      if (mark === undefined) return { id: token };
      return mark.length === 2 ? { id: token, form: Number(mark) } : { id: token, formKey: mark };
    },
  };
}
