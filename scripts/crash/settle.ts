import type { Connection, Reply } from './connection.ts';
import { factsOf, pathOf } from './facts.ts';
import { type Facts, isSame, type Model, type State, type Tracked } from './model.ts';
import type { Found } from './store-check.ts';

/** How many objects are read at once. */
const readersMax = 16;
/** Each so many objects one is also looked for by its words. */
const searchEvery = 20;

/**
 * Reads every object that requests were sent for through the interface, and decides for each in which of its possible
 * states it is: what it shows and the events it has must both be those of one state.
 */
export async function settle(model: Model, found: Found, connection: Connection, key: string): Promise<void> {
  const touched = model.touched();
  const queue = touched.entries();
  await Promise.all(
    Array.from({ length: readersMax }, async () => {
      for (const [index, object] of queue) {
        await settleOne(model, object, found, connection, key);
        if (index % searchEvery === 0) await searchOne(model, object, connection, key);
      }
    }),
  );
  const known = new Set(touched);
  for (const [object] of found.events)
    if (!known.has(object))
      model.violate('event', `${object.marker} has events and no request was sent for it`);
}

async function settleOne(
  model: Model,
  object: Tracked,
  found: Found,
  connection: Connection,
  key: string,
): Promise<void> {
  const id = found.ids.get(object.marker);
  if (id !== undefined) model.learnId(object, id);
  const facts = await readFacts(model, object, connection, key);
  const events = found.events.get(object) ?? [];
  const state = object.possible.find((one) => isSame(one.facts, facts) && isSame(one.events, events));
  if (state === undefined) report(model, object, facts, events);
  else if ((id === undefined) !== (facts === undefined))
    model.violate(
      'wrong content',
      `${object.marker} is in the store as ${id} and shows ${JSON.stringify(facts)}`,
    );
  object.possible = [{ facts, events: [] }];
  object.isTouched = false;
}

async function readFacts(model: Model, object: Tracked, connection: Connection, key: string): Promise<Facts> {
  if (object.id === undefined) return undefined;
  const reply: Reply = await connection.send('GET', pathOf[object.kind](object.id), key);
  if (reply.status === 404) return undefined;
  if (reply.status !== 200) throw new Error(`${object.marker} answers ${reply.status}`);
  model.learnOptions(object, reply.body.options);
  return factsOf[object.kind](reply.body);
}

function report(model: Model, object: Tracked, facts: Facts, events: readonly string[]): void {
  const text = (state: State) =>
    `${JSON.stringify(state.facts)} after ${state.events.join(', ') || 'nothing'}`;
  const expected = object.possible.map(text).join(' or ');
  const detail = `${object.kind} ${object.marker} is ${text({ facts, events })}, not ${expected}`;
  const isContentRight = object.possible.some((state) => isSame(state.facts, facts));
  if (isContentRight) model.violate('event', detail);
  else model.violate(facts === undefined ? 'lost write' : 'wrong content', detail);
}

const lists: { readonly [kind: string]: string } = {
  app: 'apps',
  comment: 'comments',
  post: 'posts',
  file: 'files',
};

/** The object is found by its marker, and is all that is found. */
async function searchOne(model: Model, object: Tracked, connection: Connection, key: string): Promise<void> {
  const list = lists[object.kind];
  const facts = object.possible[0]?.facts;
  if (list === undefined || !object.marker.startsWith('m')) return;
  const reply = await connection.send('GET', `/api/${list}?q=%22${object.marker}%22&trashed=null`, key);
  const ids = (reply.body.data as { id: number }[]).map(({ id }) => id);
  if (!isSame(ids, facts === undefined ? [] : [object.id]))
    model.violate('search', `${object.marker} (${object.id}) is found as ${ids.join(', ') || 'nothing'}`);
}
