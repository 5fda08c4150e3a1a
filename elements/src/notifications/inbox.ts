import type { NotificationItem } from 'confab-client';
import type { Api, Failure, Reply } from '../shared.ts';

/** The notifications of a user: those that are shown, and how many are unread. Without DOM. */

const itemsInPage = 20;
const path = '/api/notifications';

/** The views of the list, each with what the server is asked for besides the page. */
export const views = {
  all: '',
  mentions: '&type=mention',
  threads: '&type=activity&action=comment_created',
  resolved: '&action=comment_resolved',
} as const;

/** One of the views. */
export type View = keyof typeof views;

type List = { readonly data: readonly NotificationItem[]; readonly count?: number };

/** The state of a list of notifications, and what changes it. */
export type Inbox = ReturnType<typeof createInbox>;

/** Creates the inbox of whoever is signed in. `changed` is called after each change of what it says. */
export function createInbox(api: Pick<Api, 'call'>, changed: () => void) {
  let unread = 0;
  let items: readonly NotificationItem[] | undefined;
  /** Newer ones, which are not shown yet: nothing moves under somebody's hand. */
  let waiting: readonly NotificationItem[] = [];
  let next: string | undefined;
  let failure: Failure | undefined;
  let view: View = 'all';
  /** The items are still those of the view before. */
  let isChanging = false;
  let asked = 0;
  /** How often the list was read anew; what was asked for before says nothing of it. */
  let reads = 0;

  async function readUnread(): Promise<Failure | undefined> {
    const answer: Reply<{ count: number }> = await api.call(`${path}?unread=true&count_only=true`);
    if (answer.ok) unread = answer.body.count;
    return answer.ok ? undefined : answer;
  }

  async function readPage(after: string | undefined): Promise<Reply<List>> {
    const cursor = after === undefined ? '' : `&after=${after}`;
    return await api.call<List>(`${path}?top=${itemsInPage}&expand=actor&count=false${views[view]}${cursor}`);
  }

  /** The newest page again: what is shown stays in its place, with its new marks. */
  function takeNewest(newest: readonly NotificationItem[]): void {
    const shown = new Map(items?.map((item) => [item.id, item]));
    const first = items?.[0]?.id ?? 0;
    const last = newest.at(-1)?.id ?? 0;
    const fresh = new Map(newest.map((item) => [item.id, item]));
    waiting = newest.filter((item) => item.id > first && !shown.has(item.id));
    // One that is neither in the newest page nor older than it was deleted.
    items = items?.flatMap(
      (item) => fresh.get(item.id) ?? (item.id < last || waiting.length > 0 ? [item] : []),
    );
  }

  async function readNewest(): Promise<void> {
    reads += 1;
    const turn = reads;
    const answer = await readPage(undefined);
    if (turn !== reads) return;
    failure = answer.ok ? undefined : answer;
    if (answer.ok) {
      items = answer.body.data;
      next = answer.next;
      waiting = [];
    } else if (isChanging) leave();
    isChanging = false;
    changed();
  }

  function leave(): void {
    items = undefined;
    waiting = [];
    next = undefined;
  }

  function mark(to: (item: NotificationItem) => NotificationItem): void {
    items = items?.map(to);
    changed();
  }

  return {
    unread: () => unread,
    items: () => items,
    waiting: () => waiting.length,
    hasMore: () => next !== undefined,
    failure: () => failure,
    view: () => view,
    isChanging: () => isChanging,

    /** Reads how many are unread, and what has changed in the list where it is shown. */
    async refresh(): Promise<void> {
      asked += 1;
      const turn = asked;
      failure = await readUnread();
      if (turn !== asked) return;
      if (items !== undefined && failure === undefined && !isChanging) {
        const read = reads;
        const answer = await readPage(undefined);
        if (turn !== asked || read !== reads) return;
        if (answer.ok) takeNewest(answer.body.data);
        else failure = answer;
      }
      changed();
    },

    /** Reads the newest of the list. */
    open: readNewest,

    /** Goes to another view. What is shown stays until its newest have been read, so that nothing moves meanwhile. */
    async show(to: View): Promise<void> {
      if (to === view) return;
      view = to;
      isChanging = true;
      changed();
      await readNewest();
    },

    /** Shows those that wait. */
    reveal(): void {
      items = [...waiting, ...(items ?? [])];
      waiting = [];
      changed();
    },

    /** Leaves the list, which is read anew when it is opened again. */
    close(): void {
      reads += 1;
      view = 'all';
      isChanging = false;
      leave();
      changed();
    },

    /** Reads older ones. */
    async more(): Promise<void> {
      const read = reads;
      const answer = await readPage(next);
      if (read !== reads) return;
      failure = answer.ok ? undefined : answer;
      if (answer.ok) {
        const known = new Set(items?.map(({ id }) => id));
        items = [...(items ?? []), ...answer.body.data.filter(({ id }) => !known.has(id))];
        next = answer.next;
      }
      changed();
    },

    /** Marks one as read. */
    async markRead(id: number): Promise<void> {
      const found = items?.find((item) => item.id === id);
      if (found?.is_unread !== true) return;
      unread = Math.max(0, unread - 1);
      mark((item) => (item.id === id ? { ...item, is_unread: false } : item));
      const answer = await api.call(`${path}/${id}/mark`, { method: 'PUT' });
      if (answer.ok) return;
      unread += 1;
      mark((item) => (item.id === id ? { ...item, is_unread: true } : item));
    },

    /** Marks those as read that are shown and all that are older; what came meanwhile stays unread. */
    async markAllRead(): Promise<void> {
      const newest = items?.[0]?.id;
      if (newest === undefined) return;
      const answer = await api.call(`${path}/mark?id=${newest}`, { method: 'PUT' });
      failure = answer.ok ? undefined : answer;
      if (answer.ok) {
        unread = waiting.filter((item) => item.is_unread).length;
        mark((item) => ({ ...item, is_unread: false }));
      } else changed();
    },
  };
}
