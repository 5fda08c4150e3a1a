import type { User, UserDetail } from 'confab-client';
import { client } from '../../api.ts';
import { hasKey } from '../../session.ts';

/**
 * The user of a uid, with an API key also of an id. Without a key the user is looked for in the list, because the operation
 * that gets a user takes a key: undefined for one that the caller does not see. With a key it rejects with 404 instead.
 */
export async function findPerson(uid: string, signal: AbortSignal): Promise<User | UserDetail | undefined> {
  if (hasKey()) return await client.getUser(uid, { trashed: true }, { signal });
  const { data } = await client.listUsers({ q: `"${uid}"`, top: 100, count: false }, { signal });
  return data.find((user) => user.uid === uid);
}
