import type { AppType } from 'confab-contract/apps.ts';
import { notFound } from 'confab-contract/problem.ts';
import { findApp } from '../../access/access.ts';
import { findUser, userAccess } from '../../access/user/user-access.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { addApp } from '../apps/app-changes.ts';
import { addKey, endKeyAt } from '../credentials/keys.ts';
import { holderOf, issueTokenTo, tokenSecondsDefault } from '../tokens/issue.ts';
import { makeUser } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import { type SampleUser, type SendAs, type Sender, writeContent } from './demo-content.ts';

/**
 * The demo is a page on which two sample users talk, in apps that are created as any host product creates its own. It also
 * gives each area of the console something to show.
 */

/**
 * The users by their names in the addresses of the demo. Their uids begin with `demo-`, so that a user of the same name
 * on the same server is another one, for whom the demo has no token.
 */
const sampleUsers: Readonly<Record<SampleUser, { readonly uid: string; readonly name: string }>> = {
  ada: { uid: 'demo-ada', name: 'Ada Lovelace' },
  grace: { uid: 'demo-grace', name: 'Grace Hopper' },
  katherine: { uid: 'demo-katherine', name: 'Katherine Johnson' },
  visitor: { uid: 'demo-visitor', name: 'A visitor' },
};

/** The apps of the demo, open to every user of the server. The messenger needs none. */
const apps: {
  readonly [uid: string]: { readonly type: AppType; readonly name: string; readonly visitors?: 'read' };
} = {
  // Anyone on this machine reads them, as on the page with the knobs.
  'demo-comments': { type: 'comments', name: 'Comments', visitors: 'read' },
  'demo-posts': { type: 'posts', name: 'Posts' },
  'demo-files': { type: 'files', name: 'Files' },
  'demo-chat': { type: 'chat', name: 'Chat' },
  'demo-guestbook': { type: 'comments', name: 'Guestbook' },
};

/** Makes the demo. It acts as the system user, with an API key's rights. */
export function createDemo({ db, clock }: { db: Db; clock: Clock }) {
  let isNew = false;

  async function system(): Promise<Principal> {
    const user = await findUser(db.read, { id: systemUserId });
    if (user === undefined) throw new Error('the store has no system user');
    return { kind: 'key', user };
  }

  async function issueTo(person: SampleUser): Promise<Json> {
    const { uid, name } = sampleUsers[person];
    const caller = await system();
    return await db.write(async (tx) => {
      const write = { tx, caller, at: clock.now() };
      const holder = await userAccess.issue({ read: tx, caller, ref: { uid }, isTrashedIncluded: false });
      const user = await holderOf(write, holder, { values: { name } });
      return await issueTokenTo(write, user, tokenSecondsDefault);
    });
  }

  return {
    /** Makes the users and apps that are not there yet; those that are there keep their state. */
    async prepare(): Promise<void> {
      const caller = await system();
      const hadApps = (await findApp(db.read, caller, { uid: 'demo-comments' })) !== undefined;
      for (const { uid, name } of Object.values(sampleUsers)) {
        if ((await findUser(db.read, { uid })) !== undefined) continue;
        const user = await db.write((tx) =>
          makeUser({ tx, caller, at: clock.now() }, uid, { values: { name } }),
        );
        // Of several nodes that start together, the one that creates this user fills the demo.
        if (user !== undefined && uid === sampleUsers.ada.uid) isNew = !hadApps;
      }
      for (const [uid, { type, ...fields }] of Object.entries(apps)) {
        const app = { uid, type, fields: { ...fields, access: 'write' } } as const;
        if ((await findApp(db.read, caller, { uid })) === undefined)
          await db.write((tx) => addApp({ tx, caller, at: clock.now() }, app));
      }
    },

    /**
     * Writes the sample content if `prepare` created the demo, and nothing otherwise. Rejects when a request fails; a
     * later start does not write the rest. It sends to this server at `serverUrl`, without a slash at its end.
     */
    async fill(serverUrl: string): Promise<void> {
      if (!isNew) return;
      isNew = false;
      const { secret, info } = await db.write((tx) => addKey(tx, { name: 'demo', at: clock.now() }));
      const tokens = new Map<Sender, string>([['operator', secret]]);
      for (const user of Object.keys(sampleUsers) as SampleUser[])
        tokens.set(user, JSON.parse(await issueTo(user)).access_token);
      const send: SendAs = async (sender, path, body) => {
        const [, method = 'POST', target = path] = /^([A-Z]+) (.+)$/.exec(path) ?? [];
        const isForm = body instanceof FormData;
        const response = await fetch(`${serverUrl}${target}`, {
          method,
          headers: {
            authorization: `Bearer ${tokens.get(sender)}`,
            ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body: isForm ? body : body === undefined ? null : JSON.stringify(body),
        });
        const answer = await response.text();
        if (!response.ok) throw new Error(`the demo could not send ${path}: ${answer}`);
        return answer === '' ? undefined : JSON.parse(answer);
      };
      try {
        await writeContent(send);
      } finally {
        const at = clock.now();
        await db.write((tx) => endKeyAt(tx, info.id, { until: at, at }));
      }
    },

    /**
     * An access token of a sample user, who is made again if their uid has changed. Throws `not_found` for any other
     * name and for a user in the trash, and `user_suspended`.
     */
    async token(person: string): Promise<Json> {
      if (!Object.hasOwn(sampleUsers, person)) throw notFound('person');
      return await issueTo(person as SampleUser);
    },
  };
}
