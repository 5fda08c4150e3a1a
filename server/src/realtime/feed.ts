import { Problem } from 'confab-contract/problem.ts';
import type { Read } from '../db/db.ts';
import { withLongTexts } from '../db/long-texts.ts';
import { withActor } from '../events/events.ts';
import type { FeedQuery } from '../features/events/list.ts';
import { blankPayload, type EventReader, isWholeFor, readThings } from '../features/events/things.ts';
import { publicFormOf } from '../features/users/user-json.ts';
import { type Json, json } from '../kernel/json.ts';
import { countFitting, type PageAnswer } from '../kernel/page.ts';
import type { Principal } from '../kernel/principal.ts';
import { type EventFacts, isShownTo, readVisibilities } from './app-visibility.ts';
import {
  eventFactsAfter,
  eventFactsBefore,
  eventFactsOf,
  eventsByIds,
  newestPosition,
  newestRemoved,
  payloadsByIds,
  shownEventsAfter,
} from './log.store.ts';

/**
 * How many events one page scans for those the user may see. Without a bound, a user who sees little would make the
 * server read the whole log; with it, the page returns the position to continue from.
 */
const scannedMax = 1000;

/** Events as the caller may see them, and the position to continue from. */
export type FeedPage = {
  readonly events: readonly { readonly id: number; readonly json: Json }[];
  readonly next: number;
  readonly hasMore: boolean;
};

/** An event as the feed shows it, given its payload in the form for the caller. */
export function feedEvent(id: number, payload: string): Json {
  return json(`{"position":${id},"id":${id},${payload}}`);
}

/**
 * The payload of an event for users. The log has all fields of the actor, for webhooks and API keys; users get the public
 * form. It does not depend on the user, so it is made once for all of them.
 */
export function publicPayload(payload: string): string {
  return withActor(payload, publicFormOf);
}

/**
 * Throws `position_gone` when events after a position were removed for their age. Position 0 is the beginning of the log,
 * whatever that is.
 */
function assertKept(after: number, removedUpTo: number): void {
  if (after === 0 || after >= removedUpTo) return;
  throw new Problem(
    'position_gone',
    `Not every event up to ${removedUpTo} is kept. Read what you follow again, and continue with after=${removedUpTo}.`,
  );
}

/** Checks a position as `readFeed` does, before a stream begins there. Throws `position_gone`. */
export async function checkPosition(read: Read, after: number): Promise<void> {
  assertKept(after, (await read.get(newestRemoved, {}))?.position ?? 0);
}

/**
 * The position that `assertKept` compares with, read in the statement of the events themselves. If events were removed
 * after the newest position was read, none may be left that shows it.
 */
function removedBefore(rows: readonly { readonly removedUpTo: number | null }[], newest: number): number {
  const [first] = rows;
  return first === undefined ? newest : (first.removedUpTo ?? 0);
}

/**
 * The events after a position that the caller may see, at most `top`, in at most four statements and one for each kind of
 * thing. They are complete up to `next`: later commits have higher positions. Throws `position_gone`.
 */
export async function readFeed(
  read: Read,
  principal: Principal,
  { after, top }: { after: number; top: number },
): Promise<FeedPage> {
  // Read first: where statements do not share a snapshot, events committed between them belong to the next page.
  const newest = (await read.get(newestPosition, {}))?.position ?? 0;
  if (principal.kind === 'key') {
    const rows = await read.all(shownEventsAfter, { after, upto: newest, top });
    assertKept(after, removedBefore(rows, newest));
    const events = await shownEvents(read, rows, keyReader);
    const isWhole = rows.length < top && events.length === rows.length;
    return { events, ...continuation(after, newest, isWhole ? undefined : events.at(-1)?.id) };
  }
  const facts = await read.all(eventFactsAfter, { after, upto: newest, top: scannedMax });
  assertKept(after, removedBefore(facts, newest));
  const visible = (await visibleEvents(read, principal.user.id, facts)).slice(0, top);
  const rows = visible.length === 0 ? [] : await read.all(eventsByIds, { ids: visible.map(({ id }) => id) });
  const events = await shownEvents(read, rows, readersOf(visible));
  const lastScanned = facts.length < scannedMax ? undefined : facts.at(-1)?.id;
  const isCutShort = visible.length === top || events.length < rows.length;
  return { events, ...continuation(after, newest, isCutShort ? events.at(-1)?.id : lastScanned) };
}

/**
 * The events before a position that the caller may see, the newest first and at most `top`; of one thing, where `entity`
 * names it. They are complete down to `next`. Of one thing, a page without events is the last: neither `next` nor `hasMore`
 * may tell a user how much happened to something that the user may not see.
 */
