import type { Read } from '../../db/db.ts';
import { type Notice, noticeOf, notifyingActions, reasons } from './notice.ts';
import {
  type AudienceRecord,
  audienceSizes,
  eventSizes,
  eventsBetween,
  type LargeAudience,
  lastOfAudience,
  type SizedAudience,
} from './notifier.store.ts';

/** The most recipients of one transaction, for which requests wait; on PostgreSQL fewer would mean more round trips. */
const recipientsMax = 100;
/** The most events that one window of the log spans. */
export const windowEventsMax = 1000;
/**
 * How long a notification that something is held stands for what else is held in the app, unless a message has told of it.
 * Moderators who come to it within that time find all of it in their queue.
 */
const burstMs = 3_600_000;
/** The most events of one window that can notify a user: more than arrive in one turn of a busy server. */
export const noticesMax = 200;
/** The most bytes of their payloads, unless the first alone has more: each may have half a megabyte. */
const noticesBytesMax = 1024 * 1024;

/**
 * How far the log has been processed: up to and including the event `eventId`, and of the event after it, the recipients
 * up to `userId`.
 */
export type Position = { readonly eventId: number; readonly userId: number };

/** A stretch of the log as read: its notices, its last event, and whether more events follow. */
export type Window = {
  readonly notices: readonly Notice[];
  readonly upto: number;
  readonly hasMore: boolean;
};

/** The work of one transaction: the notices, their audiences, and the position once it is done. */
export type Batch = {
  readonly notices: readonly Notice[];
  readonly audiences: readonly AudienceRecord[];
  readonly end: Position;
  readonly hasMore: boolean;
};

/** Reads the log after an event, up to the event `newest` and with at most `top` events that can notify a user. */
export async function readWindow(
  read: Read,
  after: number,
  { newest, top }: { readonly newest: number; readonly top: number },
): Promise<Window> {
  const last = Math.min(newest, after + windowEventsMax);
  const part = { after, actions: notifyingActions, top };
  const sizes = await read.all(eventSizes, { ...part, upto: last });
  let total = 0;
  const end = sizes.findIndex(({ bytes }, index) => {
    total += bytes;
    return total > noticesBytesMax && index > 0;
  });
  const fitting = end === -1 ? sizes : sizes.slice(0, end);
  const isFull = end !== -1 || sizes.length === top;
  const upto = isFull ? (fitting.at(-1)?.id ?? last) : last;
  const events = fitting.length === 0 ? [] : await read.all(eventsBetween, { ...part, upto });
  return {
    notices: events.map(noticeOf).filter((notice) => notice !== undefined),
    upto,
    hasMore: isFull || upto < newest,
  };
}

/** The first event after a position that can notify a user, within the span of a window; undefined without one. */
export async function firstEventAfter(read: Read, { eventId }: Position) {
  const upto = eventId + windowEventsMax;
  const [event] = await read.all(eventsBetween, { after: eventId, upto, actions: notifyingActions, top: 1 });
  return event;
}

/** The batch that follows a position within a window, cut so that it has few enough recipients. */
export async function batchOf(read: Read, window: Window, from: Position): Promise<Batch> {
  const notices = window.notices.filter(({ eventId }) => eventId > from.eventId);
  const audiences = notices.flatMap((notice) => audiencesOf(notice, from));
  const end = { eventId: window.upto, userId: 0 };
  return await bounded(read, { notices, audiences, end, hasMore: window.hasMore });
}

/** The last notified recipient of an event when the log is processed up to `from`; 0 for none. */
export function notifiedUpTo(eventId: number, from: Position): number {
  return eventId === from.eventId + 1 ? from.userId : 0;
}

/** The audiences of a notice; of the event that `from` is within, only the recipients who are left. */
function audiencesOf(notice: Notice, from: Position): AudienceRecord[] {
  const { eventId, appId, actorId, link, at } = notice;
  return notice.audiences.map(({ reason, ...audience }) => ({
    ...audience,
    eventId,
    appId,
    actorId,
    linkType: link.type,
    linkId: link.id,
    rank: reasons.indexOf(reason),
    isHeld: reason === 'held',
    since: at - burstMs,
    after: notifiedUpTo(eventId, from),
    upto: Number.MAX_SAFE_INTEGER,
  }));
}

/**
 * The beginning of a batch that has few enough recipients: whole events, or the first one, as far as it can be parted.
 * Audiences without users are left out.
 */
async function bounded(read: Read, whole: Batch): Promise<Batch> {
  const sizeOf = await sizesOf(read, whole.audiences.filter(isLarge));
  const audiences = whole.audiences.filter((audience) => sizeOf(audience) > 0);
  const [first] = audiences;
  const over = firstBeyond(audiences, sizeOf);
  if (first === undefined || over === undefined) return { ...whole, audiences };
  const { eventId } = over;
  if (eventId !== first.eventId) {
    const before = audiences.filter((audience) => audience.eventId < eventId);
    return { ...whole, audiences: before, end: { eventId: eventId - 1, userId: 0 }, hasMore: true };
  }
  const own = audiences.filter((audience) => audience.eventId === eventId);
  const parted = firstBeyond(own.filter(isLarge), sizeOf);
  if (parted === undefined) return { ...whole, audiences: own, end: { eventId, userId: 0 }, hasMore: true };
  const { type, id, after } = parted;
  const last = await read.get(lastOfAudience(parted.source), { type, id, after, top: recipientsMax });
  const upto = last?.userId ?? after;
  return {
    ...whole,
    audiences: own.map((each) => ({ ...each, upto })),
    end: { eventId: eventId - 1, userId: upto },
    hasMore: true,
  };
}

/** The first audience with which those up to it have too many users together. */
function firstBeyond<A extends AudienceRecord>(
  audiences: readonly A[],
  sizeOf: (audience: AudienceRecord) => number,
): A | undefined {
  let recipients = 0;
  return audiences.find((audience) => {
    recipients += sizeOf(audience);
    return recipients > recipientsMax;
  });
}

/** How many users a large audience has besides the actor, up to a bound; each distinct one is counted once. Others have 1. */
async function sizesOf(
  read: Read,
  audiences: readonly LargeRecord[],
): Promise<(audience: AudienceRecord) => number> {
  const distinct = new Map<string, SizedAudience>();
  for (const audience of audiences) {
    const { source, type, id, after, actorId } = audience;
    distinct.set(sizeKey(audience), { source, type, id, after, actorId });
  }
  if (distinct.size === 0) return () => 1;
  const rows = await read.all(audienceSizes, {
    audiences: JSON.stringify([...distinct.values()]),
    top: recipientsMax + 1,
  });
  const sizes = new Map([...distinct.keys()].map((key, index) => [key, rows[index]?.size]));
  return (audience) => sizes.get(sizeKey(audience)) ?? 1;
}

function sizeKey({ source, type, id, after, actorId }: AudienceRecord): string {
  return `${source} ${type} ${id} ${after} ${actorId}`;
}

/** A record of an audience that may have many users. */
type LargeRecord = AudienceRecord & { readonly source: LargeAudience };

function isLarge(audience: AudienceRecord): audience is LargeRecord {
  return audience.source !== 'user' && audience.source !== 'author';
}
