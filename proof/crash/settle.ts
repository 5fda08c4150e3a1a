import type { Body, Client } from 'confab-testing/harness/client.ts';
import { type Facts, isSame, type Model, type Tracked } from 'confab-testing/harness/model.ts';
import { inParallel } from 'confab-testing/harness/parallel.ts';
import { pathOf } from './facts.ts';
import type { Found } from './store-check.ts';

/** The number of concurrent reads. */
const atOnce = 16;
/** One in this many objects is also searched by its words. */
const searchEvery = 20;
/** How often a search is repeated that was not answered. */
const searchRetriesMax = 10;

/**
 * Reads every object with requests through the API, and decides for each in which of its possible states it is: its
 * fields and its events must both match one state.
 */
export async function settle(model: Model, found: Found, client: Client): Promise<void> {
  const touched = model.touched();
  await inParallel({ count: touched.length, atOnce }, async (index) => {
    const object = touched[index] as Tracked;
    await settleOne(model, object, found, client);
    if (index % searchEvery === 0) await searchOne(model, object, client);
  });
  const known = new Set(touched);
  for (const [object] of found.events)
    if (!known.has(object))
      model.violate('event', `${object.marker} has events and no request was sent for it`);
}

async function settleOne(model: Model, object: Tracked, found: Found, client: Client): Promise<void> {
  const id = found.ids.get(object.marker);
  if (id !== undefined) model.learnId(object, id);
  const facts = await readFacts(model, object, client);
  model.settle(object, facts, found.events.get(object) ?? []);
  if ((id === undefined) !== (facts === undefined))
    model.violate(
      'wrong content',
      `${object.marker} is in the store as ${id} and shows ${JSON.stringify(facts)}`,
    );
  // The next call continues after these events.
  object.possible = [{ facts, events: [] }];
}

async function readFacts(model: Model, object: Tracked, client: Client): Promise<Facts> {
  if (object.id === undefined) return undefined;
  const answer = await client.send('GET', pathOf[object.kind](object.id));
  if (answer?.status === 404) return undefined;
  if (answer?.status !== 200) throw new Error(`${object.marker} answers ${answer?.status}`);
  model.learnOptions(object, answer.body['options']);
  return model.factsOf(object, answer.body);
}

const lists: { readonly [kind: string]: string } = {
  app: 'apps',
  comment: 'comments',
  post: 'posts',
  file: 'files',
};

/** A search for the marker finds exactly the object. */
async function searchOne(model: Model, object: Tracked, client: Client): Promise<void> {
  const list = lists[object.kind];
  const facts = object.possible[0]?.facts;
  if (list === undefined || !object.marker.startsWith('m')) return;
  const found = await search(client, `/api/${list}?q=%22${object.marker}%22&trashed=null`);
  const ids = (found['data'] as { id: number }[]).map(({ id }) => id);
  if (!isSame(ids, facts === undefined ? [] : [object.id]))
    model.violate('search', `${object.marker} (${object.id}) is found as ${ids.join(', ') || 'nothing'}`);
}

/** Reads a list, again where the server answers 503: on a busy machine a search may take longer than its deadline. */
async function search(client: Client, path: string): Promise<Body> {
  for (let retries = 0; retries < searchRetriesMax; retries += 1) {
    const answer = await client.send('GET', path);
    if (answer?.status === 200) return answer.body;
  }
  return await client.must('GET', path);
}
