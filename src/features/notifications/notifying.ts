import type { Db, Tx } from '../../db/db.ts';
import { createLease } from '../../db/lease.ts';
import { appendAll } from '../../events/append-all.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { Problem } from '../../kernel/problem.ts';
import { userOf } from '../access/user.sql.ts';
import { renderUser } from '../users/user-json.ts';
import { findUsers } from '../users/users.ts';
import { type Notice, noticeOf, type Place, reasons, toldActions } from './notice.ts';
import { renderNotification } from './notification-json.ts';
import { countsOf, found, nameOf, type Recipient, recordOf } from './notification-record.ts';
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
  newestEvent,
  parkEvent,
  parkedAfter,
  recipients,
  storedPosition,
  unparkEvent,
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
 * An event that cannot be told does not hold up those after it. After a failure each event is tried by itself, and one
 * that fails three times is *parked* with its error in the transaction that moves the position past it. An operator sees
 * it in `confab doctor` and has it tried again with `--retry`. A store that does not answer parks nothing.
 *
 * Where several nodes share a store one of them reads the log for all. That spares work; what makes each notification
 * once is that the position is moved from where this node knows it to be, in the transaction of the notifications. A
 * node that finds it somewhere else writes nothing and goes on from there.
 */

/** The most people of one transaction, in which requests wait; on PostgreSQL fewer would mean more waits for the database. */
const peopleMax = 100;
/** The most events of one look at the log, and the most of them that can tell somebody: each may be half a megabyte. */
const windowEventsMax = 1000;
const noticesMax = 10;
/** How often an event is tried by itself before it is parked. */
const triesMax = 3;
/** The most characters of an error that are kept. */
const errorCharactersMax = 500;
/** How far the stored position may be behind the one in memory. */
const unstoredEventsMax = 500;

type Position = { readonly eventId: number; readonly userId: number };

/** The work of one step: what is told, to whom, and where the log has been read to when that is done. */
type Part = {
  readonly notices: readonly Notice[];
  readonly audiences: readonly AudienceRecord[];
  readonly end: Position;
  readonly hasMore: boolean;
};

/** A part of the log as it was read: what it tells, up to where it goes, and whether more follows. */
type Window = { readonly notices: readonly Notice[]; readonly upto: number; readonly hasMore: boolean };

