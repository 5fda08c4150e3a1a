import { banOperations } from 'confab-contract/bans.ts';
import { notFound } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import { banById, deleteBan as removeBan } from './bans.store.ts';
import { recordBan } from './bans.ts';

/** Ends a ban before its time. */
export const deleteBan = handler(banOperations.deleteBan, async ({ tx, caller, at, params: { id } }) => {
  const ban = await tx.get(banById, { id, now: at });
  if (ban === undefined) throw notFound('ban');
  await tx.run(removeBan, { id });
  await recordBan({ tx, caller, at }, 'address_unbanned', ban);
  return undefined;
});
