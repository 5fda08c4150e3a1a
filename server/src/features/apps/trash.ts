import { appOperations } from 'confab-contract/apps.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { Json } from '../../kernel/json.ts';
import { trashOrRestoreApp } from './app-changes.ts';
import { appDetail } from './app-detail.ts';

async function setTrashed(call: Call<typeof appOperations.trashApp>, isTrashed: boolean): Promise<Json> {
  const app = await trashOrRestoreApp(call, call.on, { isTrashed });
  return await appDetail({ read: call.tx, caller: call.caller }, app);
}

/** Puts an app in the trash; repeating it changes nothing. */
export const trashApp = handler(appOperations.trashApp, (call) => setTrashed(call, true));
/** Takes an app out of the trash. */
export const restoreApp = handler(appOperations.restoreApp, (call) => setTrashed(call, false));
