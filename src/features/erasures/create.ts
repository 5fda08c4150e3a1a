import { handler } from '../../binding/handler.ts';
import { erasureOperations } from '../../contract/erasures.ts';
import { renderErasure, requestErasure } from './erasures.ts';

/** Removes the profile of a user at once, and leaves the rest to a loop. */
export const eraseUser = handler(erasureOperations.eraseUser, async (call) => {
  const erasure = await requestErasure(call, call.on, { content: call.query.content ?? 'remove' });
  return { status: 202, headers: { location: `/api/erasures/${erasure.id}` }, body: renderErasure(erasure) };
});
