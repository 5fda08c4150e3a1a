import { postOperations } from 'confab-contract/posts.ts';
import { type Call, handler } from '../../binding/handler.ts';
import type { Json } from '../../kernel/json.ts';
import type { Links } from '../entries/entries.ts';
import { entryDetail, recordEntry } from '../entries/entry-view.ts';
import { type Subscription, subscribe, unsubscribe } from '../notifications/subscriptions.ts';

/** Appends the event of a change and returns the post; without a change there is no event. */
async function answer(
  { tx, caller, at, on }: Call<typeof postOperations.subscribePost>,
  { links }: Links,
  { isChanged, action }: { isChanged: boolean; action: 'post_subscribed' | 'post_unsubscribed' },
): Promise<Json> {
  if (!isChanged) return await entryDetail({ read: tx, caller, links }, on.entry);
  return await recordEntry({ tx, caller, at, links }, on.entry, { action });
}

function subscriptionOf({ caller, on }: Call<typeof postOperations.subscribePost>): Subscription {
  return { userId: caller.user.id, type: 'post', id: on.entry.id };
}

/** Subscribes the caller to notifications of a post. */
export const subscribePost = handler(postOperations.subscribePost, async (call, parts: Links) => {
  const isChanged = await subscribe(call.tx, subscriptionOf(call));
  return await answer(call, parts, { isChanged, action: 'post_subscribed' });
});

/** Ends the caller's subscription to a post. */
export const unsubscribePost = handler(postOperations.unsubscribePost, async (call, parts: Links) => {
  const isChanged = await unsubscribe(call.tx, subscriptionOf(call));
  return await answer(call, parts, { isChanged, action: 'post_unsubscribed' });
});
