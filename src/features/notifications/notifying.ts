import type { Db, Tx } from '../../db/db.ts';
import { createLease } from '../../db/lease.ts';
import { appendAll } from '../../events/append-all.ts';
import { visibleText } from '../../kernel/blank.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Json } from '../../kernel/json.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { searchWords } from '../../kernel/search.ts';
import { renderUser } from '../users/user-json.ts';
import { userOf } from '../users/users.sql.ts';
import { findUsers } from '../users/users.ts';
import { type Notice, noticeOf, type Place, reasons, toldActions, wordingOf } from './notice.ts';
import { renderNotification } from './notification-json.ts';
import {
  type AudienceRecord,
  addToCounts,
  appNames,
  type Crowd,
  crowdSizes,
  eventsBetween,
  fileNames,
  insertNotifications,
  lastOfCrowd,
  movePosition,
  type NotificationRecord,
  newestEvent,
  recipients,
  storedPosition,
} from './notifying.store.ts';

/**
 * Makes notifications of the event log. The log is read in order from a position that is stored; the notifications of
 * some events, their own events and the new position are written in one transaction. So whenever the process ends, the
 * next one goes on where the last transaction left off: none is lost, and none is made twice.
 *
 * A position is an event that is done with and, within the next event, a person up to whom it is done with: an event
 * with many subscribers is worked off in parts. What told nobody moves the position in memory alone, because a write
 * for each quiet event would double the writes of a server; it is stored when the log comes to rest or after a while.
 *
 * Where several nodes share a store one of them reads the log for all. That spares work; what makes each notification
 * once is that the position is moved from where this node knows it to be, in the transaction of the notifications. A
 * node that finds it somewhere else writes nothing and goes on from there.
 */

/** The most people of one transaction: a few milliseconds in which requests wait. */
const peopleMax = 50;
/** The most events of one look at the log, and the most of them that can tell somebody: each may be half a megabyte. */
const windowEventsMax = 1000;
const noticesMax = 10;
/** How far the stored position may be behind the one in memory. */
const unstoredEventsMax = 500;

type Position = { readonly eventId: number; readonly userId: number };

/** A recipient as found in the store. */
type Recipient = {
  readonly eventId: number;
  readonly userId: number;
  readonly userJson: Json;
  readonly rank: number;
};

/** The work of one step: what is told, to whom, and where the log has been read to when that is done. */
type Part = {
  readonly notices: readonly Notice[];
  readonly audiences: readonly AudienceRecord[];
  readonly end: Position;
  readonly hasMore: boolean;
};

/** A part of the log as it was read: what it tells, up to where it goes, and whether more follows. */
type Window = { readonly notices: readonly Notice[]; readonly upto: number; readonly hasMore: boolean };

/** What became of one step. */
export type Told = {
  /** Whether there was nothing to read. */
  readonly isIdle: boolean;
  /** Whether there is more to read. */
  readonly hasMore: boolean;
  /** Whether the position has to be stored once the log is at rest. */
  readonly isUnstored: boolean;
};

const nothingHere: Told = { isIdle: true, hasMore: false, isUnstored: false };

/** What makes notifications; the worker takes its steps, one at a time. */
export type Notifying = ReturnType<typeof createNotifying>;

