import type { Db, Read, Tx } from '../../db/db.ts';
import { searchNeedles } from '../../db/dialect.ts';
import { changeCount, countOf } from '../../db/tallies.ts';
import { type Action, append } from '../../events/events.ts';
import type { Clock } from '../../kernel/clock.ts';
import { parseId } from '../../kernel/ids.ts';
import { type Json, json } from '../../kernel/json.ts';
import { envelope, type ListQuery } from '../../kernel/page.ts';
import type { Principal } from '../../kernel/principal.ts';
import { notFound } from '../../kernel/problem.ts';
import { parseQuestion } from '../../kernel/search.ts';
import { actorOf } from '../users/user-json.ts';
import { renderedUsers } from '../users/users.ts';
import { renderNotification } from './notification-json.ts';
import {
  countNotifications,
  deleteNotification,
  listNotifications,
  type NotificationListShape,
  type NotificationRow,
  notificationById,
  setRead,
  setReadUpTo,
  setUnread,
} from './notifications.store.ts';

/** The most notifications that one transaction marks, some 20 ms of the one writer; there may be many more. */
const markedMax = 2000;

/** What counts the notifications of a person, all of them or those that are unread. */
function notificationTally(userId: number, kind: 'notification' | 'unread_notification') {
  return { parentType: 'user', parentId: userId, kind, appId: 0 } as const;
}

async function changeUnread(tx: Tx, userId: number, by: number): Promise<void> {
  await changeCount(tx, notificationTally(userId, 'unread_notification'), { live: by, trashed: 0 });
}

/** What the notifications feature does for its readers; see the operations of the same names. */
export type Notifications = ReturnType<typeof createNotifications>;

