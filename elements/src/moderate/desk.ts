import { addEnglish, type Comment, type CommentsHost, type Reply } from '../shared.ts';
import { moderateEnglish } from '../texts/moderate-english.ts';
import { permalinkEnglish } from '../texts/permalink-english.ts';

/**
 * The desk of a moderator: what waits for a decision in the app, and the decisions. Each decision has an opposite, which
 * is offered until the next one is made.
 */

// A report may be of a comment that is gone.
addEnglish({ ...permalinkEnglish, ...moderateEnglish });

/** How often what waits is counted while the page is shown, in milliseconds. */
const countMs = 60_000;
/** The most reports that are listed at once. */
const reportsMax = 25;

/** A reported or held comment, as the server lists it. */
export type Report = {
  readonly id: number;
  readonly entity: { readonly id: number; readonly type: string };
  readonly snapshot?: { readonly text?: string };
  readonly held?: { readonly reason: string };
  readonly author?: Decided;
  readonly report_count: number;
  readonly reasons: readonly { readonly reason: string }[];
  readonly texts: readonly { readonly text: string }[];
};

/** The decisions about a comment, with what is said about each, what takes it back, and what a report calls it. */
const decisions = {
  approve: { said: 'approved', back: 'hold', resolution: 'keep' },
  keep: { said: 'kept', back: undefined, resolution: 'keep' },
  hold: { said: 'heldBack', back: 'approve', resolution: 'hold' },
  trash: { said: 'trashed', back: 'restore', resolution: 'trash' },
} as const;
export type Decision = keyof typeof decisions;

/** For how long the address of somebody who is banned is banned as well, in seconds: a week, because addresses change hands. */
const banSeconds = 7 * 86_400;

/** Somebody about whom a moderator decides. */
export type Decided = { readonly id: number; readonly display_name: string };

/** What has been done, until it is dismissed or something else is done. */
type Done = {
  readonly text: string;
  readonly back: (() => Promise<Reply<unknown>>) | undefined;
  /** The comment on which the focus goes afterwards. */
  readonly id: number;
};

export type Desk = ReturnType<typeof createDesk>;

/**
 * Creates the desk of the app that a host shows. `decidesOnPeople`: the moderator trusts and bans authors as well. `changed`
 * is called after each change.
 */
