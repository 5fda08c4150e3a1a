import { ConnectionError, type Page, type Pages, ProblemError } from 'confab-client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { epoch, noteFailure } from './api.ts';
import { isChanging, useLive, whileChanging } from './live.ts';
import { session } from './session.ts';
import { useStore } from './store.ts';

/**
 * How views read and change things. What was read is kept under its key, so that a view which is opened again shows it at
 * once and reads it again behind that.
 */

const keptMax = 100;
const kept = new Map<string, unknown>();

function keep(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
}

let reader = '';

// What was read belongs to the caller who read it.
session.listen(() => {
  const now = session.get();
  if (now.state === 'unknown') return;
  const next = 'caller' in now ? `${now.caller.kind} ${now.caller.user.id} ${now.caller.scopes}` : '';
  if (next !== reader) kept.clear();
  reader = next;
});

/** What is read for a view. `data` stays while it is read again, and while that fails. */
export type Query<T> = {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly refresh: () => void;
};

type Options = {
  /** Events after which it is read again, by the beginnings of their actions, such as `report_`. */
  readonly live?: readonly string[];
  /** Reads it again after this time as well, in milliseconds. */
  readonly everyMs?: number;
};

/** Reads something when a view opens, when `key` changes and when `refresh` is called. */
export function useQuery<T>(
  key: string,
  load: (signal: AbortSignal) => PromiseLike<T>,
  options: Options = {},
): Query<T> {
  const again = useStore(epoch);
  const [, redraw] = useState({});
  const [asked, setAsked] = useState(0);
  const state = useRef<{ key: string; error: unknown; isLoading: boolean }>({
    key,
    error: undefined,
    isLoading: true,
  });
  if (state.current.key !== key) state.current = { key, error: undefined, isLoading: true };
  useEffect(() => {
    const ending = new AbortController();
    const mine = state.current;
    const settle = (error: unknown) => {
      if (ending.signal.aborted) return;
      mine.error = error;
      mine.isLoading = false;
      redraw({});
    };
    mine.isLoading = true;
    redraw({});
    Promise.resolve(load(ending.signal)).then(
      (data) => {
        if (!ending.signal.aborted) keep(key, data);
        settle(undefined);
      },
      (error: unknown) => {
        if (!ending.signal.aborted) noteFailure(error);
        settle(error);
      },
    );
    return () => ending.abort();
  }, [key, asked, again]);
  const refresh = useCallback(() => setAsked((count) => count + 1), []);
  useLive(options.live ?? [], refresh);
  useEvery(options.everyMs, refresh);
  const { error, isLoading } = state.current;
  return { data: kept.get(key) as T | undefined, error, isLoading, refresh };
}

/** Calls `run` again and again while the page is seen and makes no change. */
function useEvery(everyMs: number | undefined, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !isChanging()) latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}

/** The pages of a list that were read so far. */
export type List<T> = Omit<Query<never>, 'data'> & {
  readonly items: readonly T[];
  /** How many there are on all pages; undefined until the first page was read, and while nobody has counted. */
  readonly count: number | undefined;
  /** How many were read so far, where nobody has counted how many there are. */
  readonly read?: number | undefined;
  readonly hasMore: boolean;
  readonly more: () => void;
  /** Whether something has changed while the reader was further down; `refresh` begins again with the first page. */
  readonly isStale: boolean;
};

/** What was read at once, as a list of one page. */
export function wholeList<T>(
  query: Omit<Query<never>, 'data'>,
  items: readonly T[],
  count = items.length,
): List<T> {
  return { ...query, items, count, hasMore: false, isStale: false, more: query.refresh };
}

type Reading<T> = {
  readonly key: string;
  readonly pages: AsyncIterator<Page<T>>;
  items: readonly T[];
  count: number | undefined;
  hasMore: boolean;
};

/** The page that is shown until another one was read. */
type Shown<T> = {
  readonly items: readonly T[];
  readonly count: number | undefined;
  readonly hasMore: boolean;
};