/** Notifications as they are made; `notifications.ts` is for their readers. */
export function createNotifying({ db, clock, people }: { db: Db; clock: Clock; people: PeopleSetting }) {
  let stored: Position | undefined;
  let reached: Position = { eventId: 0, userId: 0 };
  let isUnstored = false;
  /** What was read last, while it is worked off: an event with many people is read and understood once. */
  let window: Window | undefined;
  const lease = createLease({ db, clock, name: 'notifier' });

  /** Forgets what is known of the position, because others have moved it. */
  function beginAnew(): void {
    stored = undefined;
    window = undefined;
    isUnstored = false;
  }

  async function begin(): Promise<Position> {
    if (stored !== undefined) return reached;
    stored = await db.read.get(storedPosition, {});
    if (stored === undefined) throw new Error('the store has no position of the notifier');
    reached = stored;
    return reached;
  }

  /** Moves the stored position; answers false when it is not where this node knows it to be. */
  async function store(tx: Tx, to: Position): Promise<boolean> {
    if (stored === undefined) throw new Error('the position is not known');
    const from = { fromEventId: stored.eventId, fromUserId: stored.userId };
    return (await tx.run(movePosition, { ...to, ...from })) > 0;
  }

  function arrive(to: Position, { isWritten }: { isWritten: boolean }): void {
    reached = to;
    if (isWritten) stored = to;
  }

  /** The part of the log that `from` stands in, or undefined when nothing follows it. */
  async function windowAt(from: Position): Promise<Window | undefined> {
    if (window !== undefined && from.eventId < window.upto) return window;
    window = undefined;
    const newest = (await db.read.get(newestEvent, {}))?.id ?? 0;
    if (newest <= from.eventId) return undefined;
    const upto = Math.min(newest, from.eventId + windowEventsMax);
    const events = await db.read.all(eventsBetween, {
      after: from.eventId,
      upto,
      actions: toldActions,
      top: noticesMax,
    });
    const isFull = events.length === noticesMax;
    window = {
      notices: events.map(noticeOf).filter((notice) => notice !== undefined),
      upto: isFull ? (events.at(-1)?.id ?? upto) : upto,
      hasMore: isFull || upto < newest,
    };
    return window;
  }

  /** What follows `from`, or undefined when nothing does. */
  async function nextPart(from: Position): Promise<Part | undefined> {
    const read = await windowAt(from);
    if (read === undefined) return undefined;
    const notices = read.notices.filter(({ eventId }) => eventId > from.eventId);
    const audiences = notices.flatMap((notice) => audiencesOf(notice, from));
    const end = { eventId: read.upto, userId: 0 };
    return await bounded({ notices, audiences, end, hasMore: read.hasMore });
  }

  /** The beginning of a part that has not too many people, be it a part of the people of its first event. */
  async function bounded(part: Part): Promise<Part> {
    const crowds = part.audiences.filter(isCrowd);
    if (crowds.length === 0) return part;
    const sizes = await db.read.all(crowdSizes, { crowds: JSON.stringify(crowds), top: peopleMax + 1 });
    let people = 0;
    const excess = sizes.findIndex(({ size }) => {
      people += size;
      return people > peopleMax;
    });
    const crowd = crowds[excess];
    if (crowd === undefined) return part;
    const before = part.audiences.filter(({ eventId }) => eventId < crowd.eventId);
    if (before.length > 0)
      return { ...part, audiences: before, end: { eventId: crowd.eventId - 1, userId: 0 }, hasMore: true };
    const { type, id, after } = crowd;
    const last = await db.read.get(lastOfCrowd(crowd.source), { type, id, after, top: peopleMax });
    const upto = last?.userId ?? after;
    return {
      ...part,
      audiences: part.audiences
        .filter(({ eventId }) => eventId === crowd.eventId)
        .map((audience) => ({ ...audience, upto })),
      end: { eventId: crowd.eventId - 1, userId: upto },
      hasMore: true,
    };
  }

  async function placesOf(tx: Tx, notices: readonly Notice[]): Promise<(notice: Notice) => Place> {
    const apps = await tx.all(appNames, { ids: [...new Set(notices.map(({ appId }) => appId))] });
    const fileIds = notices.flatMap(({ fileId }) => (fileId === undefined ? [] : [fileId]));
    const files = fileIds.length === 0 ? [] : await tx.all(fileNames, { ids: fileIds });
    const appById = new Map(apps.map((app) => [app.id, app]));
    const fileById = new Map(files.map((file) => [file.id, file.name]));
    return ({ appId, fileId }) => {
      const app = appById.get(appId);
      return {
        appName: app === undefined ? undefined : nameOf(app),
        fileName: fileId === undefined ? undefined : fileById.get(fileId),
      };
    };
  }

  async function recipientsOf(tx: Tx, audiences: readonly AudienceRecord[]): Promise<Recipient[]> {
    if (audiences.length === 0) return [];
    const rows = await tx.all(recipients(people), { audiences: JSON.stringify(audiences) });
    return rows.map(({ eventId, rank, ...user }) => ({
      eventId: Number(eventId),
      rank: Number(rank),
      userId: user.id,
      userJson: renderUser(userOf(user)),
    }));
  }

  async function write(tx: Tx, part: Part, people: readonly Recipient[]): Promise<void> {
    const told = part.notices.filter((notice) => people.some(({ eventId }) => eventId === notice.eventId));
    const noticeById = new Map(told.map((notice) => [notice.eventId, notice]));
    const placeOf = await placesOf(tx, told);
    const records = people.map((person) =>
      recordOf(found(noticeById.get(person.eventId)), person, placeOf(found(noticeById.get(person.eventId)))),
    );
    const rows = await tx.all(insertNotifications, { records: JSON.stringify(records) });
    const idOf = new Map(rows.map(({ id, eventId, userId }) => [`${eventId} ${userId}`, id]));
    const counts = JSON.stringify(countsOf(people));
    await tx.run(addToCounts, { counts, kind: 'notification' });
    await tx.run(addToCounts, { counts, kind: 'unread_notification' });
    const actors = await findUsers(
      tx,
      told.map(({ actorId }) => actorId),
    );
    const events = records.map((record, index) => {
      const id = found(idOf.get(`${record.eventId} ${record.userId}`));
      const row = { ...record, id, readAt: null, isShown: 1 };
      return {
        actor: { id: record.actorId, json: renderUser(found(actors.get(record.actorId))) },
        appId: record.appId,
        userId: record.userId,
        entity: { id, json: renderNotification(row, { user: found(people[index]).userJson }) },
      };
    });
    await appendAll(tx, { action: 'notification_created', at: clock.now() }, events);
  }

  return {
    /** Tells the people of the next part of the log. */
    async tellSome(): Promise<Told> {
      const turn = await lease.take();
      if (turn !== 'held') beginAnew();
      if (turn === 'elsewhere') return nothingHere;
      const part = await nextPart(await begin());
      if (part === undefined) return { isIdle: true, hasMore: false, isUnstored };
      const isLate = part.end.eventId - (stored?.eventId ?? 0) > unstoredEventsMax;
      const isQuiet = part.audiences.length === 0;
      if (isQuiet && !isLate) {
        arrive(part.end, { isWritten: false });
        return { isIdle: false, hasMore: part.hasMore, isUnstored };
      }
      const outcome = await db.write(async (tx) => {
        const people = await recipientsOf(tx, part.audiences);
        if (people.length === 0 && !isLate) return 'quiet';
        if (!(await store(tx, part.end))) return 'overtaken';
        if (people.length > 0) await write(tx, part, people);
        return 'written';
      });
      if (outcome === 'overtaken') {
        beginAnew();
        return { isIdle: false, hasMore: true, isUnstored };
      }
      const isWritten = outcome === 'written';
      arrive(part.end, { isWritten });
      isUnstored = !isWritten;
      return { isIdle: false, hasMore: part.hasMore, isUnstored };
    },

    /** Stores the position; called when the log is at rest. */
    async rest(): Promise<void> {
      if (!isUnstored) return;
      const to = reached;
      if (await db.write((tx) => store(tx, to))) arrive(to, { isWritten: true });
      else beginAnew();
      isUnstored = false;
    },

    /** Leaves the rest to other nodes. */
    end: lease.end,
  };
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('what a notification is about is gone inside its own transaction');
  return value;
}