export function createDesk(
  host: CommentsHost,
  { decidesOnPeople, changed }: { readonly decidesOnPeople: boolean; readonly changed: () => void },
) {
  const { app, t } = host;
  const { api } = host.server;
  const path = `/api/apps/${encodeURIComponent(app)}`;
  let isBusy = false;

  const desk = {
    host,
    decidesOnPeople,
    count: 0,
    reports: [] as readonly Report[],
    isOpen: false,
    isLocked: false,
    done: undefined as Done | undefined,

    /** Counts and lists what waits. */
    async read(): Promise<void> {
      const query = `state=open&app=${encodeURIComponent(app)}&expand=author&top=${reportsMax}`;
      const answer = await api.call<{ count: number; data: readonly Report[] }>(`/api/reports?${query}`);
      if (!answer.ok) return;
      desk.count = answer.body.count;
      desk.reports = answer.body.data.filter(({ entity }) => entity.type === 'comment');
      changed();
    },

    /** Decides about a comment in the list. */
    async decide(decision: Decision, { id, created_by: author }: Comment): Promise<void> {
      await settle(decision, id, author?.display_name, () =>
        api.call(`/api/comments/${id}/${decision}`, post),
      );
    },

    /** Decides about a comment that waits. */
    async resolve(decision: Decision, { id, entity, author }: Report): Promise<void> {
      const { resolution } = decisions[decision];
      const body = { action: resolution };
      await settle(decision, entity.id, author?.display_name, () =>
        api.call(`/api/reports/${id}/resolve`, { ...post, body }),
      );
    },

    /** Shows what an author writes at once from now on. `id` is that of a comment of theirs. */
    async trust(author: Decided, id: number): Promise<void> {
      const call = (isTrusted: boolean) => () => stand(author, { is_trusted: isTrusted });
      const text = t('trusted', { name: author.display_name });
      await run(call(true), { text, back: call(false), id });
    },

    /** Suspends an author, and bans the address for a week where the author is a visitor. `id` is that of a comment of theirs. */
    async ban(author: Decided, id: number): Promise<void> {
      const { display_name: name } = author;
      let hasAddress = true;
      const call = async () => {
        const answer = await stand(author, { is_suspended: true, ban_seconds: banSeconds });
        hasAddress = answer.ok || answer.errors?.[0]?.pointer !== '/ban_seconds';
        return hasAddress ? answer : await stand(author, { is_suspended: true });
      };
      const back = () => stand(author, { is_suspended: false, ...(hasAddress ? { ban_seconds: 0 } : {}) });
      await run(call, () => ({ text: t(hasAddress ? 'banned' : 'suspended', { name }), back, id }));
    },

    /** Locks or unlocks the comments of the page. */
    async lock(isLocking: boolean): Promise<void> {
      const call = (isTo: boolean) => async () => {
        const answer = await api.call(`${path}/${isTo ? 'lock' : 'unlock'}`, post);
        if (answer.ok) desk.isLocked = isTo;
        return answer;
      };
      // The button that was pressed takes it back, and a notice says that comments are closed.
      await run(call(isLocking), t(isLocking ? 'locked' : 'unlocked'));
    },

    /** Shows a comment that waits. Those that are held are in the lists of their authors alone. */
    async show(id: number): Promise<void> {
      const answer = await api.call<Comment>(`/api/comments/${id}?expand=created_by,embed`);
      if (!answer.ok) return host.announce(answer.message || t('notFound'), { isShown: true });
      host.thread.put(answer.body);
      await host.show(id);
    },

    /** Takes back what was done last. */
    async undo(): Promise<void> {
      const { back, id } = desk.done ?? {};
      if (back === undefined) return;
      await run(back, t('undone'));
      if (id !== undefined && desk.done === undefined) await host.show(id);
    },

    /** Stops to offer to take back what was done last. */
    async dismiss(): Promise<void> {
      const id = desk.done?.id;
      desk.done = undefined;
      changed();
      if (id !== undefined && host.thread.isShown(id)) await host.show(id);
    },

    toggle(): void {
      desk.isOpen = !desk.isOpen;
      changed();
      if (desk.isOpen) void desk.read();
    },

    /** Counts again from time to time, until the returned function is called. */
    watch(): () => void {
      const read = () => {
        if (document.visibilityState === 'visible') void desk.read();
      };
      const timer = setInterval(read, countMs);
      document.addEventListener('visibilitychange', read);
      void readLock();
      void desk.read();
      return () => {
        clearInterval(timer);
        document.removeEventListener('visibilitychange', read);
      };
    },
  };

  function stand({ id }: Decided, body: object): Promise<Reply<unknown>> {
    return api.call(`/api/users/${id}/moderation`, { method: 'PATCH', body });
  }

  async function readLock(): Promise<void> {
    const answer = await api.call<{ locked_at?: string }>(path);
    if (!answer.ok) return;
    desk.isLocked = Date.parse(answer.body.locked_at ?? '') <= Date.now();
    changed();
  }

  async function settle(
    decision: Decision,
    id: number,
    name: string | undefined,
    call: () => Promise<Reply<unknown>>,
  ): Promise<void> {
    const { said, back } = decisions[decision];
    const undo = back && (() => api.call(`/api/comments/${id}/${back}`, post));
    const text = t(said, { name: name ?? t('unknown') });
    await run(call, { text, back: undo && (() => shownAfter(id, undo)), id }, () => showAgain(id));
  }

  async function shownAfter(id: number, call: () => Promise<Reply<unknown>>): Promise<Reply<unknown>> {
    const answer = await call();
    if (answer.ok) await showAgain(id);
    return answer;
  }

  /** Shows a comment in the list as it is now. What is not in the list is left to the next reading. */
  async function showAgain(id: number): Promise<void> {
    if (host.thread.get(id) === undefined) return;
    const answer = await api.call<Comment>(`/api/comments/${id}?trashed=true&expand=created_by,embed`);
    if (answer.ok) host.thread.put(answer.body);
  }

  /** `done`: what is said of it, with the way back where there is one to offer. */
  async function run(
    call: () => Promise<Reply<unknown>>,
    done: Done | (() => Done) | string,
    then?: () => Promise<void>,
  ): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    const answer = await call();
    isBusy = false;
    if (!answer.ok) return host.announce(answer.message || t('notDone'), { isShown: true });
    await then?.();
    const made = typeof done === 'function' ? done() : done;
    desk.done = typeof made === 'string' ? undefined : made;
    host.announce(typeof made === 'string' ? made : made.text);
    changed();
    await desk.read();
  }

  return desk;
}

const post = { method: 'POST' } as const;