/** Notifications as people read them; `notifying.ts` makes them. */
export function createNotifications({ db, clock }: { db: Db; clock: Clock }) {
  /** The notification, if it is the caller's own or the caller has an API key; throws `not_found`. */
  async function visible(read: Read, principal: Principal, id: number): Promise<NotificationRow> {
    const row = await read.get(notificationById, { id });
    if (row === undefined) throw notFound('notification');
    if (principal.kind !== 'key' && row.userId !== principal.user.id) throw notFound('notification');
    return row;
  }

  async function render(
    read: Read,
    viewer: Principal,
    rows: readonly NotificationRow[],
    expand: ReadonlySet<string>,
  ): Promise<Json[]> {
    const users = await renderedUsers(
      read,
      viewer,
      rows.flatMap((row) => [
        ...(expand.has('actor') && row.isShown === 1 ? [row.actorId] : []),
        ...(expand.has('user') ? [row.userId] : []),
      ]),
    );
    return rows.map((row) =>
      renderNotification(row, {
        actor: expand.has('actor') ? users.get(row.actorId) : undefined,
        user: expand.has('user') ? users.get(row.userId) : undefined,
      }),
    );
  }

  async function detail(read: Read, viewer: Principal, row: NotificationRow): Promise<Json> {
    const [rendered] = await render(read, viewer, [row], new Set(['actor', 'user']));
    if (rendered === undefined) throw new Error('a notification was not rendered');
    return rendered;
  }

  async function record(tx: Tx, principal: Principal, row: NotificationRow, action: Action): Promise<void> {
    const [rendered] = await render(tx, principal, [row], new Set(['user']));
    if (rendered === undefined) throw new Error('a notification was not rendered');
    await append(tx, {
      action,
      actor: actorOf(principal.user),
      appId: row.isShown === 1 ? row.appId : null,
      userId: row.userId,
      entity: { id: row.id, json: rendered },
      at: clock.now(),
    });
  }

  async function mark(principal: Principal, id: number, isRead: boolean): Promise<Json> {
    return await db.write(async (tx) => {
      const row = await visible(tx, principal, id);
      const at = clock.now();
      const changed = isRead ? await tx.run(setRead, { id, at }) : await tx.run(setUnread, { id });
      if (changed === 0) return await detail(tx, principal, row);
      await changeUnread(tx, row.userId, isRead ? -1 : 1);
      const marked = { ...row, readAt: isRead ? at : null };
      await record(tx, principal, marked, 'notification_updated');
      return await detail(tx, principal, marked);
    });
  }

  /** Marks some of the caller's notifications up to `upto`; answers whether there may be more. */
  async function markSome(principal: Principal, upto: number): Promise<boolean> {
    const userId = principal.user.id;
    return await db.write(async (tx) => {
      const at = clock.now();
      const rows = await tx.all(setReadUpTo, { userId, upto, at, top: markedMax });
      if (rows.length === 0) return false;
      await changeUnread(tx, userId, -rows.length);
      const newest = rows.reduce((max, { id }) => Math.max(max, id), 0);
      await append(tx, {
        action: 'notifications_marked',
        actor: actorOf(principal.user),
        appId: null,
        userId,
        extra: { marked_id: json(String(newest)) },
        at,
      });
      return rows.length === markedMax;
    });
  }

  async function countList(
    shape: NotificationListShape,
    parameters: { userId: number; action: string; needles: readonly string[]; top: number; skip: number },
  ): Promise<number> {
    if (shape.hasAction || shape.hasQuestion)
      return (await db.read.get(countNotifications(JSON.stringify(shape)), parameters))?.count ?? 0;
    const { userId } = parameters;
    const unread =
      shape.unread === null
        ? 0
        : await countOf(db.read, notificationTally(userId, 'unread_notification'), false);
    if (shape.unread === true) return unread;
    return (await countOf(db.read, notificationTally(userId, 'notification'), false)) - unread;
  }

  return {
    async listNotifications(
      principal: Principal,
      list: ListQuery,
      query: { action?: string; unread?: boolean | null },
    ): Promise<Json> {
      // None has a tag or is in the trash.
      if (list.trashed === true || list.tag !== undefined)
        return envelope(list, { items: [], count: list.count ? 0 : undefined });
      const terms = parseQuestion(list.q);
      const shape: NotificationListShape = {
        order: list.order.field as NotificationListShape['order'],
        descending: list.order.descending,
        unread: query.unread ?? null,
        hasAction: query.action !== undefined,
        hasQuestion: terms !== undefined,
      };
      const parameters = {
        userId: principal.user.id,
        action: query.action ?? '',
        needles: terms === undefined ? [] : searchNeedles(terms),
        top: list.top,
        skip: list.skip,
      };
      const count = list.count ? await countList(shape, parameters) : undefined;
      if (list.countOnly) return envelope(list, { items: [], count });
      const rows = await db.read.all(listNotifications(JSON.stringify(shape)), parameters);
      return envelope(list, { items: await render(db.read, principal, rows, list.expand), count });
    },

    async getNotification(principal: Principal, id: number): Promise<Json> {
      return await detail(db.read, principal, await visible(db.read, principal, id));
    },

    async deleteNotification(principal: Principal, id: number): Promise<undefined> {
      await db.write(async (tx) => {
        const row = await visible(tx, principal, id);
        await tx.run(deleteNotification, { id });
        await changeCount(tx, notificationTally(row.userId, 'notification'), { live: -1, trashed: 0 });
        if (row.readAt === null) await changeUnread(tx, row.userId, -1);
        await record(tx, principal, row, 'notification_deleted');
      });
    },

    markNotification: async (principal: Principal, id: number) => await mark(principal, id, true),
    unmarkNotification: async (principal: Principal, id: number) => await mark(principal, id, false),

    /**
     * Marks the caller's notifications as read, batch by batch, each with an event of its own: those up to the one that
     * `id` names or, when it is absent, all. Throws `not_found` when `id` names none of the caller's.
     */
    async markNotifications(principal: Principal, id: string | undefined): Promise<undefined> {
      let upto = Number.MAX_SAFE_INTEGER;
      if (id !== undefined) {
        upto = parseId(id) ?? 0;
        const row = await db.read.get(notificationById, { id: upto });
        if (row?.userId !== principal.user.id) throw notFound('notification');
      }
      let hasMore = true;
      while (hasMore) hasMore = await markSome(principal, upto);
    },
  };
}
