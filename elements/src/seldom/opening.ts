import { pageUid, type Server } from '../shared.ts';

/**
 * Whether an app that is not there is made for whoever writes first: for users, and for visitors on pages of this site where
 * they may.
 */
export async function opensPage({ api, session }: Server, app: string): Promise<boolean> {
  if (session.user && !session.user.way) return true;
  if (app.split('~')[0] !== pageUid(location.origin)) return false;
  const answer = await api.call<{ opens_pages: boolean }>('/api/sign-in');
  return answer.ok && answer.body.opens_pages;
}
