import type { Clearable } from '../../contract/operation.ts';
import type { UserCreate, UserPatch } from '../../contract/users.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { filtersOf } from '../../db/filters.ts';
import { countOf } from '../../db/tallies.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ownUidFault, type Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json } from '../../kernel/json.ts';
import { envelope, type ListQuery, type Order } from '../../kernel/page.ts';
import type { PeopleSetting, Principal, User } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import { directoryAccess } from '../access/directory-access.ts';
import { renderedDirectory } from '../directories/directory-json.ts';
import type { Pictures } from './pictures.ts';
import { prepareChange, type UserChange, userReaders } from './user-change.ts';
import { renderUserFor } from './user-json.ts';
import { changeUser, findUser, makeUser, moveUser, uidTaken, userTally } from './user-record.ts';
import { sightOf, userOf } from './users.sql.ts';
import { countUsers, listUsers, type UserListShape, usersByIds } from './users.store.ts';

/** The users with these ids, by id. One statement for any number of them. */
export async function findUsers(read: Read, ids: readonly number[]): Promise<Map<number, User>> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return new Map();
  const rows = await read.all(usersByIds, { ids: distinct });
  return new Map(rows.map((row) => [row.id, userOf(row)]));
}

/** The same users as `viewer` may see them. */
export async function renderedUsers(
  read: Read,
  viewer: Principal,
  ids: readonly number[],
): Promise<Map<number, Json>> {
  const users = await findUsers(read, ids);
  return new Map([...users].map(([id, user]) => [id, renderUserFor(viewer, user)]));
}

/** The user, unless there is none or it is in the trash and that does not count; throws `not_found`. */
async function getUser(read: Read, ref: Ref, trash: 'live' | 'any'): Promise<User> {
  const user = await findUser(read, ref);
  if (user === undefined || (user.trashedAt !== null && trash === 'live')) throw notFound('user');
  return user;
}

/** Which directories a list is about: every one, none (null), one by its id, or no person at all. */
type Scope = 'every' | 'nobody' | number | null;

/** The people a caller may list: everybody for an API key, else those of the caller's own directory or of none. */
function scopeOf(principal: Principal, directoryId: number | undefined): Scope {
  const own = principal.kind === 'key' ? 'every' : principal.user.directoryId;
  if (directoryId === undefined) return own;
  return own === 'every' || own === directoryId ? directoryId : 'nobody';
}

// What users are not shown of each other orders nothing for them, or they could find it out.
const hiddenOrders: ReadonlySet<string> = new Set(['email', 'created_at', 'modified_at']);

/** The order of a list; one by what the caller is not shown is the default order. */
function orderFor(
  { kind }: Principal,
  { field, descending }: Order,
): Pick<UserListShape, 'order' | 'descending'> {
  if (kind === 'token' && hiddenOrders.has(field)) return { order: 'id', descending: false };
  return { order: field as UserListShape['order'], descending };
}

/** What the users feature does; see the operations of the same names. */
export type Users = ReturnType<typeof createUsers>;