function isCrowd(audience: AudienceRecord): audience is AudienceRecord & { source: Crowd } {
  return audience.source === 'subscribers' || audience.source === 'members';
}

/** The audiences of a notice; of the event in whose middle `from` stands, only the people who are left. */
function audiencesOf(notice: Notice, from: Position): AudienceRecord[] {
  const { eventId, appId, actorId, link } = notice;
  return notice.audiences.map(({ reason, ...audience }) => ({
    ...audience,
    eventId,
    appId,
    actorId,
    linkType: link.type,
    linkId: link.id,
    rank: reasons.indexOf(reason),
    after: eventId === from.eventId + 1 ? from.userId : 0,
    upto: Number.MAX_SAFE_INTEGER,
  }));
}

/** What an app is called in a sentence; a conversation without a name is left out. */
function nameOf(app: { type: string; uid: string; name: string | null }): string | undefined {
  if (app.type === 'private_chat') return undefined;
  return visibleText(app.name) ?? (app.type === 'chat_room' ? undefined : app.uid);
}

function recordOf(notice: Notice, { userId, rank }: Recipient, place: Place): NotificationRecord {
  const reason = found(reasons[rank]);
  const { template, args } = wordingOf(notice, reason, place);
  return {
    eventId: notice.eventId,
    userId,
    reason,
    action: notice.action,
    actorId: notice.actorId,
    appId: notice.appId,
    linkType: notice.link.type,
    linkId: notice.link.id,
    template,
    args: JSON.stringify(args),
    words: ` ${searchWords(template.replace(/\{[0-9]\}/g, ' '), ...args)} `,
    createdAt: notice.at,
  };
}

function countsOf(people: readonly Recipient[]): { userId: number; by: number }[] {
  const counts = new Map<number, number>();
  for (const { userId } of people) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return [...counts].map(([userId, by]) => ({ userId, by }));
}
