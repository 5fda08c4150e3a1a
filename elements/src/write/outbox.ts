import type { Api, Failure } from '../api.ts';
import type { Comment } from '../thread/comment.ts';
import type { Store } from './store.ts';

/**
 * What is being sent. A comment stays here, and in the storage of the page, until the server has said that it has it. Every
 * try has the same `Idempotency-Key`, so it is written once however often it is sent. What the server cannot take now is
 * sent again by itself, as the person who wrote it and nobody else; what it refuses waits for its author.
 */

/** What is sent besides a text and files: the options of a poll, the preview of a link. */
export type More = {
  readonly options?: readonly { readonly text: string }[];
  readonly embed_id?: number;
};

/** What is kept of a comment that has not been sent. */
type Unsent = {
  /** Its `Idempotency-Key`. */
  readonly key: string;
  readonly text: string;
  readonly replyTo: number | undefined;
  readonly blobs: readonly number[];
  readonly more?: More | undefined;
  /** When its author pressed "send", in milliseconds since 1970. */
  readonly at: number;
  /** As whom it was sent first. Nobody else sends it or is shown it: the first try may have reached the server. */
  readonly userId: number | undefined;
};

/**
 * A comment that has not been sent. `sending`: the server is being asked; `waiting`: it is asked again after a pause;
 * `signIn`: its author has to sign in; `refused`: with what the server says; `kept`: it is of an earlier visit, or its author was
 * gone when it could have been sent.
 */
export type Item = Unsent & {
  readonly state: 'sending' | 'waiting' | 'signIn' | 'refused' | 'kept';
  readonly message: string;
};

export type Outbox = ReturnType<typeof createOutbox>;

/** The pauses between tries, in milliseconds: the first, doubled after each, up to the longest. */
const firstPauseMs = 2000;
/** The code with which the server says that another tab is sending the same. */
const inUse = 'idempotency_key_in_use';
const longestPauseMs = 60_000;
/** What was written longer ago than this is not sent by itself after a reload. */
const freshMs = 15 * 60_000;
/** What was written longer ago than this is forgotten: its author has not come back. */
const keptMs = 30 * 86_400_000;

/** What an outbox works with. */
export type OutboxOptions = {
  readonly api: Pick<Api, 'call'>;
  /** Who is signed in, and who has signed out last. */
  readonly session: {
    readonly user: { readonly id: number } | undefined;
    readonly left?: number | undefined;
  };
  readonly store: Store;
  /** The beginning of the names below which it keeps what is unsent. */
  readonly prefix: string;
  /** The path to post to. */
  readonly path: string;
  /** Called after each change. */
  readonly changed: () => void;
  /** Called with what the server has taken. */
  readonly sent: (comment: Comment, item: Item) => void;
  /** Asks the author to sign in. */
  readonly askToSignIn: () => void;
  /** Whether there is no app yet, as far as is known. */
  readonly isMissing: () => boolean;
  /** Makes the app where there is none, as a person. Resolves to why there is none then. */
  readonly makeApp: (as: number) => Promise<Failure | undefined>;
  readonly later?: (task: () => void, ms: number) => void;
  readonly now?: () => number;
};

