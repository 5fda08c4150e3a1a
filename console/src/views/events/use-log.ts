import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client, epoch, noteFailure } from '../../api.ts';
import type { List } from '../../data.ts';
import { useEvents } from '../../live.ts';
import { useStore } from '../../store.ts';
import { filtersOf, testOf } from './filters.ts';
import { type Event, newestPosition, positionAt, readBack, type Step, type Wanted } from './log.ts';

/** The most events that the page keeps while the log grows. */
const keptMax = 1000;

/** The log as a list that grows at its beginning. */
export type Log = {
  readonly list: List<Event>;
  /** Events that have come and are not shown yet. */
  readonly waiting: readonly Event[];
  /** Shows them. */
  readonly showWaiting: () => void;
  /** Up to when the log was looked through, when more can be found further back. */
  readonly lookedBackTo: string | undefined;
};

type Reading = Wanted & {
  readonly ending: AbortController;
  readonly isGrowing: boolean;
  below: number;
  events: readonly Event[];
  waiting: readonly Event[];
  lookedBackTo: string | undefined;
  isShort: boolean;
};

async function begin(query: URLSearchParams, ending: AbortController): Promise<Reading> {
  const { signal } = ending;
  const app = query.get('app') ?? '';
  const until = query.get('until');
  const at = Number(query.get('at') ?? Number.NaN);
  const appId =
    app === '' || /^\d+$/.test(app)
      ? Number(app)
      : (await client.getApp(app, { trashed: true }, { signal })).id;
  const newest = await newestPosition(signal);
  const below = until === null ? newest : await positionAt(until, newest, signal);
  const filters = filtersOf(query);
  const { subject, isReferring } = filters;
  return {
    ending,
    test: testOf({ ...filters, app: app === '' ? undefined : appId }),
    entity:
      subject === undefined || isReferring ? undefined : { entity_type: subject.type, entity_id: subject.id },
    isGrowing: until === null && Number.isNaN(at),
    below: Number.isNaN(at) ? below : Math.min(at, below),
    events: [],
    waiting: [],
    lookedBackTo: undefined,
    isShort: false,
  };
}

/** Newer events before others, each once, no more than are kept. */
function merged(newer: readonly Event[], older: readonly Event[]): readonly Event[] {
  const known = new Set(older.map(({ position }) => position));
  const fresh = newer.filter(({ position }) => !known.has(position));
  return fresh.length === 0 ? older : [...fresh, ...older];
}

/** Follows the log with the filters of the address. While `isPaused`, and while the reader is further down, it waits. */
export function useLog(query: URLSearchParams, isPaused: boolean): Log {
  const again = useStore(epoch);
  const [, redraw] = useState({});
  const [asked, setAsked] = useState(0);
  const reading = useRef<Reading | undefined>(undefined);
  const state = useRef({ isLoading: true, error: undefined as unknown });
  // What comes while the first page is read.
  const early = useRef<Event[]>([]);
  const key = query.toString();
  const paused = useRef(isPaused);
  paused.current = isPaused;

  const take = useCallback((event: Event) => {
    const now = reading.current;
    if (now === undefined) return void early.current.push(event);
    if (!now.isGrowing || now.test?.(event) === false) return undefined;
    // Behind what waits already, so that the order stays.
    const isHeld = paused.current || window.scrollY > 0 || now.waiting.length > 0;
    if (isHeld) now.waiting = merged([event], now.waiting).slice(0, keptMax);
    else {
      now.events = merged([event], now.events).slice(0, keptMax);
      if (now.events.length === keptMax) now.below = (now.events.at(-1)?.position ?? 1) - 1;
    }
    return redraw({});
  }, []);
  useEvents(take);

  const run = useCallback(async (ending: AbortController, read: () => Promise<void>) => {
    state.current = { isLoading: true, error: undefined };
    redraw({});
    try {
      await read();
      if (ending.signal.aborted) return;
      state.current = { isLoading: false, error: undefined };
    } catch (error) {
      if (ending.signal.aborted) return;
      noteFailure(error);
      state.current = { isLoading: false, error };
    }
    redraw({});
  }, []);

  const readNext = async (now: Reading) => {
    const step: Step = await readBack(now.below, now, now.ending.signal);
    now.events = [...now.events, ...step.events];
    now.below = step.below;
    now.isShort = step.isShort;
    now.lookedBackTo = step.lookedBackTo ?? now.lookedBackTo;
  };

  useEffect(() => {
    const ending = new AbortController();
    reading.current = undefined;
    early.current = [];
    void run(ending, async () => {
      const now = await begin(query, ending);
      await readNext(now);
      if (ending.signal.aborted) return;
      reading.current = now;
      for (const event of early.current) take(event);
    });
    return () => ending.abort();
  }, [key, asked, again]);

  const now = reading.current;
  const more = useCallback(() => {
    const from = reading.current;
    if (from !== undefined && !state.current.isLoading && from.below > 0)
      void run(from.ending, () => readNext(from));
  }, []);
  const { isLoading, error } = state.current;
  return {
    list: {
      items: now?.events ?? [],
      count: undefined,
      // After a step that found too little the reader decides whether to look further.
      hasMore: now !== undefined && now.below > 0 && !now.isShort,
      isStale: false,
      isLoading,
      error,
      more,
      refresh: useCallback(() => setAsked((count) => count + 1), []),
    },
    waiting: now?.waiting ?? [],
    showWaiting: () => {
      if (now === undefined) return;
      now.events = merged(now.waiting, now.events);
      now.waiting = [];
      redraw({});
    },
    lookedBackTo: now?.isShort === true ? now.lookedBackTo : undefined,
  };
}
