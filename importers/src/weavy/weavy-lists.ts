import { ImportError } from '../import-file.ts';
import { isObject, RecordFault } from '../record-fields.ts';
import { type WeavyFields, weavyFields } from './weavy-fields.ts';

/** Lists of a running Weavy server, page by page. */

/**
 * Asks the server: the JSON value at a path below its address, undefined where it has none (404). It throws an
 * `ImportError` for any other answer.
 */
export type AskWeavy = (path: string) => Promise<unknown>;

/** How many items a page has at most: the most that the interface gives, by either of its names for it. */
const pageItems = 100;
/** The most objects of one server; each takes about a kilobyte of memory until it is written. */
const objectsMax = 5_000_000;

type Query = Readonly<Record<string, string>>;

/** Reads lists of one server. */
export type WeavyLists = {
  /**
   * Reads each object of a list once, also where pages shift while they are read. Objects that cannot be read are noted,
   * and those for which `read` returns undefined are left out. Undefined where the server has no such list.
   */
  all<T>(
    list: { readonly path: string; readonly what: string; readonly query?: Query },
    read: (fields: WeavyFields) => T | undefined | Promise<T | undefined>,
  ): Promise<T[] | undefined>;
  /** Asks for one object or list; undefined where the server has none. */
  get(path: string): Promise<unknown>;
  /** Reads an object that is part of another, or notes why it cannot be read. */
  one<T>(what: string, read: () => T): T | undefined;
  readonly unreadable: { readonly where: string; readonly cause: string }[];
  readonly notes: string[];
};

/** The lists of the server that `ask` asks, whose address is for messages. */
export function createWeavyLists(ask: AskWeavy, address: string): WeavyLists {
  const unreadable: { readonly where: string; readonly cause: string }[] = [];
  const notes: string[] = [];
  let objects = 0;

  function noteFault(where: string, error: unknown): undefined {
    if (!(error instanceof RecordFault)) throw error;
    unreadable.push({ where, cause: error.message });
    return undefined;
  }

  async function page(path: string, query: Query, skip: number) {
    const parameters = { ...query, top: String(pageItems), take: String(pageItems), skip: String(skip) };
    const answer = await ask(`${path}?${new URLSearchParams(parameters)}`);
    if (answer === undefined) return undefined;
    const found = pageOf(answer);
    if (found === undefined) throw new ImportError(address, `${path} is no list`);
    objects += found.items.length;
    if (objects > objectsMax) throw new ImportError(address, `it has more than ${objectsMax} objects`);
    return found;
  }

  return {
    unreadable,
    notes,
    get: ask,
    one(what, read) {
      try {
        return read();
      } catch (error) {
        return noteFault(what, error);
      }
    },
    async all({ path, what, query = {} }, read) {
      const results = [];
      const seen = new Set<string>();
      for (let skip = 0; ; ) {
        const found = await page(path, query, skip);
        if (found === undefined) return skip === 0 ? undefined : results;
        for (const item of found.items) {
          let id = 'without an id';
          try {
            const fields = weavyFields(item);
            id = fields.ownId();
            if (seen.has(id)) continue;
            seen.add(id);
            const result = await read(fields);
            if (result !== undefined) results.push(result);
          } catch (error) {
            noteFault(`${what} ${id}`, error);
          }
        }
        const next = found.end ?? skip + found.items.length;
        if (found.items.length > 0 && next < found.count) {
          if (next <= skip) throw new ImportError(address, `${path} does not go on after ${skip} objects`);
          skip = next;
          continue;
        }
        if (seen.size < found.count)
          notes.push(`${path} says that it has ${found.count} objects and gave ${seen.size}.`);
        return results;
      }
    },
  };
}

/** A page in either form, or a whole list as an array. */
function pageOf(answer: unknown) {
  if (Array.isArray(answer)) return { items: answer as readonly unknown[], end: undefined, count: 0 };
  if (!isObject(answer)) return undefined;
  const { data, end, count } = answer;
  // A server leaves out an empty list.
  if (data === undefined && count === 0) return { items: [], end: undefined, count: 0 };
  if (!Array.isArray(data) || !isCount(count)) return undefined;
  return { items: data as readonly unknown[], end: isCount(end) ? end : undefined, count };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
