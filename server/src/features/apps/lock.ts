import { appOperations } from 'confab-contract/apps.ts';
import { lockTimeOf } from '../../access/locks.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { Json } from '../../kernel/json.ts';
import { recordApp, reloadApp } from './app-changes.ts';
import { appDetail } from './app-detail.ts';
import { setAppLocked } from './apps.store.ts';

async function setLocked(
  call: Omit<Call<typeof appOperations.unlockApp>, 'body'>,
  lockedAt: number | null,
): Promise<Json> {
  const { tx, on, caller } = call;
  if (on.lockedAt === lockedAt) return await appDetail({ read: tx, caller }, on);
  await tx.run(setAppLocked, { id: on.id, lockedAt });
  const app = await reloadApp(call, on.id);
  await recordApp(call, lockedAt === null ? 'app_unlocked' : 'app_locked', { app });
  return await appDetail({ read: tx, caller }, app);
}

/** Locks an app, at once or from a time on; repeating it changes nothing. */
export const lockApp = handler(appOperations.lockApp, async (call) =>
  setLocked(call, lockTimeOf(call.body ?? {}, call.on, call.at)),
);

/** Unlocks an app; repeating it changes nothing. */
export const unlockApp = handler(appOperations.unlockApp, async (call) => setLocked(call, null));