/** A failure: up to which event each is tried by itself, and how often the first of them has failed. */
type Trouble = { readonly upto: number; readonly eventId: number; readonly tries: number };

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
export function createNotifying({
  db,
  clock,
  people,
  log,
}: {
  db: Db;
  clock: Clock;
  people: PeopleSetting;
  log: Log;
}) {
  let stored: Position | undefined;
  let reached: Position = { eventId: 0, userId: 0 };
  let isUnstored = false;
  /** What was read last, while it is worked off: an event with many people is read and understood once. */
  let window: Window | undefined;
  let trouble: Trouble | undefined;
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
    window = await readWindow(from.eventId, { newest, top: trouble === undefined ? noticesMax : 1 });
    return window;
  }

  /** What follows an event up to the event `newest`, with at most `top` events that can tell somebody. */
  async function readWindow(
    after: number,
    { newest, top }: { newest: number; top: number },
  ): Promise<Window> {
    const upto = Math.min(newest, after + windowEventsMax);
    const events = await db.read.all(eventsBetween, { after, upto, actions: toldActions, top });
    const isFull = events.length === top;
    return {
      notices: events.map(noticeOf).filter((notice) => notice !== undefined),
      upto: isFull ? (events.at(-1)?.id ?? upto) : upto,
      hasMore: isFull || upto < newest,
    };
  }

  /** What follows `from`, or undefined when nothing does. */
  async function nextPart(from: Position): Promise<Part | undefined> {
    const read = await windowAt(from);
    return read === undefined ? undefined : await partOf(read, from);
  }

  /** What follows `from` in a part of the log that was read. */
  async function partOf(read: Window, from: Position): Promise<Part> {
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

  /** Tells the people of the next part of the log. */
  async function tellPart(from: Position): Promise<Told> {
    const part = await nextPart(from);
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
  }

  /** Parks the event after `from` once it has failed often enough; throws `error` until then, to be tried again. */
  async function meetFailure(from: Position, error: unknown): Promise<Told> {
    window = undefined;
    // This is about the store, and passes.
    if (error instanceof Problem && error.code === 'storage_unavailable') throw error;
    if (trouble === undefined) {
      // Which event it is shows when each is tried by itself.
      trouble = { upto: from.eventId + windowEventsMax, eventId: 0, tries: 0 };
      throw error;
    }
    const upto = from.eventId + windowEventsMax;
    const asked = { after: from.eventId, upto, actions: toldActions, top: 1 };
    const [event] = await db.read.all(eventsBetween, asked);
    if (event === undefined) throw error;
    const tries = trouble.eventId === event.id ? trouble.tries + 1 : 1;
    trouble = { ...trouble, eventId: event.id, tries };
    if (tries < triesMax) throw error;
    const parked = { eventId: event.id, userId: notifiedUpTo(event.id, from), error: textOf(error) };
    const end = { eventId: event.id, userId: 0 };
    const isMoved = await db.write(async (tx) => {
      if (!(await store(tx, end))) return false;
      await tx.run(parkEvent, { ...parked, parkedAt: clock.now() });
      return true;
    });
    if (isMoved) {
      log.error({ err: error, event: event.id }, 'nobody is notified of an event: see "confab doctor"');
      arrive(end, { isWritten: true });
      isUnstored = false;
    } else beginAnew();
    return { isIdle: false, hasMore: true, isUnstored };
  }

  /** Tells the people of a parked event, part by part; answers whether it has left the park. */
  async function retry({ eventId, userId }: Position): Promise<boolean> {
    const read = await readWindow(eventId - 1, { newest: eventId, top: 1 });
    for (let after: number | undefined = userId; after !== undefined; ) {
      const from: Position = { eventId: eventId - 1, userId: after };
      const part = await partOf(read, from);
      const left = part.end.eventId < eventId ? part.end.userId : undefined;
      const isMine = await db.write(async (tx) => {
        if ((await tx.run(unparkEvent, { eventId, userId: from.userId })) === 0) return false;
        if (left !== undefined)
          await tx.run(parkEvent, {
            eventId,
            userId: left,
            error: 'not retried to its end',
            parkedAt: clock.now(),
          });
        const people = await recipientsOf(tx, part.audiences);
        if (people.length > 0) await write(tx, part, people);
        return true;
      });
      if (!isMine) return false;
      after = left;
    }
    return true;
  }

  return {
    /** Tells the people of the next part of the log. Throws what an event fails with until that is parked. */
    async tellSome(): Promise<Told> {
      const turn = await lease.take();
      if (turn !== 'held') beginAnew();
      if (turn === 'elsewhere') return nothingHere;
      const from = await begin();
      try {
        const told = await tellPart(from);
        if (told.isIdle || reached.eventId >= (trouble?.upto ?? 0)) trouble = undefined;
        return told;
      } catch (error) {
        return await meetFailure(from, error);
      }
    },

    /** Has every parked event tried again, alongside servers that run; answers how many have left the park. */
    async retryParked(): Promise<number> {
      let done = 0;
      for (let last = 0; ; ) {
        const [event] = await db.read.all(parkedAfter, { after: last, top: 1 });
        if (event === undefined) return done;
        last = event.eventId;
        try {
          if (await retry(event)) done += 1;
        } catch (error) {
          log.error({ err: error, event: last }, 'nobody is notified of an event');
        }
      }
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

/** Up to which user an event has been told when the log is told up to `from`. */
function notifiedUpTo(eventId: number, from: Position): number {
  return eventId === from.eventId + 1 ? from.userId : 0;
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, errorCharactersMax);
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
    after: notifiedUpTo(eventId, from),
    upto: Number.MAX_SAFE_INTEGER,
  }));
}
