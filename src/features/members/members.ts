import type { MemberInput } from '../../contract/members.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { filtersOf } from '../../db/filters.ts';
import { changeCount, countOf } from '../../db/tallies.ts';
import { append } from '../../events/events.ts';
import { type Clock, timestamp, type UnixMs } from '../../kernel/clock.ts';
import { type Ref, readRef } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { PeopleSetting, Principal, User } from '../../kernel/principal.ts';
import { notFound } from '../../kernel/problem.ts';
import {
  type AppView,
  asManageable,
  levelOf,
  type ManageableApp,
  manageableApp,
  type ReadableApp,
  readableApp,
} from '../access/access.ts';
import { actorOf } from '../users/user-json.ts';
import { sightOf, systemUserId } from '../users/users.sql.ts';
import {
  countMembers,
  deleteMembers,
  firstMembersOf,
  listMembers,
  type MemberListShape,
  type MemberRow,
  memberCounts,
  upsertMembers,
  usersForMembership,
} from './members.store.ts';

/** How many members stand inside an app; the rest is listed page by page. */
const embeddedMembersMax = 25;

function renderMember(member: MemberRow): Json {
  const optional = [
    member.pictureUrl === null ? '' : `"avatar_url":${jsonString(member.pictureUrl)},`,
    member.deliveredAt === null ? '' : `"delivered_at":"${timestamp(member.deliveredAt)}",`,
    member.markedAt === null ? '' : `"marked_at":"${timestamp(member.markedAt)}",`,
    member.markedId === null ? '' : `"marked_id":${member.markedId},`,
  ].join('');
  return json(
    `{"id":${member.id},"uid":${jsonString(member.uid)},"access":"${member.access}",` +
      `"display_name":${jsonString(member.displayName)},${optional}"presence":"${member.isActive === 1 ? 'active' : 'away'}","is_bot":${member.isBot === 1}}`,
  );
}

/** The first members of an app and how many it has. */
export type MemberPage = { readonly members: readonly MemberRow[]; readonly count: number };

/** The first page of the members of each app; two statements for any number of apps. */
export async function memberPages(read: Read, appIds: readonly number[]): Promise<Map<number, MemberPage>> {
  if (appIds.length === 0) return new Map();
  const counts = new Map((await read.all(memberCounts, { appIds })).map((row) => [row.appId, row.live]));
  const rows = await read.all(firstMembersOf, { appIds, top: embeddedMembersMax });
  const byApp = Map.groupBy(rows, (row) => row.appId);
  return new Map(appIds.map((id) => [id, { members: byApp.get(id) ?? [], count: counts.get(id) ?? 0 }]));
}

/** A first page of members as `members` of an app. */
export function renderMemberPage({ members, count }: MemberPage): Json {
  return envelope({ skip: 0, countOnly: false }, { items: members.map(renderMember), count });
}

/** The first page of the members of each app, rendered; two statements for any number of apps. */
export async function firstMembers(read: Read, appIds: readonly number[]): Promise<Map<number, Json>> {
  const pages = await memberPages(read, appIds);
  return new Map([...pages].map(([id, page]) => [id, renderMemberPage(page)]));
}

/** Makes the creator of a new app its first member, with `role`; the system user belongs to no app. */
export async function joinAsCreator(
  tx: Tx,
  { appId, user, role, at }: { appId: number; user: User; role: 'manager' | 'member'; at: UnixMs },
): Promise<void> {
  if (user.id === systemUserId) return;
  await tx.run(upsertMembers, {
    appId,
    members: JSON.stringify([{ userId: user.id, access: 'write' }]),
    role,
    at,
  });
  await changeCount(
    tx,
    { parentType: 'app', parentId: appId, kind: 'member', appId },
    { live: 1, trashed: 0 },
  );
}

/**
 * Whether a person may end their own membership: of a room or private chat, unless the app gives more to those who are
 * no members than their membership does.
 */
function mayLeave(principal: Principal, app: ReadableApp): boolean {
  if (principal.kind !== 'token' || (app.type !== 'chat_room' && app.type !== 'private_chat')) return false;
  return app.level !== 'read' || levelOf(principal, { ...app, memberAccess: null }) !== 'write';
}

/**
 * The app that some people are to be removed from: one the caller manages, or one the caller leaves. Throws `not_found`
 * or `manage_forbidden`.
 */