/** The users feature: the people of a server, kept by the host product with its API key. */
export function createUsers({
  db,
  clock,
  pictures,
  people,
}: {
  db: Db;
  clock: Clock;
  pictures: Pictures;
  people: PeopleSetting;
}) {
  /** A user as the users operations show one: with the picture and the directory that the ids name. */
  async function detail(read: Read, user: User): Promise<Json> {
    const rendered = await pictures.rendered(read, user);
    if (user.directoryId === null) return rendered;
    const directory = await renderedDirectory(read, user.directoryId);
    return directory === undefined ? rendered : json(`${rendered.slice(0, -1)},"directory":${directory}}`);
  }

  async function setTrashed(principal: Principal, ref: Ref, isTrashed: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const user = await getUser(tx, ref, 'any');
      return await detail(tx, await moveUser(tx, user, { principal, at: clock.now(), isTrashed }));
    });
  }

  async function page(
    principal: Principal,
    scope: Scope,
    list: ListQuery,
    suspended: boolean | null | undefined,
  ): Promise<Json> {
    // No directory has the id 0, which stands for having none in the counts.
    if (scope === 'nobody' || scope === 0)
      return envelope(list, { items: [], count: list.count ? 0 : undefined });
    const filters = filtersOf(list);
    const sight = sightOf(principal, people);
    const shape: UserListShape = {
      ...orderFor(principal, list.order),
      suspended: suspended === undefined ? false : suspended,
      trashed: list.trashed,
      ...filters.shape,
      directories: scope === 'every' ? 'every' : scope === null ? 'none' : 'one',
      sight,
    };
    const key = JSON.stringify(shape);
    const parameters = {
      userId: principal.user.id,
      directoryId: typeof scope === 'number' ? scope : 0,
      ...filters.parameters,
    };
    const isPlain =
      shape.suspended === false &&
      shape.trashed === false &&
      !shape.hasQuestion &&
      !shape.hasTag &&
      sight !== 'shared';
    const count = !list.count
      ? undefined
      : isPlain
        ? await countOf(db.read, scope === 'every' ? userTally() : userTally(scope), false)
        : ((await db.read.get(countUsers(key), parameters))?.count ?? 0);
    if (list.countOnly) return envelope(list, { items: [], count });
    const rows = await db.read.all(listUsers(key), parameters);
    return envelope(list, { items: rows.map((row) => renderUserFor(principal, userOf(row))), count });
  }

  /** Finds or makes the user; of two who make one at once, the second finds the user of the first. */
  async function upsert(
    tx: Tx,
    principal: Principal,
    uid: string,
    input: Input<UserChange>,
  ): Promise<{ isNew: boolean; user: User }> {
    const doing = { principal, at: clock.now() };
    const change = input.valid();
    const found = await findUser(tx, { uid });
    if (found !== undefined) return { isNew: false, user: await changeUser(tx, found, change, doing) };
    if (change.uid !== undefined && change.uid !== uid)
      throw invalidField('/uid', 'not_found', 'must be the uid in the path while no user has that one');
    const made = await makeUser(tx, uid, change, doing);
    if (made !== undefined) return { isNew: true, user: made };
    const other = await findUser(tx, { uid });
    if (other === undefined) throw uidTaken();
    return { isNew: false, user: await changeUser(tx, other, change, doing) };
  }

  return {
    async createUser(principal: Principal, input: Input<UserCreate>): Promise<Json> {
      const read = await input
        .read(userReaders)
        .readLater({ picture: pictures.reader(principal, undefined) });
      const prepared = read.map(({ uid, ...profile }) => ({ uid, change: prepareChange(profile) }));
      return await db.write(async (tx) => {
        const { uid, change } = prepared.valid();
        const user = await makeUser(tx, uid, change, { principal, at: clock.now() });
        if (user === undefined) throw uidTaken();
        return await detail(tx, user);
      });
    },

    async getUser(ref: Ref, query: { trashed?: boolean }): Promise<Json> {
      return await detail(db.read, await getUser(db.read, ref, query.trashed === true ? 'any' : 'live'));
    },

    getCaller: async (principal: Principal): Promise<Json> => await detail(db.read, principal.user),

    async updateUser(principal: Principal, ref: Ref, input: Input<Clearable<UserPatch>>): Promise<Json> {
      const read = await input.read(userReaders).readLater({ picture: pictures.reader(principal, ref) });
      const change = read.map(prepareChange);
      return await db.write(async (tx) => {
        const user = await getUser(tx, ref, 'live');
        const changed = await changeUser(tx, user, change.valid(), { principal, at: clock.now() });
        return await detail(tx, changed);
      });
    },

    /** Answers whether the user was made. */
    async upsertUser(
      principal: Principal,
      uid: string,
      input: Input<Clearable<UserPatch>>,
    ): Promise<{ isNew: boolean; body: Json }> {
      const fault = ownUidFault('user', uid);
      const read = await input
        .and(fault === undefined ? undefined : invalidField('/uid', 'uid', fault))
        .read(userReaders)
        .readLater({ picture: pictures.reader(principal, { uid }) });
      const change = read.map(prepareChange);
      return await db.write(async (tx) => {
        const { isNew, user } = await upsert(tx, principal, uid, change);
        return { isNew, body: await detail(tx, user) };
      });
    },

    /** A user sees the people of their own directory, or those without one if they have none; an API key sees all. */
    async listUsers(
      principal: Principal,
      list: ListQuery,
      query: { directory_id?: number; suspended?: boolean | null },
    ): Promise<Json> {
      return await page(principal, scopeOf(principal, query.directory_id), list, query.suspended);
    },

    /** The people of one directory; throws `not_found` for one that the caller may not know of. */
    async listDirectoryMembers(
      principal: Principal,
      ref: Ref,
      list: ListQuery,
      query: { suspended?: boolean | null },
    ): Promise<Json> {
      const directory = await directoryAccess.read({
        read: db.read,
        caller: principal,
        ref,
        isTrashedIncluded: false,
      });
      return await page(principal, directory.id, list, query.suspended);
    },

    trashUser: async (principal: Principal, ref: Ref) => await setTrashed(principal, ref, true),
    restoreUser: async (principal: Principal, ref: Ref) => await setTrashed(principal, ref, false),
  };
}