async function readBack(
  read: Read,
  principal: Principal,
  { before = Number.MAX_SAFE_INTEGER, entity, top }: Omit<FeedQuery, 'after'>,
): Promise<FeedPage> {
  const isKey = principal.kind === 'key';
  const scanned = isKey ? top + 1 : scannedMax;
  const facts =
    entity === undefined
      ? await read.all(eventFactsBefore, { before, top: scanned })
      : await read.all(eventFactsOf, {
          before,
          top: scanned,
          entityType: entity.type,
          entityId: entity.id,
        });
  const ofUser = isKey ? undefined : await visibleEvents(read, principal.user.id, facts);
  const visible = ofUser ?? facts;
  const ids = visible.slice(0, top).map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await read.all(eventsByIds, { ids });
  const readerOf = ofUser === undefined ? keyReader : readersOf(ofUser);
  const events = await shownEvents(read, rows.toReversed(), readerOf);
  const isCutShort = events.length < visible.length;
  const isHidden = entity !== undefined && visible.length === 0;
  const hasMore = isCutShort || (facts.length === scanned && !isHidden);
  const next = (isCutShort || !hasMore ? events : facts).at(-1)?.id ?? before;
  return { events, next, hasMore };
}

type Facts = EventFacts & { readonly appId: number | null };

/** An event that a user may see, with what decides how much of its thing. */
type VisibleEvent = { readonly id: number; readonly reader: EventReader };

/** Filters events to those that a user may see. */
async function visibleEvents(
  read: Read,
  userId: number,
  facts: readonly (Facts & { readonly id: number })[],
): Promise<VisibleEvent[]> {
  const appIds = [...new Set(facts.map(({ appId }) => appId).filter((id) => id !== null))];
  const visibilities = await readVisibilities(read, { appIds, userIds: [userId] });
  return facts.flatMap((event): VisibleEvent[] => {
    const visibility = event.appId === null ? undefined : visibilities.get(event.appId)?.get(userId);
    const isSeen =
      event.appId === null
        ? event.userId === userId
        : visibility !== undefined && isShownTo(event, userId, visibility);
    const isModerator = visibility?.isModerator === true;
    return isSeen ? [{ id: event.id, reader: { kind: 'token', userId, isModerator } }] : [];
  });
}

type ReaderOf = (id: number) => EventReader;

const keyReader: ReaderOf = () => ({ kind: 'key' });

function readersOf(seen: readonly VisibleEvent[]): ReaderOf {
  const readers = new Map(seen.map(({ id, reader }) => [id, reader]));
  return (id) => {
    const reader = readers.get(id);
    if (reader === undefined) throw new Error('an event was read that its reader may not see');
    return reader;
  };
}

/** The first of some events that fit into a page, each as its reader may see it now. */
async function shownEvents(
  read: Read,
  rows: Parameters<typeof withPayloads>[1],
  readerOf: ReaderOf,
): Promise<FeedPage['events']> {
  const whole = await withPayloads(read, rows);
  const logged = whole.map(({ id, entityType, entityId, content }) => ({
    id,
    entityType,
    entityId,
    payload: content,
  }));
  // Read after the payloads, so that nothing is shown that was hidden before its payload was read.
  const things = await readThings(read, logged);
  const events = logged.map((event) => {
    const { id } = event;
    const [thing, reader] = [things.get(id), readerOf(id)];
    const payload = thing === undefined || isWholeFor(thing, reader) ? event.payload : blankPayload(event);
    return { id, json: feedEvent(id, reader.kind === 'key' ? payload : publicPayload(payload)) };
  });
  return fitting(events);
}

/** Adds the payloads to the first of some events that fit into a page. */
async function withPayloads(
  read: Read,
  rows: readonly {
    readonly id: number;
    readonly entityType: string;
    readonly entityId: number;
    readonly content: string | null;
    readonly bytes: number;
  }[],
) {
  return await withLongTexts(rows, (ids) => read.all(payloadsByIds, { ids }));
}

/** The events that fit into one page, as a list does (`pageBytesMax`). */
function fitting(events: FeedPage['events']): FeedPage['events'] {
  return events.slice(0, countFitting(events.map((event) => event.json)));
}

/** `last` is the position at which the page was cut short; undefined when it reached the end of the log. */
function continuation(
  after: number,
  newest: number,
  last: number | undefined,
): { next: number; hasMore: boolean } {
  const next = Math.max(after, last ?? newest);
  return { next, hasMore: next < newest };
}

/** The page as the JSON of a response. */
export async function feedPage(read: Read, principal: Principal, page: FeedQuery): Promise<PageAnswer> {
  const isBackwards = page.before !== undefined || page.entity !== undefined;
  const { events, next, hasMore } = await (isBackwards ? readBack : readFeed)(read, principal, page);
  const data = events.map((event) => event.json).join(',');
  const body = json(`{"data":[${data}],"next":${next},"has_more":${hasMore}}`);
  if (!hasMore) return { body, next: undefined };
  return { body, next: isBackwards ? { before: next } : next };
}