async function appToLeave(
  tx: Tx,
  principal: Principal,
  ref: Ref,
  people: () => readonly string[],
): Promise<ReadableApp> {
  const app = await readableApp(tx, principal, ref);
  const { id, uid } = principal.user;
  const isOwn =
    mayLeave(principal, app) && people().every((person) => person === String(id) || person === uid);
  return isOwn ? app : asManageable(app);
}

type Wanted = { readonly ref: Ref; readonly access: string };

/** What the log says of an app whose members change. */
type Named = Pick<AppView, 'id' | 'uid' | 'type'>;

/** What the members feature does; see the operations of the same names. */
export type Members = ReturnType<typeof createMembers>;

/** The members feature: who belongs to an app, with which access (specification section 4.2). */
export function createMembers({ db, clock, people }: { db: Db; clock: Clock; people: PeopleSetting }) {
  /** The people whom some refs name: members, and whom the caller sees; throws `not_found` for anybody else. */
  async function resolve(tx: Tx, principal: Principal, app: Named, refs: readonly Ref[]) {
    const ids = refs.flatMap((ref) => ('id' in ref ? [ref.id] : []));
    const uids = refs.flatMap((ref) => ('uid' in ref ? [ref.uid] : []));
    const { id: userId, directoryId } = principal.user;
    const viewer = { userId, directoryId: directoryId ?? 0 };
    const found = usersForMembership(sightOf(principal, people));
    const rows = await tx.all(found, { appId: app.id, ...viewer, ids, uids });
    const byId = new Map(rows.map((row) => [row.id, row]));
    const byUid = new Map(rows.map((row) => [row.uid, row]));
    return refs.map((ref) => {
      const user = 'id' in ref ? byId.get(ref.id) : byUid.get(ref.uid);
      const isThere = user !== undefined && (user.memberAccess !== null || user.isSeen === 1);
      if (!isThere) throw notFound('user');
      return user;
    });
  }

  /** Adds or changes members, all or none, with an event for each that really changed. */
  async function put(
    tx: Tx,
    principal: Principal,
    app: ManageableApp,
    wanted: readonly Wanted[],
  ): Promise<void> {
    const users = await resolve(
      tx,
      principal,
      app,
      wanted.map((one) => one.ref),
    );
    // Of two entries for one person the last wins.
    const changes = new Map(
      users.map((user, index) => [user.id, { user, access: wanted[index]?.access ?? 'write' }]),
    );
    const changed = [...changes.values()].filter(({ user, access }) => user.memberAccess !== access);
    await write(tx, principal, app, changed);
  }

  /** Writes memberships that are new or have another access than before, with an event for each. */
  async function write(
    tx: Tx,
    principal: Principal,
    app: Named,
    changed: { user: Awaited<ReturnType<typeof resolve>>[number]; access: string }[],
  ): Promise<void> {
    if (changed.length === 0) return;
    const at = clock.now();
    // In the order of ids, so that two requests about the same people never wait for each other in a circle.
    changed.sort((a, b) => a.user.id - b.user.id);
    await tx.run(upsertMembers, {
      appId: app.id,
      members: JSON.stringify(changed.map(({ user, access }) => ({ userId: user.id, access }))),
      role: 'member',
      at,
    });
    await count(
      tx,
      app,
      changed.filter(({ user }) => user.memberAccess === null).map(({ user }) => user),
      1,
    );
    for (const { user, access } of changed)
      await append(tx, {
        action: user.memberAccess === null ? 'member_added' : 'member_updated',
        actor: actorOf(principal.user),
        appId: app.id,
        entity: { id: user.id, json: renderMember({ ...user, access }) },
        extra: { app: json(`{"id":${app.id},"uid":${jsonString(app.uid)},"type":"${app.type}"}`) },
        at,
      });
  }

  /** Counts only those who are listed by default: neither suspended nor in the trash. */
  async function count(
    tx: Tx,
    app: Named,
    users: readonly { suspendedAt: number | null; trashedAt: number | null }[],
    sign: 1 | -1,
  ): Promise<void> {
    const listed = users.filter((user) => user.suspendedAt === null && user.trashedAt === null).length;
    if (listed === 0) return;
    const tally = { parentType: 'app', parentId: app.id, kind: 'member', appId: app.id };
    await changeCount(tx, tally, { live: sign * listed, trashed: 0 });
  }

  async function remove(tx: Tx, principal: Principal, app: Named, refs: readonly Ref[]): Promise<void> {
    const found = new Map((await resolve(tx, principal, app, refs)).map((user) => [user.id, user]));
    const leaving = [...found.values()].filter((user) => user.memberAccess !== null);
    if (leaving.length === 0) return;
    await tx.run(deleteMembers, { appId: app.id, userIds: leaving.map((user) => user.id) });
    await count(tx, app, leaving, -1);
    for (const user of leaving)
      await append(tx, {
        action: 'member_removed',
        actor: actorOf(principal.user),
        appId: app.id,
        entity: { id: user.id, json: renderMember({ ...user, access: user.memberAccess ?? 'none' }) },
        extra: { app: json(`{"id":${app.id},"uid":${jsonString(app.uid)},"type":"${app.type}"}`) },
        at: clock.now(),
      });
  }

  return {
    async addMember(
      principal: Principal,
      app: Ref,
      user: Ref,
      input: Input<{ access?: string | null }>,
    ): Promise<undefined> {
      await db.write(async (tx) => {
        const managed = await manageableApp(tx, principal, app);
        await put(tx, principal, managed, [{ ref: user, access: input.valid().access ?? 'write' }]);
      });
    },

    /** Makes somebody a member with write access unless they are one already; must run in a transaction. */
    async ensureMember(tx: Tx, principal: Principal, app: AppView, user: User): Promise<void> {
      const [present] = await resolve(tx, principal, app, [{ id: user.id }]);
      if (present?.memberAccess === null)
        await put(tx, principal, asManageable(app), [{ ref: { id: user.id }, access: 'write' }]);
    },

    async addMembers(principal: Principal, app: Ref, input: Input<MemberInput[]>): Promise<undefined> {
      const wanted = input.map((members) => members.map(readMember));
      await db.write(async (tx) => {
        const managed = await manageableApp(tx, principal, app);
        await put(tx, principal, managed, wanted.valid());
      });
    },

    /** `users` is the last segment of the path: one id or uid, or several ids separated by commas. */
    async removeMember(principal: Principal, app: Ref, users: string): Promise<undefined> {
      const texts = /^[0-9]+(,[0-9]+)+$/.test(users) ? users.split(',') : [users];
      await db.write(async (tx) => {
        const left = await appToLeave(tx, principal, app, () => texts);
        await remove(tx, principal, left, texts.map(readUser));
      });
    },

    async removeMembers(principal: Principal, app: Ref, input: Input<string[]>): Promise<undefined> {
      await db.write(async (tx) => {
        const left = await appToLeave(tx, principal, app, () => input.valid());
        await remove(tx, principal, left, input.valid().map(readUser));
      });
    },

    /** Adds people as members who may write, leaving those alone who are members; who calls has settled the right. */
    async join(tx: Tx, principal: Principal, app: Named, userIds: readonly number[]): Promise<void> {
      const users = await resolve(
        tx,
        principal,
        app,
        userIds.map((id) => ({ id })),
      );
      const added = users.filter((user) => user.memberAccess === null);
      await write(
        tx,
        principal,
        app,
        added.map((user) => ({ user, access: 'write' })),
      );
    },

    async listMembers(
      principal: Principal,
      ref: Ref,
      list: ListQuery,
      query: { suspended?: boolean | null },
    ): Promise<Json> {
      const app = await readableApp(db.read, principal, ref);
      const read = await db.readForList();
      const filters = filtersOf(list);
      const shape: MemberListShape = {
        order: list.order.field as MemberListShape['order'],
        descending: list.order.descending,
        suspended: query.suspended === undefined ? false : query.suspended,
        trashed: list.trashed,
        ...filters.shape,
        sight: sightOf(principal, people),
      };
      const key = JSON.stringify(shape);
      const parameters = {
        appId: app.id,
        userId: principal.user.id,
        ...filters.parameters,
      };
      const isPlain =
        shape.suspended === false && shape.trashed === false && !shape.hasQuestion && !shape.hasTag;
      const total = !list.count
        ? undefined
        : isPlain
          ? await countOf(read, { parentType: 'app', parentId: app.id, kind: 'member' }, false)
          : ((await read.get(countMembers(key), parameters))?.count ?? 0);
      if (list.countOnly) return envelope(list, { items: [], count: total });
      const rows = await read.all(listMembers(key), parameters);
      return envelope(list, { items: rows.map(renderMember), count: total });
    },
  };
}

function readMember({ uid, id, access = 'write' }: MemberInput): Wanted {
  return { ref: readUser(uid ?? id), access };
}

function readUser(sent: string | number | undefined): Ref {
  const ref = sent === undefined ? undefined : readRef(sent);
  if (ref === undefined) throw notFound('user');
  return ref;
}
