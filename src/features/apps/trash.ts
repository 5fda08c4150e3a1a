import { type Call, handler } from '../../binding/handler.ts';
import { appOperations } from '../../contract/apps.ts';
import type { Json } from '../../kernel/json.ts';
import { recordApp, reloadApp } from './app-changes.ts';
import { appDetail } from './app-detail.ts';
import { setAppTrashed } from './apps.store.ts';

async function setTrashed(call: Call<typeof appOperations.trashApp>, isTrashed: boolean): Promise<Json> {
  const { tx, on, caller, at } = call;
  const reader = { read: tx, caller };
  if ((on.trashedAt !== null) === isTrashed) return await appDetail(reader, on);
  await tx.run(setAppTrashed, { id: on.id, trashedAt: isTrashed ? at : null });
  const app = await reloadApp(call, on.id);
  await recordApp(call, isTrashed ? 'app_trashed' : 'app_restored', { app });
  return await appDetail(reader, app);
}

/** Puts an app in the trash; repeating it changes nothing. */
export const trashApp = handler(appOperations.trashApp, (call) => setTrashed(call, true));
/** Takes an app out of the trash. */
export const restoreApp = handler(appOperations.restoreApp, (call) => setTrashed(call, false));
