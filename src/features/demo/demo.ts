import type { AppType } from '../../contract/apps.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notFound } from '../../kernel/problem.ts';
import { findUser, userAccess } from '../access/user-access.ts';
import { addApp } from '../apps/app-changes.ts';
import { issueTokenTo, tokenSecondsDefault } from '../tokens/issue.ts';
import { makeUser } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';

/**
 * The people of the demo by their names in its addresses. Their uids begin with `demo-`, so that a person of the same
 * name on the same server is somebody else, for whom the demo has no token.
 */
const people: { readonly [person: string]: { readonly uid: string; readonly name: string } } = {
  ada: { uid: 'demo-ada', name: 'Ada Lovelace' },
  grace: { uid: 'demo-grace', name: 'Grace Hopper' },
};

/** The apps of the demo, open to every user of the server. The messenger needs none. */
const apps: { readonly [uid: string]: { readonly type: AppType; readonly name: string } } = {
  'demo-comments': { type: 'comments', name: 'Comments' },
  'demo-posts': { type: 'posts', name: 'Posts' },
  'demo-files': { type: 'files', name: 'Files' },
  'demo-chat': { type: 'chat', name: 'Chat' },
};

/** Two people who talk on the demo page, and the apps they talk in, made as any host product makes its own. */
export function createDemo({ db, clock }: { db: Db; clock: Clock }) {
  async function system(): Promise<Principal> {
    const user = await findUser(db.read, { id: systemUserId });
    if (user === undefined) throw new Error('the store has no system user');
    return { kind: 'key', user };
  }

  return {
    /** Makes the people and the apps that are not there yet; what is there stays as it is. */
    async prepare(): Promise<void> {
      const principal = await system();
      for (const { uid, name } of Object.values(people)) {
        if ((await findUser(db.read, { uid })) === undefined)
          await db.write((tx) =>
            makeUser({ tx, caller: principal, at: clock.now() }, uid, { values: { name } }),
          );
      }
      for (const [uid, { type, name }] of Object.entries(apps)) {
        const app = { uid, type, fields: { name, access: 'write' } };
        await db.write((tx) => addApp({ tx, caller: principal, at: clock.now() }, app));
      }
    },

    /** An access token of one of the people; throws `not_found` for anyone else. */
    async token(person: string): Promise<Json> {
      const known = Object.hasOwn(people, person) ? people[person] : undefined;
      if (known === undefined) throw notFound('person');
      const caller = await system();
      return await db.write(async (tx) => {
        const ref = { uid: known.uid };
        const { user } = await userAccess.issue({ read: tx, caller, ref, isTrashedIncluded: false });
        if (user === undefined) throw new Error(`the demo has no user ${known.uid}`);
        return await issueTokenTo({ tx, caller, at: clock.now() }, user, tokenSecondsDefault);
      });
    },
  };
}
