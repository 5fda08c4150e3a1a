import { createApi, type Failure, type Server } from '../shared.ts';

/** Signs out here. It works also where the server does not answer: nobody has the secret any more. */
export async function signOut({ url, session }: Server): Promise<void> {
  const token = session.kept()?.access_token;
  // First, so that nothing is read as somebody whose session ends.
  session.keep(undefined);
  const as = { token: async () => token, refuse: async () => false };
  await createApi(url, as).call('/api/sign-in', { method: 'DELETE' });
}

/** Signs out on all devices. Resolves to why it does not. */
export async function signOutEverywhere({ api, session }: Server): Promise<Failure | undefined> {
  const answer = await api.call('/api/sign-in?everywhere=true', { method: 'DELETE' });
  // 401: the session has ended already.
  if (!answer.ok && answer.status !== 401) return answer;
  session.keep(undefined);
  return undefined;
}