/** Creates the outbox of an app, with what earlier visits have left. */
export function createOutbox(options: OutboxOptions) {
  const { api, session, store, prefix, path, changed, later = setTimeout, now = Date.now } = options;
  const items = new Map<string, Item>();
  const tries = new Map<string, number>();

  function change(key: string, to: Partial<Item>): Item | undefined {
    const item = items.get(key);
    if (item === undefined) return undefined;
    const changedItem = { ...item, ...to };
    items.set(key, changedItem);
    changed();
    return changedItem;
  }

  function forget(key: string): void {
    items.delete(key);
    tries.delete(key);
    store.set(prefix + key, undefined);
    changed();
  }

  /** Whether the person who is signed in has written it, or somebody who had not signed in. */
  const isOwn = ({ userId }: Unsent) => userId === undefined || userId === session.user?.id;

  /** Whether its author has left: they have signed out, or another person has signed in. */
  const isGone = (item: Unsent) =>
    !isOwn(item) && (session.user !== undefined || session.left === item.userId);

  /** Sends what waits, by itself. Where its author is gone it waits for them. */
  async function sendAgain(item: Item | undefined): Promise<void> {
    if (item?.state !== 'waiting' && item?.state !== 'signIn') return;
    if (isOwn(item)) await send(item.key);
    else if (item.state === 'waiting' || isGone(item)) change(item.key, { state: 'kept' });
  }

  async function send(key: string): Promise<void> {
    const before = items.get(key);
    if (before === undefined || before.state === 'sending') return;
    const userId = session.user?.id;
    if (userId === undefined) {
      change(key, { state: 'signIn' });
      return;
    }
    const item = change(key, { state: 'sending', userId }) as Item;
    const { state: _, message: __, ...kept } = item;
    store.set(prefix + key, kept);
    const postFirst = async () => (await options.makeApp(userId)) ?? (await post(item));
    let answer = await (options.isMissing() ? postFirst() : post(item));
    if (!answer.ok && answer.status === 404) answer = await postFirst();
    if (answer.ok) {
      forget(key);
      options.sent(answer.body, item);
    } else if (answer.status === 401 && isGone(item)) {
      change(key, { state: 'kept' });
    } else if (answer.status === 401) {
      change(key, { state: 'signIn' });
      options.askToSignIn();
    } else if (isPassing(answer)) wait(key, answer);
    else change(key, { state: 'refused', message: answer.message });
  }

  function post({ key, text, replyTo, blobs, userId, more }: Item) {
    return api.call<Comment>(path, {
      method: 'POST',
      as: userId,
      headers: { 'idempotency-key': key },
      body: {
        ...more,
        ...(text === '' ? {} : { text }),
        ...(replyTo === undefined ? {} : { reply_to: replyTo }),
        ...(blobs.length === 0 ? {} : { blobs }),
      },
    });
  }

  /** What another tab is sending stays `sending`, because `load` forgets what waits once that tab has sent it. */
  function wait(key: string, { retryAfter, code }: Failure): void {
    const failures = tries.get(key) ?? 0;
    tries.set(key, failures + 1);
    const state = code === inUse ? 'sending' : 'waiting';
    change(key, { state });
    const pauseMs = (retryAfter ?? 0) * 1000 || Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
    later(() => {
      if (items.get(key)?.state === state) void sendAgain(change(key, { state: 'waiting' }));
    }, pauseMs);
  }

  const outbox = {
    /** What the person who is signed in has not sent, in the order in which it was written. */
    items: (): readonly Item[] =>
      [...items.values()]
        .filter((item) => isOwn(item) || (item.state === 'signIn' && !isGone(item)))
        .toSorted((a, b) => a.at - b.at),

    /** Takes a comment and sends it. Asks its author to sign in where nobody is. Returns its key. */
    add(written: Pick<Unsent, 'text' | 'replyTo' | 'blobs' | 'more'>): string {
      const key = crypto.getRandomValues(new Uint32Array(4)).join('-');
      const unsent = { ...written, key, at: now(), userId: undefined };
      store.set(prefix + key, unsent);
      items.set(key, { ...unsent, state: 'kept', message: '' });
      void outbox.send(key);
      return key;
    },

    /** Sends one again, because its author wants it. */
    async send(key: string): Promise<void> {
      if (session.user === undefined) options.askToSignIn();
      await send(key);
    },

    /** Sends what waits for a connection, or for its author to sign in. */
    async sendAll(): Promise<void> {
      for (const item of [...items.values()].toSorted((a, b) => a.at - b.at)) await sendAgain(item);
    },

    /** Gives one up. */
    discard: forget,

    /** Takes over what this person has left on an earlier visit, and notices what another tab has sent. */
    load(): void {
      const names = new Set(store.names(prefix));
      for (const name of names) {
        const unsent = store.get<Unsent>(name);
        if (unsent === undefined || items.has(unsent.key)) continue;
        const age = now() - unsent.at;
        if (age > keptMs) store.set(name, undefined);
        if (age > keptMs || !isOwn(unsent)) continue;
        const isFresh = age < freshMs;
        items.set(unsent.key, { ...unsent, state: isFresh ? 'signIn' : 'kept', message: '' });
      }
      for (const { key, state } of items.values())
        if (state !== 'sending' && !names.has(prefix + key)) items.delete(key);
      changed();
    },
  };
  return outbox;
}

/** Whether the server may take the same request later. */
function isPassing({ status, code }: { readonly status: number; readonly code: string }): boolean {
  return status === 0 || status === 429 || status >= 500 || code === inUse;
}
