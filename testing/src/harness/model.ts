import type { Body, Client } from './client.ts';

/**
 * The model of what clients know to be true in a run with faults.
 *
 * Every object that a client creates is tracked under a *marker*, a unique word in its text or name. Each client
 * changes only its own objects, one request at a time, so the history of an object is a plain sequence. After an
 * acknowledged request it is in exactly one *state*; after a request without a response it is in the state before or
 * after it. Reading the store settles which.
 */

/** The kinds of objects that are tracked. */
export type Kind = 'app' | 'comment' | 'post' | 'file' | 'blob' | 'webhook';

/** The fields of an object that clients decide; undefined where there is no such object. */
export type Facts = { readonly [name: string]: unknown } | undefined;

/** A possible state of an object, with the events that led to it. */
export type State = { readonly facts: Facts; readonly events: readonly string[] };

/** An object under its marker. `possible` has one state, or two while a request for it has no response. */
export type Tracked = {
  readonly kind: Kind;
  readonly marker: string;
  id: number | undefined;
  /** The ids of its poll options, in order. */
  options: readonly number[];
  possible: readonly State[];
  /** Whether a request was sent for it since it was last settled. */
  isTouched: boolean;
};

/** The change that a request makes to one object. */
export type Effect = {
  readonly object: Tracked;
  readonly facts: Facts;
  readonly events: readonly string[];
};

/** A request with its required result. */
export type Operation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly credential: string;
  /** The key with which it can be repeated. */
  readonly key?: string;
  /** JSON, or a form with a file to upload. */
  readonly body?: unknown;
  /** The only correct status. Below 300 the effects happen, otherwise none does. */
  readonly status: number;
  /** If true, the response is not about the first changed object. */
  readonly answersOther?: true;
  readonly effects: readonly Effect[];
};

/** The violations that were found. */
export type Violation = {
  readonly what:
    | 'lost write'
    | 'wrong content'
    | 'phantom'
    | 'event'
    | 'delivery'
    | 'count'
    | 'search'
    | 'store'
    | 'id'
    | 'answer';
  readonly detail: string;
};

/** The number of responses, and the time of the slowest acknowledged write. */
export type Tally = { acknowledged: number; refused: number; unknown: number; slowestMs: number };

/** A tally before the first response. */
export function freshTally(): Tally {
  return { acknowledged: 0, refused: 0, unknown: 0, slowestMs: 0 };
}

/** A violation in one line. */
export function textOfViolation({ what, detail }: Violation): string {
  return `${what}: ${detail}`;
}

/** The tracked fields of each kind. */
export type FactsOf = { readonly [K in Kind]?: (body: Body) => Facts };

/** The objects of one store. */
export class Model {
  readonly objects = new Map<string, Tracked>();
  readonly violations: Violation[] = [];
  readonly tally: Tally;
  readonly #factsOf: FactsOf;
  readonly #idsMax = new Map<Kind, number>();
  readonly #ids = new Set<string>();

  constructor(factsOf: FactsOf, tally: Tally) {
    this.#factsOf = factsOf;
    this.tally = tally;
  }

  /** Starts to track an object that does not exist yet. */
  track(kind: Kind, marker: string): Tracked {
    const possible = [{ facts: undefined, events: [] }];
    const object: Tracked = { kind, marker, id: undefined, options: [], possible, isTouched: false };
    this.objects.set(marker, object);
    return object;
  }

  /** The objects with requests since they were last settled. */
  touched(): Tracked[] {
    return [...this.objects.values()].filter((object) => object.isTouched);
  }

