import { findApp, sees } from '../access/access.ts';
import type { Read } from '../db/db.ts';
import type { AppChanges } from '../events/app-changes.ts';
import type { ClientLimits } from '../http/limits/client-limits.ts';
import { type LiveMessage, liveMessage } from '../kernel/live-body.ts';
import type { Principal } from '../kernel/principal.ts';
import { createSlices } from '../kernel/turn.ts';
import { readVisibilities } from './app-visibility.ts';
import type { OpenWatches, Watch, WatchedApp } from './open-watches.ts';
import type { WatchPeople } from './watch-people.ts';

/** Up to so many readers, all may read at once. */
const readersAtOnce = 200;
/** For each reader of more, the time within which they read grows by so much: 2,000 of them take a tenth of a processor a second. */
const readEveryMs = 0.5;
/** Messages to thousands take longer than others may wait: how long they are sent in one turn, in milliseconds. */
export const sliceMs = 2;
/** What keeps a watch open that there is nothing to say to. */
export const heartbeat = liveMessage(':\n\n');

/** The dependencies of the messages. */
export type WatchMessagesOptions = {
  readonly read: Read;
  readonly changes: AppChanges;
  readonly watches: OpenWatches;
  readonly people: WatchPeople;
  readonly limits: Pick<ClientLimits, 'watchEveryMs' | 'presenceEveryMs' | 'presenceSettleMs'>;
  /** Whether watches say who is writing a comment. */
  readonly showsTyping: boolean;
};

/**
 * The messages to the watches of an app: that it has changed, who is writing, and how many people are present. Each is due
 * some time after the last of its kind, and is sent to those whose callers may read the app at that time.
 */
export function createWatchMessages({
  read,
  changes,
  watches,
  people,
  limits,
  showsTyping,
}: WatchMessagesOptions) {
  /** Those of some watches whose callers may read the app now; at most three statements, however many there are. */
  async function readersAmong(appId: number, some: readonly Watch[]): Promise<(watch: Watch) => boolean> {
    const userIds = new Set<number>();
    const others = new Map<string, Principal>();
    for (const { principal } of some)
      if (principal.kind === 'token') userIds.add(principal.user.id);
      else others.set(principal.kind, principal);
    const users = (await readVisibilities(read, { appIds: [appId], userIds: [...userIds] })).get(appId);
    const reading = new Set<string>();
    for (const [kind, principal] of others) {
      const app = await findApp(read, principal, { id: appId });
      if (app !== undefined && sees(app)) reading.add(kind);
    }
    return ({ principal: { kind, user } }) =>
      kind === 'token' ? users?.get(user.id)?.maySeeContent === true : reading.has(kind);
  }

  /** Sends each watch of an app its message where its caller may still read the app, and ends the others. */
  async function sendTo(
    app: WatchedApp,
    messageOf: (watch: Watch) => LiveMessage | undefined,
  ): Promise<void> {
    const all = [...app.watches];
    const mayRead = await readersAmong(app.id, all);
    const rest = createSlices(sliceMs);
    for (const watch of all) {
      const resting = rest();
      if (resting !== undefined) await resting;
      if (!mayRead(watch) || watches.isExpired(watch)) watches.end(app, watch);
      const message = app.watches.has(watch) ? messageOf(watch) : undefined;
      if (message !== undefined) watches.push(watch, message);
    }
  }

  /** Says to the watches of an app that it has changed. */
  async function tell(app: WatchedApp): Promise<void> {
    const moment = changes.moment();
    const message = changedMessage(app.watches.size);
    await sendTo(app, () => message);
    app.since = moment;
    app.toldAt = performance.now();
  }

  /** Says to the watches of an app who is writing, to those who do of the others alone. */
  async function tellWriters(app: WatchedApp): Promise<void> {
    const writers = [...app.writers];
    app.writers.clear();
    app.writersToldAt = performance.now();
    const all = liveMessage(writersMessage(writers));
    await sendTo(app, ({ principal: { user } }) => {
      const others = writers.filter(([id]) => id !== user.id);
      if (others.length === writers.length) return all;
      return others.length === 0 ? undefined : liveMessage(writersMessage(others));
    });
  }

  /** Says to the watches of an app how many people are present, to those who were told another number. */
  async function tellCount(app: WatchedApp): Promise<void> {
    app.countChangedAt = undefined;
    const count = people?.count(app) ?? 0;
    const isNews = (watch: Watch) => watch.isPresent && watch.toldCount !== count;
    if (![...app.watches].some(isNews)) return;
    app.countToldAt = performance.now();
    const message = liveMessage(countMessage(count));
    await sendTo(app, (watch) => {
      if (!isNews(watch)) return undefined;
      watch.toldCount = count;
      return message;
    });
  }

  return {
    /** Sends the watches of an app what is due; returns the milliseconds until more is, at most `waitMsMax`. */
    async sendDue(app: WatchedApp, now: number, waitMsMax: number): Promise<number> {
      const { toldAt, writersToldAt, countChangedAt, countToldAt } = app;
      const countAt = Math.max(
        (countChangedAt ?? 0) + limits.presenceSettleMs,
        countToldAt + limits.presenceEveryMs,
      );
      const due = [
        { isDue: changes.hasChanged(app.id, app.since), at: toldAt + limits.watchEveryMs, send: tell },
        { isDue: app.writers.size > 0, at: writersToldAt + limits.watchEveryMs, send: tellWriters },
        { isDue: countChangedAt !== undefined, at: countAt, send: tellCount },
      ];
      let waitMs = waitMsMax;
      for (const { isDue, at, send } of due) {
        const dueMs = at - now;
        if (isDue && dueMs > 0) waitMs = Math.min(waitMs, dueMs);
        else if (isDue) await send(app);
      }
      return waitMs;
    },

    /**
     * Sends the first bytes of a watch, which send the headers and say to its client what it is told besides changes; ends
     * it where its caller may not read the app.
     */
    async greet(app: WatchedApp, watch: Watch): Promise<void> {
      const mayRead = await readersAmong(app.id, [watch]);
      if (!mayRead(watch)) watches.end(app, watch);
      else if (app.watches.has(watch)) {
        const writers = showsTyping ? writersMessage([]) : '';
        if (watch.isPresent) watch.toldCount = people?.count(app);
        const count = watch.toldCount === undefined ? '' : countMessage(watch.toldCount);
        watches.push(watch, writers + count === '' ? heartbeat : liveMessage(writers + count));
      }
    },
  };
}

/** A message that something has changed. Where there are many readers, it says within which time each reads at random. */
function changedMessage(readers: number): LiveMessage {
  const withinMs = Math.round(readers * readEveryMs);
  const data = readers > readersAtOnce ? { within_ms: withinMs } : {};
  return liveMessage(`event: changed\ndata: ${JSON.stringify(data)}\n\n`);
}

/** A message that so many people are present. */
function countMessage(count: number): string {
  return `event: presence\ndata: ${JSON.stringify({ count })}\n\n`;
}

/** A message that users with these ids and names are writing. */
function writersMessage(writers: readonly (readonly [id: number, name: string])[]): string {
  const users = writers.map(([id, name]) => ({ id, display_name: name }));
  return `event: typing\ndata: ${JSON.stringify({ users })}\n\n`;
}
