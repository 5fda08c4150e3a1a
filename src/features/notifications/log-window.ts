import type { Read } from '../../db/db.ts';
import { type Notice, noticeOf, notifyingActions, reasons } from './notice.ts';
import {
  type AudienceRecord,
  audienceSizes,
  eventsBetween,
  type LargeAudience,
  lastOfAudience,
  type SizedAudience,
} from './notifier.store.ts';

/** The most recipients of one transaction, for which requests wait; on PostgreSQL fewer would mean more round trips. */
const recipientsMax = 100;
/** The most events that one window of the log spans. */
export const windowEventsMax = 1000;
/** The most events of one window that can notify a user: each may be half a megabyte. */
export const noticesMax = 10;

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
  const upto = Math.min(newest, after + windowEventsMax);
  const events = await read.all(eventsBetween, { after, upto, actions: notifyingActions, top });
  const isFull = events.length === top;
  return {
    notices: events.map(noticeOf).filter((notice) => notice !== undefined),
    upto: isFull ? (events.at(-1)?.id ?? upto) : upto,
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

/**
 * The beginning of a batch that has few enough recipients: whole events, or a part of the audience of the first one.
 * Audiences without users are left out.
 */
async function bounded(read: Read, whole: Batch): Promise<Batch> {
  const sizeOf = await sizesOf(read, whole.audiences.filter(isLarge));
  const batch = { ...whole, audiences: whole.audiences.filter((audience) => sizeOf(audience) > 0) };
  let recipients = 0;
  const audience = batch.audiences.filter(isLarge).find((each) => {
    recipients += sizeOf(each);
    return recipients > recipientsMax;
  });
  if (audience === undefined) return batch;
  const before = batch.audiences.filter(({ eventId }) => eventId < audience.eventId);
  if (before.length > 0)
    return { ...batch, audiences: before, end: { eventId: audience.eventId - 1, userId: 0 }, hasMore: true };
  const { type, id, after } = audience;
  const last = await read.get(lastOfAudience(audience.source), { type, id, after, top: recipientsMax });
  const upto = last?.userId ?? after;
  return {
    ...batch,
    audiences: batch.audiences
      .filter(({ eventId }) => eventId === audience.eventId)
      .map((each) => ({ ...each, upto })),
    end: { eventId: audience.eventId - 1, userId: upto },
    hasMore: true,
  };
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
