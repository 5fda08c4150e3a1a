import type { AppInit } from '../../contract/apps.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import type { PeopleSetting, Principal, User } from '../../kernel/principal.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { findUser } from '../access/user-access.ts';
import { ensureMember } from '../members/member-changes.ts';
import type { Pictures } from '../users/pictures.ts';
import { prepareChange, type UserChange, userReaders } from '../users/user-change.ts';
import { changeUser, makeUser, type UserWrite, uidTaken } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import { appReaders, prepareApp } from './app-change.ts';
import type { Apps } from './apps.ts';

/** The same problem with the field named as it stands in the body, one level deeper than who found it knows. */
function below(part: 'app' | 'user', problem: Problem): Problem {
  const errors = problem.errors.map((field) =>
    field.pointer === undefined ? field : { ...field, pointer: `/${part}${field.pointer}` },
  );
  return new Problem(problem.code, problem.detail, {
    errors,
    moreErrors: problem.moreErrors,
    cause: problem,
  });
}

async function within<T>(part: 'app' | 'user', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem ? below(part, error) : error;
  }
}

/** Whom a body names, also one that is refused later. */
function uidIn(input: Input<AppInit>): Ref | undefined {
  const uids: string[] = [];
  input.map(({ user }) => uids.push(user.uid));
  return uids[0] === undefined ? undefined : { uid: uids[0] };
}

/** Makes the part that ensures an app, a person and their membership at once, as hosts do when a page is opened. */
export function createAppInit({
  db,
  clock,
  apps,
  people,
  pictureReader,
}: {
  db: Db;
  clock: Clock;
  apps: Apps;
  people: PeopleSetting;
  /** Makes the reader of the picture of the person. */
  pictureReader: Pictures['reader'];
}) {
  async function ensureUser(
    write: UserWrite,
    { uid, change }: { uid: string; change: UserChange },
  ): Promise<User> {
    const found = await findUser(write.tx, { uid });
    if (found === undefined) {
      const made = await makeUser(write, uid, change);
      if (made === undefined) throw uidTaken();
      return made;
    }
    if (found.id === systemUserId) throw invalidField('/uid', 'reserved', 'is the user of the system itself');
    return await changeUser(write, found, change);
  }

  return {
    /** All three or none. The access of somebody who is a member already stays as it is. */
    async initApp(principal: Principal, input: Input<AppInit>): Promise<Json> {
      const read = await input
        .read({ app: appReaders, user: userReaders })
        .readLater({ user: { picture: pictureReader(principal, uidIn(input)) } });
      const prepared = read.map(({ app: { uid, ...app }, user: { uid: userUid, ...user } }) => ({
        app: { uid, wanted: prepareApp(app) },
        user: { uid: userUid, change: prepareChange(user) },
      }));
      return await db.write(async (tx) => {
        const wanted = prepared.valid();
        const user = await within(
          'user',
          async () => await ensureUser({ tx, caller: principal, at: clock.now() }, wanted.user),
        );
        const app = await within(
          'app',
          async () => await apps.ensureApp(tx, principal, wanted.app.uid, wanted.app.wanted),
        );
        await ensureMember({ tx, caller: principal, on: app, at: clock.now(), people }, user);
        return await apps.renderedApp(tx, principal, app);
      });
    },
  };
}

/** What the part does; see the operation of the same name. */
export type AppInitiation = ReturnType<typeof createAppInit>;
