import { type Failure, type Reply, type Server, watchStream } from '../shared.ts';
import type { Root } from './anchors.ts';

/** How long caches may keep an answer. After a change, everything is read once more when they have given it up. */
const settleMs = 11_000;
/** The threads of one request, and the most requests: what is older than so many threads is not marked. */
const rootsInPage = 100;
const pagesMax = 20;
/** The keys of one request. */
const keysMax = 100;

/** The threads of a page that belong to places in it. */
export type Roots = ReturnType<typeof createRoots>;

/** Creates the threads of some keys of an app. `changed` is called after each change. */
export function createRoots({ api }: Server, app: string, changed: () => void) {
  const path = `/api/apps/${encodeURIComponent(app)}`;
  const roots = new Map<number, Root>();
  let keys: readonly string[] = [];
  let isWritable: boolean | undefined;
  let failure: Failure | undefined;
  let unwatch: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function readKey(key: string, isFresh: boolean): Promise<Root[] | undefined> {
    const found: Root[] = [];
    let after = '';
    for (let page = 0; page < pagesMax; page += 1) {
      const answer: Reply<{ data: Root[] }> = await api.call(
        `${path}/comments?anchor=${encodeURIComponent(key)}&expand=created_by,embed&order_by=id&top=${rootsInPage}&page=true${after}`,
        { isFresh },
      );
      failure = answer.ok ? undefined : answer;
      if (!answer.ok) return undefined;
      isWritable = answer.isWritable ?? isWritable;
      found.push(...answer.body.data);
      if (answer.next === undefined) break;
      after = `&after=${answer.next}`;
    }
    return found;
  }

  /** Of the keys of elements, those that have threads. */
  async function keysInUse(of: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (let from = 0; from < of.length; from += keysMax) {
      const query = of.slice(from, from + keysMax).map((key) => `key=${encodeURIComponent(key)}`);
      const answer: Reply<{ data: { key: string; count: number }[] }> = await api.call(
        `${path}/anchors?${query.join('&')}`,
      );
      if (answer.ok) found.push(...answer.body.data.filter(({ count }) => count > 0).map(({ key }) => key));
    }
    return found;
  }

  async function read(isFresh = false): Promise<void> {
    const of = keys;
    const [main = '', ...others] = of;
    const used = [main, ...(await keysInUse(others))];
    const all = await Promise.all(used.map((key) => readKey(key, isFresh)));
    // Other keys are followed by now, and read by themselves.
    if (of !== keys) return;
    const found = all.flatMap((each) => each ?? []);
    if (all.some((each) => each === undefined) && found.length === 0) return changed();
    const ids = new Set(found.map(({ id }) => id));
    for (const id of roots.keys()) if (!ids.has(id)) roots.delete(id);
    for (const root of found) roots.set(root.id, root);
    changed();
  }

  return {
    all: (): readonly Root[] => [...roots.values()].filter(({ is_trashed: isTrashed }) => !isTrashed),
    get: (id: number) => roots.get(id),
    isWritable: () => isWritable === true,
    failure: () => failure,
    read,

    /** Reads the threads of other keys: first that of the text, then those of elements. */
    async follow(next: readonly string[]): Promise<void> {
      if (next.join('\n') === keys.join('\n')) return;
      keys = next;
      await read();
      unwatch ??= watchStream(
        api,
        { path: `${path}/changes?page=true`, news: /^event: (?![tp])/ },
        (messages = []) => {
          clearTimeout(timer);
          timer = setTimeout(
            () => void read(true),
            Math.random() * Number(/\d+/.exec(messages.join())?.[0] ?? 0),
          );
          setTimeout(() => unwatch && void read(true), settleMs);
        },
      );
    },

    /** Takes a thread as it is shown elsewhere. */
    put(root: Root): void {
      if (roots.get(root.id) === root) return;
      roots.set(root.id, { ...roots.get(root.id), ...root });
      changed();
    },

    end(): void {
      clearTimeout(timer);
      unwatch?.();
      unwatch = undefined;
    },
  };
}
