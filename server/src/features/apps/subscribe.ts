import { appOperations } from 'confab-contract/apps.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { Json } from '../../kernel/json.ts';
import { subscribe, unsubscribe } from '../notifications/subscriptions.ts';
import { recordApp, reloadApp } from './app-changes.ts';
import { appDetail } from './app-detail.ts';

async function setSubscribed(
  call: Call<typeof appOperations.subscribeApp>,
  isSubscribed: boolean,
): Promise<Json> {
  const { tx, on, caller } = call;
  const reader = { read: tx, caller };
  if ((on.isSubscribed === 1) === isSubscribed) return await appDetail(reader, on);
  const subscription = { userId: caller.user.id, type: 'app', id: on.id };
  if (isSubscribed) await subscribe(tx, subscription);
  else await unsubscribe(tx, subscription);
  const app = await reloadApp(call, on.id);
  await recordApp(call, isSubscribed ? 'app_subscribed' : 'app_unsubscribed', { app });
  return await appDetail(reader, app);
}

/** Subscribes the caller to the notifications of an app; repeating it changes nothing. */
export const subscribeApp = handler(appOperations.subscribeApp, (call) => setSubscribed(call, true));
/** Ends the caller's subscription. */
export const unsubscribeApp = handler(appOperations.unsubscribeApp, (call) => setSubscribed(call, false));
