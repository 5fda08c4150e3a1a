import type { Body } from '../harness/client.ts';
import { inParallel } from '../harness/parallel.ts';
import { seededRandom } from '../harness/random.ts';
import type { Caller } from './caller.ts';

/** How many clients edit at the same time. */
const clients = 8;

/** What is edited. `done` in its metadata has the number of each edit. */
type Subject = { readonly path: string; readonly confirmed: number[] };

/** What became of the edits. */
export type EditsResult = {
  /** Edits that were acknowledged. */
  readonly edits: number;
  /** Edits that were refused (412), read again and repeated. */
  readonly refused: number;
  /** Acknowledged edits that are not there in the end. */
  readonly lost: number;
};

async function makeSubjects(call: Caller, name: string): Promise<Subject[]> {
  const make = async (path: string, body: object) => String((await call('POST', path, body)).body.id);
  const metadata = { done: [] };
  const comments = await make('/api/apps', { uid: `${name}-comments`, type: 'comments', metadata });
  const posts = await make('/api/apps', { uid: `${name}-posts`, type: 'posts' });
  const paths = [
    `/api/apps/${comments}`,
    `/api/comments/${await make(`/api/apps/${comments}/comments`, { text: 'edited', metadata })}`,
    `/api/posts/${await make(`/api/apps/${posts}/posts`, { text: 'edited', metadata })}`,
    `/api/users/${await make('/api/users', { uid: `${name}-user`, metadata })}`,
  ];
  return paths.map((path) => ({ path, confirmed: [] }));
}

function doneOf({ metadata }: Body): number[] {
  return ((metadata as { readonly done?: number[] } | undefined)?.done ?? []).slice();
}

/** Adds `number` to what is there, as a client that reads, changes and writes; returns how often it was refused. */
async function edit(
  calls: { readonly read: Caller; readonly write: Caller },
  { path, confirmed }: Subject,
  { number, isConditional }: { readonly number: number; readonly isConditional: boolean },
): Promise<number> {
  for (let refused = 0; ; refused += 1) {
    const { body, tag } = await calls.read('GET', path);
    const metadata = { done: [...doneOf(body), number] };
    const headers = isConditional ? { 'if-match': tag } : {};
    const { status } = await calls.write('PATCH', path, { metadata }, headers);
    if (status === 200) confirmed.push(number);
    if (status === 200) return refused;
    if (status !== 412) throw new Error(`PATCH ${path} answered ${status}`);
  }
}

/**
 * Lets clients read, change and write an app, a comment, a post and a user over all nodes at the same time. A client may
 * read on one node and write on another. With `isConditional` they send `If-Match`.
 */
export async function raceEdits(
  nodes: readonly Caller[],
  options: {
    readonly name: string;
    readonly edits: number;
    readonly seed: number;
    readonly isConditional: boolean;
  },
): Promise<EditsResult> {
  const { name, edits, seed, isConditional } = options;
  const random = seededRandom(seed);
  const subjects = await makeSubjects(random.draw(nodes), name);
  const refusals = await inParallel({ count: edits, atOnce: clients }, async (number) => {
    const calls = { read: random.draw(nodes), write: random.draw(nodes) };
    return await edit(calls, random.draw(subjects), { number, isConditional });
  });
  const refused = refusals.reduce((sum, times) => sum + times, 0);
  let lost = 0;
  for (const { path, confirmed } of subjects) {
    const kept = new Set(doneOf((await random.draw(nodes)('GET', path)).body));
    lost += confirmed.filter((number) => !kept.has(number)).length;
  }
  return { edits: subjects.reduce((sum, { confirmed }) => sum + confirmed.length, 0), refused, lost };
}
