import { erasureOperations } from 'confab-contract/erasures.ts';
import { handler } from '../../binding/handler.ts';
import { countCaller, type RateLimits } from '../../kernel/rate-limits.ts';
import { renderErasure, requestErasure } from './erasures.ts';

/**
 * Removes the profile of a user at once, and leaves the rest to a loop. Those of visitors are counted by their address,
 * because anyone can be many guests. Throws `rate_limited`.
 */
export const eraseUser = handler(
  erasureOperations.eraseUser,
  async (input, { principal, raw }, { rateLimits }: { readonly rateLimits: RateLimits }) => {
    if (principal.kind === 'visitor')
      await countCaller(rateLimits, 'erasure', { principal, clientAddress: raw.clientAddress });
    return input;
  },
  async (call) => {
    const erasure = await requestErasure(call, call.on, { content: call.query.content ?? 'remove' });
    return {
      status: 202,
      headers: { location: `/api/erasures/${erasure.id}` },
      body: renderErasure(erasure),
    };
  },
);
