import { type Event, ProblemError } from 'confab-client';
import { client } from '../../api.ts';

/**
 * The log read backwards. The interface finds what is about one thing; what else is filtered by is looked for in what
 * was read.
 */

/** An event of the log. */
export type { Event };

/** Some events, the newest first, and the position to continue below. */
export type Step = {
  readonly events: readonly Event[];
  readonly below: number;
  /** When the oldest event happened that was looked at. */
  readonly lookedBackTo: string | undefined;
  /** Whether the step ended because it had looked at as much as one may, without finding enough. */
  readonly isShort: boolean;
};

/** How many events a step finds. */
const wanted = 25;
/** How many positions a step looks at for those that the filters let through. */
const lookedAtMax = 2000;
/** The most events that one request answers. */
const windowMax = 100;

/** What a step looks for: what the filters let through, and the thing that events are about, which the server finds. */
export type Wanted = {
  readonly test: ((event: Event) => boolean) | undefined;
  readonly entity: { readonly entity_type: string; readonly entity_id: number } | undefined;
};

/** The events from `from` downwards that are wanted. Without a filter no more are read than are shown. */
export async function readBack(from: number, { test, entity }: Wanted, signal: AbortSignal): Promise<Step> {
  const top = test === undefined || entity !== undefined ? wanted : windowMax;
  const events: Event[] = [];
  let below = from;
  let lookedBackTo: string | undefined;
  // What is about one thing is found by the server, however long ago it was.
  const isNear = () => entity !== undefined || from - below < lookedAtMax;
  while (below > 0 && events.length < wanted && isNear()) {
    const page = await client.listEvents({ ...entity, before: below + 1, top }, { signal });
    lookedBackTo = page.data.at(-1)?.timestamp ?? lookedBackTo;
    events.push(...page.data.filter((event) => test?.(event) ?? true));
    below = page.has_more ? page.next - 1 : 0;
  }
  return { events, below, lookedBackTo, isShort: events.length < wanted && below > 0 };
}

function onlyGone(error: unknown): undefined {
  if (error instanceof ProblemError && error.status === 410) return undefined;
  throw error;
}

/** The position to read back from: no event that the caller may see is newer. 0 where there is none at all. */
export async function newestPosition(signal: AbortSignal): Promise<number> {
  const page = await client.listEvents({ before: Number.MAX_SAFE_INTEGER, top: 1 }, { signal });
  return page.data[0]?.position ?? (page.has_more ? page.next : 0);
}

/** The position of the last event until a time, found in about twenty small requests. */
export async function positionAt(time: string, newest: number, signal: AbortSignal): Promise<number> {
  const wantedMs = Date.parse(time);
  let low = 0;
  let high = newest;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const page = await client.listEvents({ after: middle, top: 1 }, { signal }).catch(onlyGone);
    const [event] = page?.data ?? [];
    // What was removed is older than everything that is kept.
    if (page === undefined) low = middle + 1;
    else if (event !== undefined && Date.parse(event.timestamp) <= wantedMs) low = event.position;
    else high = middle;
  }
  return low;
}

/** An event by its position; undefined when there is none, or none that the caller may see. */
export async function readEvent(position: number, signal: AbortSignal): Promise<Event | undefined> {
  const page = await client.listEvents({ after: position - 1, top: 1 }, { signal }).catch(onlyGone);
  return page?.data.find((event) => event.position === position);
}