/** Reads a list page by page: the first when it opens, each next one with `more`. `open` asks the client for the list. */
export function usePages<T>(
  key: string,
  open: (signal: AbortSignal) => Pages<T>,
  options: Options = {},
): List<T> {
  const again = useStore(epoch);
  const [, redraw] = useState({});
  const [asked, setAsked] = useState(0);
  const [isStale, setStale] = useState(false);
  const reading = useRef<Reading<T> | undefined>(undefined);
  const state = useRef({ key, error: undefined as unknown, isLoading: true });
  if (state.current.key !== key) state.current = { key, error: undefined, isLoading: true };

  const readNext = useCallback(async (from: Reading<T>) => {
    const mine = state.current;
    mine.isLoading = true;
    mine.error = undefined;
    redraw({});
    try {
      const next = await from.pages.next();
      if (reading.current !== from) return;
      if (next.done === true) {
        from.hasMore = false;
        from.count = from.items.length;
      } else {
        from.items = [...from.items, ...next.value.data];
        from.count = next.value.count ?? from.count;
        from.hasMore =
          next.value.data.length > 0 && from.items.length < (from.count ?? Number.POSITIVE_INFINITY);
      }
      keep(from.key, { items: from.items, count: from.count, hasMore: from.hasMore } satisfies Shown<T>);
    } catch (error) {
      if (reading.current !== from) return;
      noteFailure(error);
      mine.error = error;
    }
    mine.isLoading = false;
    redraw({});
  }, []);

  useEffect(() => {
    const ending = new AbortController();
    const pages = open(ending.signal).pages();
    const from: Reading<T> = { key, pages, items: [], count: undefined, hasMore: true };
    reading.current = from;
    setStale(false);
    void readNext(from);
    return () => ending.abort();
  }, [key, asked, again]);

  const refresh = useCallback(() => setAsked((count) => count + 1), []);
  const more = useCallback(() => {
    const from = reading.current;
    if (from === undefined || state.current.isLoading || !from.hasMore) return;
    void readNext(from);
  }, []);
  const onLive = useCallback(() => {
    // Beginning again would take away what the reader has scrolled to.
    if (window.scrollY > 0) setStale(true);
    else refresh();
  }, []);
  useLive(options.live ?? [], onLive);
  useEvery(options.everyMs, () => window.scrollY === 0 && refresh());
  const { error } = state.current;
  const shown = kept.get(key) as Shown<T> | undefined;
  // What is read again behind what is shown needs no word, and no next page before it is there.
  const isAgain = shown !== undefined && (reading.current?.items.length ?? 0) === 0;
  const isLoading = state.current.isLoading && !isAgain;
  return {
    items: shown?.items ?? [],
    count: shown?.count,
    read: shown?.count === undefined ? shown?.items.length : undefined,
    hasMore: shown?.hasMore === true && (!state.current.isLoading || !isAgain),
    error,
    isLoading,
    isStale,
    more,
    refresh,
  };
}

/** A change that a view makes. */
export type Action<A extends readonly unknown[]> = {
  /** Makes the change; resolves to whether it was made. */
  readonly run: (...args: A) => Promise<boolean>;
  readonly isRunning: boolean;
  /** Why it was refused. The next attempt clears it. */
  readonly error: unknown;
  /** What the server says about a field of the body, by its name. */
  readonly errorOf: (field: string) => string | undefined;
};

/** Makes a change, once at a time. What was typed stays in the form while it fails. */
export function useAction<A extends readonly unknown[]>(change: (...args: A) => Promise<unknown>): Action<A> {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const again = useStore(epoch);
  useEffect(() => {
    // The server is back, or the reader has signed in: what stood in the way is gone.
    if (isPassing(error)) setError(undefined);
  }, [again]);
  return {
    isRunning,
    error,
    errorOf: (field) => fieldErrors(error)[field],
    async run(...args) {
      if (isRunning) return false;
      setRunning(true);
      setError(undefined);
      try {
        await whileChanging(() => change(...args));
        return true;
      } catch (failure) {
        noteFailure(failure);
        setError(failure);
        return false;
      } finally {
        setRunning(false);
      }
    },
  };
}

function isPassing(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ProblemError && error.status === 401);
}

function fieldErrors(error: unknown): { readonly [field: string]: string } {
  if (!(error instanceof ProblemError)) return {};
  const faults = error.errors.map(({ pointer, parameter, message }) => [
    pointer?.slice(1) ?? parameter ?? '',
    message,
  ]);
  return Object.fromEntries(faults);
}

/** A query without the parameters that are undefined, which the types of the client do not take. */
export function defined<T extends object>(query: T): { [N in keyof T]: Exclude<T[N], undefined> } {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [N in keyof T]: Exclude<T[N], undefined> };
}
