import type { AppPut } from '../../contract/apps.ts';
import type { TokenCreate } from '../../contract/tokens.ts';
import type { UserPatch } from '../../contract/users.ts';
import type { Db } from '../../db/db.ts';
import { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notFound } from '../../kernel/problem.ts';
import { findApp } from '../access/access.ts';
import type { Apps } from '../apps/apps.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { findUser } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import type { Users } from '../users/users.ts';

/**
 * The people of the demo by their names in its addresses. Their uids begin with `demo-`, so that a person of the same
 * name on the same server is somebody else, for whom the demo has no token.
 */
const people: { readonly [person: string]: { readonly uid: string; readonly name: string } } = {
  ada: { uid: 'demo-ada', name: 'Ada Lovelace' },
  grace: { uid: 'demo-grace', name: 'Grace Hopper' },
};

/** The apps of the demo, open to every user of the server. The messenger needs none. */
const apps: { readonly [uid: string]: { readonly type: string; readonly name: string } } = {
  'demo-comments': { type: 'comments', name: 'Comments' },
  'demo-posts': { type: 'posts', name: 'Posts' },
  'demo-files': { type: 'files', name: 'Files' },
  'demo-chat': { type: 'chat', name: 'Chat' },
};

/** Two people who talk on the demo page, and the apps they talk in, made as any host product makes its own. */
export function createDemo(parts: { db: Db; users: Users; apps: Apps; credentials: Credentials }) {
  async function system(): Promise<Principal> {
    const user = await findUser(parts.db.read, { id: systemUserId });
    if (user === undefined) throw new Error('the store has no system user');
    return { kind: 'key', user };
  }

  return {
    /** Makes the people and the apps that are not there yet; what is there stays as it is. */
    async prepare(): Promise<void> {
      const principal = await system();
      for (const { uid, name } of Object.values(people)) {
        if ((await findUser(parts.db.read, { uid })) === undefined)
          await parts.users.upsertUser(principal, uid, Input.of<UserPatch>({ name }));
      }
      for (const [uid, { type, name }] of Object.entries(apps)) {
        if ((await findApp(parts.db.read, principal, { uid })) === undefined)
          await parts.apps.upsertApp(principal, uid, Input.of<AppPut>({ type, name, access: 'write' }));
      }
    },

    /** An access token of one of the people; throws `not_found` for anyone else. */
    async token(person: string): Promise<Json> {
      const known = Object.hasOwn(people, person) ? people[person] : undefined;
      if (known === undefined) throw notFound('person');
      const profile = Input.of<TokenCreate>({ name: known.name });
      return await parts.credentials.issueToken(await system(), { uid: known.uid }, profile);
    },
  };
}
