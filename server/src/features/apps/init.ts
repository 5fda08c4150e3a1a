import { type AppInit, appOperations } from 'confab-contract/apps.ts';
import { invalidField, Problem } from 'confab-contract/problem.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import { findUser } from '../../access/user/user-access.ts';
import { handler } from '../../binding/handler.ts';
import { Input } from '../../kernel/input.ts';
import type { PeopleSetting, Principal, User } from '../../kernel/principal.ts';
import { ensureMember } from '../members/member-changes.ts';
import type { Pictures } from '../users/pictures.ts';
import { prepareChange, type UserChange, userReaders } from '../users/user-change.ts';
import { changeUser, makeUser, type UserWrite, uidTaken } from '../users/user-record.ts';
import { systemUserId } from '../users/users.sql.ts';
import { appReaders, type RequestedApp, requestedApp } from './app-body.ts';
import { appDetail } from './app-detail.ts';
import { ensureApp } from './upsert.ts';
import type { PageSettings } from './visitor-pages.ts';

type InitParts = PageSettings & {
  readonly pictures: Pick<Pictures, 'reader'>;
  readonly people: PeopleSetting;
};

type InitWanted = {
  readonly app: { readonly uid: string; readonly request: RequestedApp };
  readonly user: { readonly uid: string; readonly change: UserChange };
};

/**
 * Creates or changes an app and a user, and makes the user a member of the app, as hosts do when they open a page:
 * everything or nothing. The access of an existing member stays unchanged.
 */
export const initApp = handler(appOperations.initApp, prepare, async (call, parts: InitParts) => {
  const { tx, caller, body } = call;
  const { people, pages, site } = parts;
  const user = await within('user', async () => await ensureUser(call, body.user));
  const { app } = await within(
    'app',
    async () => await ensureApp({ ...call, pages, site }, body.app.uid, Input.of(body.app.request)),
  );
  await ensureMember({ ...call, on: app, people }, user);
  return await appDetail({ read: tx, caller }, app);
});

async function prepare(
  input: Input<AppInit>,
  { principal }: { readonly principal: Principal },
  { pictures }: InitParts,
): Promise<Input<InitWanted>> {
  const read = await input
    .read({ app: appReaders, user: userReaders })
    .readLater({ user: { picture: pictures.reader(principal, userIn(input)) } });
  return read.map(({ app: { uid, ...app }, user: { uid: userUid, ...user } }) => ({
    app: { uid, request: requestedApp(app) },
    user: { uid: userUid, change: prepareChange(user) },
  }));
}

/** The user that a body names, even if that user is refused later. */
function userIn(input: Input<AppInit>): Ref | undefined {
  const uids: string[] = [];
  input.map(({ user }) => uids.push(user.uid));
  return uids[0] === undefined ? undefined : { uid: uids[0] };
}

async function ensureUser(write: UserWrite, { uid, change }: InitWanted['user']): Promise<User> {
  const user = await findUser(write.tx, { uid });
  if (user === undefined) {
    const created = await makeUser(write, uid, change);
    if (created === undefined) throw uidTaken();
    return created;
  }
  if (user.id === systemUserId) throw invalidField('/uid', 'reserved', 'is the user of the system itself');
  return await changeUser(write, user, change);
}

/** Runs a part of the work; the pointers of its problems refer to the whole body. */
async function within<T>(part: 'app' | 'user', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem ? below(part, error) : error;
  }
}

/** The same problem with its fields one level deeper, below `part`. */
function below(part: 'app' | 'user', problem: Problem): Problem {
  const errors = problem.errors.map((field) =>
    field.pointer === undefined ? field : { ...field, pointer: `/${part}${field.pointer}` },
  );
  const { code, detail, moreErrors } = problem;
  return new Problem(code, detail, { errors, moreErrors, cause: problem });
}
