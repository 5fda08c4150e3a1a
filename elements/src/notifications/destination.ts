import type { NotificationItem } from 'confab-client';
import { pageAddress } from 'confab-contract/values/page-address.ts';
import { type Api, appOfPage } from '../shared.ts';

type Located = { readonly app_id: number };

/**
 * Where a notification leads: to a comment on the page that its app has. Undefined where it is about something else, or the
 * app is of no page: then the product knows where that is.
 */
export async function destinationOf(
  { link }: NotificationItem,
  api: Pick<Api, 'call'>,
): Promise<string | undefined> {
  if (link?.type !== 'comment') return undefined;
  const comment = await api.call<Located>(`/api/comments/${link.id}`);
  if (!comment.ok) return undefined;
  const app = await api.call<{ readonly uid?: string }>(`/api/apps/${comment.body.app_id}`);
  if (!app.ok || app.body.uid === undefined) return undefined;
  const fragment = `#comment-${link.id}`;
  if (app.body.uid === appOfPage()) return fragment;
  const page = pageAddress(app.body.uid);
  if (page === undefined) return undefined;
  const address = new URL(page + fragment);
  // A uid has no scheme: other pages of this site have that of this one.
  if (address.host === location.host) address.protocol = location.protocol;
  return address.href;
}
