import type { MemberInput } from '../../contract/members.ts';
import type { Db, Read, Tx } from '../../db/db.ts';
import { searchExpression } from '../../db/dialect.ts';
import { changeCount, countOf } from '../../db/tallies.ts';
import { append } from '../../events/events.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import { parseRef, type Ref } from '../../kernel/ids.ts';
import type { Input } from '../../kernel/input.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { type ManageableApp, manageableApp, readableApp } from '../access/access.ts';
import { actorOf } from '../users/user-json.ts';
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

/** The user that owns what is made with an API key; it joins no app. */
const systemUserId = 1;

function renderMember(member: MemberRow): Json {
  const avatar = member.pictureUrl === null ? '' : `"avatar_url":${jsonString(member.pictureUrl)},`;
  return json(
    `{"id":${member.id},"uid":${jsonString(member.uid)},"access":"${member.access}",` +
      `"display_name":${jsonString(member.displayName)},${avatar}"presence":"away","is_bot":${member.isBot === 1}}`,
  );
}

/** The first page of the members of each app, as `members` of the app; two statements for any number of apps. */
export async function firstMembers(read: Read, appIds: readonly number[]): Promise<Map<number, Json>> {
  if (appIds.length === 0) return new Map();
  const counts = new Map((await read.all(memberCounts, { appIds })).map((row) => [row.appId, row.live]));
  const rows = await read.all(firstMembersOf, { appIds, top: embeddedMembersMax });
  const items = new Map<number, string[]>(appIds.map((id) => [id, []]));
  for (const row of rows) items.get(row.appId)?.push(renderMember(row));
  return new Map(
    [...items].map(([id, list]) => [
      id,
      envelope({ skip: 0, countOnly: false }, { items: list, count: counts.get(id) ?? 0 }),
    ]),
  );
}

/** Makes the creator of a new app its first member; the system user manages without being one. */
export async function joinAsCreator(
  tx: Tx,
  { appId, user, at }: { appId: number; user: User; at: UnixMs },
): Promise<void> {
  if (user.id === systemUserId) return;
  await tx.run(upsertMembers, { appId, userIds: [user.id], access: ['write'], at });
  await changeCount(
    tx,
    { parentType: 'app', parentId: appId, kind: 'member', appId },
    { live: 1, trashed: 0 },
  );
}

type Wanted = { readonly ref: Ref; readonly access: string };

/** What the members feature does; see the operations of the same names. */
export type Members = ReturnType<typeof createMembers>;

/** The members feature: who belongs to an app, with which access (specification section 4.2). */
export function createMembers({ db, clock }: { db: Db; clock: Clock }) {
  async function resolve(tx: Tx, app: ManageableApp, refs: readonly Ref[]) {
    const ids = refs.flatMap((ref) => ('id' in ref ? [ref.id] : []));
    const uids = refs.flatMap((ref) => ('uid' in ref ? [ref.uid] : []));
    const rows = await tx.all(usersForMembership, { appId: app.id, ids, uids });
    const byId = new Map(rows.map((row) => [row.id, row]));
    const byUid = new Map(rows.map((row) => [row.uid, row]));
    return refs.map((ref) => {
      const user = 'id' in ref ? byId.get(ref.id) : byUid.get(ref.uid);
      if (user === undefined) throw notFound('user');
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
      app,
      wanted.map((one) => one.ref),
    );
    // Of two entries for one person the last wins.
    const changes = new Map(
      users.map((user, index) => [user.id, { user, access: wanted[index]?.access ?? 'write' }]),
    );
    const changed = [...changes.values()].filter(({ user, access }) => user.memberAccess !== access);
    if (changed.length === 0) return;
    const at = clock.now();
    // In the order of ids, so that two requests about the same people never wait for each other in a circle.
    changed.sort((a, b) => a.user.id - b.user.id);
    await tx.run(upsertMembers, {
      appId: app.id,
      userIds: changed.map(({ user }) => user.id),
      access: changed.map(({ access }) => access),
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
    app: ManageableApp,
    users: readonly { suspendedAt: number | null; trashedAt: number | null }[],
    sign: 1 | -1,
  ): Promise<void> {
    const listed = users.filter((user) => user.suspendedAt === null && user.trashedAt === null).length;
    if (listed === 0) return;
    const tally = { parentType: 'app', parentId: app.id, kind: 'member', appId: app.id };
    await changeCount(tx, tally, { live: sign * listed, trashed: 0 });
  }

  async function remove(
    tx: Tx,
    principal: Principal,
    app: ManageableApp,
    refs: readonly Ref[],
  ): Promise<void> {
    const found = new Map((await resolve(tx, app, refs)).map((user) => [user.id, user]));
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
        const managed = await manageableApp(tx, principal, app);
        await remove(tx, principal, managed, texts.map(readUser));
      });
    },

    async removeMembers(principal: Principal, app: Ref, input: Input<string[]>): Promise<undefined> {
      await db.write(async (tx) => {
        const managed = await manageableApp(tx, principal, app);
        await remove(tx, principal, managed, input.valid().map(readUser));
      });
    },

    async listMembers(
      principal: Principal,
      ref: Ref,
      list: ListQuery,
      query: { suspended?: boolean | null },
    ): Promise<Json> {
      const app = await readableApp(db.read, principal, ref);
      const terms = parseQuestion(list.q);
      const shape: MemberListShape = {
        order: list.order.field as MemberListShape['order'],
        descending: list.order.descending,
        suspended: query.suspended === undefined ? false : query.suspended,
        trashed: list.trashed,
        hasQuestion: terms !== undefined,
        hasTag: list.tag !== undefined,
      };
      const key = JSON.stringify(shape);
      const parameters = {
        appId: app.id,
        question: terms === undefined ? '' : searchExpression(terms),
        tag: list.tag ?? '',
        top: list.top,
        skip: list.skip,
      };
      const isPlain =
        shape.suspended === false && shape.trashed === false && !shape.hasQuestion && !shape.hasTag;
      const total = !list.count
        ? undefined
        : isPlain
          ? await countOf(db.read, { parentType: 'app', parentId: app.id, kind: 'member' }, false)
          : ((await db.read.get(countMembers(key), parameters))?.count ?? 0);
      if (list.countOnly) return envelope(list, { items: [], count: total });
      const rows = await db.read.all(listMembers(key), parameters);
      return envelope(list, { items: rows.map(renderMember), count: total });
    },
  };
}

function readMember(member: MemberInput, index: number): Wanted {
  const text = member.uid ?? member.id?.toString();
  if (text === undefined) throw invalidField(`/${index}/uid`, 'required', 'is required');
  return { ref: readUser(text), access: member.access ?? 'write' };
}

function readUser(text: string): Ref {
  const ref = parseRef(text);
  if (ref === undefined) throw notFound('user');
  return ref;
}