  /**
   * Sends an operation and records its result. Returns false when there was no response, or one that does not show what
   * happened.
   */
  async perform(client: Pick<Client, 'send'>, operation: Operation): Promise<boolean> {
    const { name, method, path, body, credential, key, effects, status } = operation;
    this.#attempt(effects);
    const startedAt = performance.now();
    const answer = await client.send(method, path, body, credential, key);
    if (answer === undefined) {
      this.tally.unknown += 1;
      return false;
    }
    if (answer.status !== status)
      this.violate(
        'answer',
        `${name} ${method} ${path} answered ${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`,
      );
    const hasHappened = answer.status < 300;
    for (const { object } of effects)
      object.possible = object.possible.slice(hasHappened ? 1 : 0).slice(0, 1);
    this.tally[hasHappened ? 'acknowledged' : 'refused'] += 1;
    if (!hasHappened) return true;
    this.tally.slowestMs = Math.max(this.tally.slowestMs, performance.now() - startedAt);
    if (answer.status === status) this.#compare(operation, answer.body);
    return true;
  }

  /** The response to a write shows what was written. */
  #compare({ name, effects, answersOther }: Operation, body: Body): void {
    const [effect] = effects;
    if (effect === undefined || body['id'] === undefined || answersOther === true) return;
    const { object, facts } = effect;
    this.learnId(object, Number(body['id']));
    this.learnOptions(object, body['options']);
    const shown = this.factsOf(object, body);
    if (facts !== undefined && !isSame(shown, facts))
      this.violate(
        'answer',
        `${name} of ${object.marker} answered ${JSON.stringify(shown)}, not ${JSON.stringify(facts)}`,
      );
  }

  /** The tracked fields in a representation of an object. */
  factsOf({ kind }: Tracked, body: Body): Facts {
    return this.#factsOf[kind]?.(body);
  }

  /**
   * Decides which of its possible states an object is in: its fields and its events must both match that
   * state.
   */
  settle(object: Tracked, facts: Facts, events: readonly string[]): void {
    const state = object.possible.find((one) => isSame(one.facts, facts) && isSame(one.events, events));
    if (state === undefined) {
      const text = (one: State) => `${JSON.stringify(one.facts)} after ${one.events.join(', ') || 'nothing'}`;
      const expected = object.possible.map(text).join(' or ');
      const isContentRight = object.possible.some((one) => isSame(one.facts, facts));
      const what = isContentRight ? 'event' : facts === undefined ? 'lost write' : 'wrong content';
      this.violate(what, `${object.kind} ${object.marker} is ${text({ facts, events })}, not ${expected}`);
    }
    object.possible = [{ facts, events }];
    object.isTouched = false;
  }

  /** From now on each object may be unchanged or changed. */
  #attempt(effects: readonly Effect[]): void {
    for (const { object, facts, events } of effects) {
      object.isTouched = true;
      const before = current(object);
      object.possible = [before, { facts, events: [...before.events, ...events] }];
    }
  }

  /** Records the id of a created object; an id that was assigned before is a violation. */
  learnId(object: Tracked, id: number): void {
    if (object.id === id) return;
    if (object.id !== undefined) this.violate('id', `${object.marker} was ${object.id} and is ${id}`);
    const key = `${object.kind} ${id}`;
    if (this.#ids.has(key)) this.violate('id', `${key} was given twice, now to ${object.marker}`);
    this.#ids.add(key);
    this.#idsMax.set(object.kind, Math.max(this.#idsMax.get(object.kind) ?? 0, id));
    object.id = id;
  }

  /** Records the ids of the options of a poll, which votes need. */
  learnOptions(object: Tracked, options: unknown): void {
    if (Array.isArray(options)) object.options = options.map((option: { id: number }) => option.id);
  }

  /** The highest id of a kind seen so far. */
  idMax(kind: Kind): number {
    return this.#idsMax.get(kind) ?? 0;
  }

  violate(what: Violation['what'], detail: string): void {
    this.violations.push({ what, detail });
  }
}

/** The state of an object that is settled, or whose last request got a response. */
export function current(object: Tracked): State {
  const [state] = object.possible;
  if (state === undefined || object.possible.length > 1)
    throw new Error(`${object.marker} is asked for while a request for it is open`);
  return state;
}

/** Whether two values are the same JSON, ignoring the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** JSON with sorted keys; an absent property equals an undefined one. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'nothing'
  );
}
