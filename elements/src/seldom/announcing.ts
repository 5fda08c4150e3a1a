import type { Translate } from '../texts/texts.ts';
import type { Thread } from '../thread/thread.ts';

/** What shows a thread, and speaks of it. */
type Host = {
  readonly thread: Pick<Thread, 'waitingCount'>;
  readonly t: Translate;
  announce(text: string): void;
};

/** The shortest time between two announcements of new comments, in milliseconds. */
const quietMs = 10_000;

/** How many new comments were announced, and when. */
const announced = new WeakMap<Host['thread'], { readonly count: number; readonly at: number }>();

/** Says to users of a screen reader how many new comments wait, where they are more than was said, and not too often. */
export function announceNew(host: Host, now = Date.now()): void {
  const { thread } = host;
  const count = thread.waitingCount();
  const before = announced.get(thread) ?? { count: 0, at: 0 };
  const isNews = count > before.count && now - before.at > quietMs;
  if (isNews) host.announce(host.t('newComments', { count }));
  if (isNews || count < before.count) announced.set(thread, { count, at: isNews ? now : before.at });
}
