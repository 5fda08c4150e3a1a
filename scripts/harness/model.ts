import type { Body, Client } from './client.ts';

/**
 * What the clients of a run with faults know must be true.
 *
 * Every object a client makes is followed here under a *marker*, a word that no other object has and that stands in
 * its text or name. Each client changes its own objects only, one request at a time, so the history of an object is a
 * plain sequence: after an acknowledged request it is in exactly one *state*; after one that got no answer it is in
 * the state before or in the one after, and nothing else. Looking at the store settles which.
 */

/** The kinds of objects that are followed. */
export type Kind = 'app' | 'comment' | 'post' | 'file' | 'blob' | 'webhook';

/** What an object shows, as far as clients decide it; undefined where there is no such object. */
export type Facts = { readonly [name: string]: unknown } | undefined;

/** A state an object can be in, with the events that have led to it. */
export type State = { readonly facts: Facts; readonly events: readonly string[] };

/** An object under its marker. `possible` has one state, or two while a request for it has no answer. */
export type Tracked = {
  readonly kind: Kind;
  readonly marker: string;
  id: number | undefined;
  /** The ids of its poll options, in their order. */
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

/** A request with what must come of it. */
export type Operation = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly credential: string;
  /** JSON, or a form with a file to upload. */
  readonly body?: unknown;
  /** The one status that is right. Below 300 the effects happen, otherwise nothing does. */
  readonly status: number;
  /** Whether what is answered is not the first object that changes. */
  readonly answersOther?: true;
  readonly effects: readonly Effect[];
};

/** What was found to be wrong. */
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

/** How often clients were answered, and how long the slowest answer to a write that was acknowledged took. */
export type Tally = { acknowledged: number; refused: number; unknown: number; slowestMs: number };

/** What of the representation of each kind is followed. */
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

  /** Starts to follow an object that does not exist so far. */
  track(kind: Kind, marker: string): Tracked {
    const possible = [{ facts: undefined, events: [] }];
    const object: Tracked = { kind, marker, id: undefined, options: [], possible, isTouched: false };
    this.objects.set(marker, object);
    return object;
  }

  /** The objects that requests were sent for since they were last settled. */
  touched(): Tracked[] {
    return [...this.objects.values()].filter((object) => object.isTouched);
  }

  /**
   * Sends an operation and notes what came of it. Answers false when there was no answer, or one that says nothing about
   * what happened.
   */
  async perform(client: Pick<Client, 'send'>, operation: Operation): Promise<boolean> {
    const { name, method, path, body, credential, effects, status } = operation;
    this.#attempt(effects);
    const startedAt = performance.now();
    const answer = await client.send(method, path, body, credential);
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

  /** The answer to a write shows what was written. */
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

  /** What of a representation of an object is followed. */
  factsOf({ kind }: Tracked, body: Body): Facts {
    return this.#factsOf[kind]?.(body);
  }

  /** Decides in which of its possible states an object is: what it shows and its events must both be those of one. */
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

  /** From now on each object may be as it was, or changed. */
  #attempt(effects: readonly Effect[]): void {
    for (const { object, facts, events } of effects) {
      object.isTouched = true;
      const before = current(object);
      object.possible = [before, { facts, events: [...before.events, ...events] }];
    }
  }

  /** Notes the id that an object was made with; a number that was given before is a violation. */
  learnId(object: Tracked, id: number): void {
    if (object.id === id) return;
    if (object.id !== undefined) this.violate('id', `${object.marker} was ${object.id} and is ${id}`);
    const key = `${object.kind} ${id}`;
    if (this.#ids.has(key)) this.violate('id', `${key} was given twice, now to ${object.marker}`);
    this.#ids.add(key);
    this.#idsMax.set(object.kind, Math.max(this.#idsMax.get(object.kind) ?? 0, id));
    object.id = id;
  }

  /** Notes the ids of the options of a poll, by which it is voted. */
  learnOptions(object: Tracked, options: unknown): void {
    if (Array.isArray(options)) object.options = options.map((option: { id: number }) => option.id);
  }

  /** The highest id of a kind that was ever seen. */
  idMax(kind: Kind): number {
    return this.#idsMax.get(kind) ?? 0;
  }

  violate(what: Violation['what'], detail: string): void {
    this.violations.push({ what, detail });
  }
}

/** The state of an object that is settled, or whose last request was answered. */
export function current(object: Tracked): State {
  const [state] = object.possible;
  if (state === undefined || object.possible.length > 1)
    throw new Error(`${object.marker} is asked for while a request for it is open`);
  return state;
}

/** Whether two values are the same JSON, whatever the order of their keys. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** JSON with sorted keys; absent and undefined are the same. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'nothing'
  );
}
