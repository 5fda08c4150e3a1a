import type { Db, Tx } from 'confab-server/src/db/db.ts';
import { compile } from 'confab-server/src/db/statement.ts';
import { insertsInto, wrapStore } from '../harness/store-wrapper.ts';
import type { Difference } from './servers.ts';
import type { Pair } from './twins.ts';

/**
 * Mistakes planted in one of the two servers, each of which a run must find: a comparison without findings is only
 * meaningful if it can find something.
 */

/** The options of polls are in reverse order. */
function reversesOptions(db: Db): Db {
  return wrapStore(db, {
    read: (read) => ({
      get: (query, parameters) => read.get(query, parameters),
      async all(query, parameters) {
        const rows = await read.all(query, parameters);
        return compile(query, 'sqlite').sql.includes('from "options"') ? rows.reverse() : rows;
      },
    }),
  });
}

/** Reactions are a millisecond late. */
function delaysReactions(db: Db): Db {
  const tx = (plain: Tx): Tx => ({
    ...plain,
    insert: (command, parameters) =>
      insertsInto(command, 'reactions')
        ? plain.insert(command, { ...parameters, createdAt: Number(parameters['createdAt']) + 1 })
        : plain.insert(command, parameters),
  });
  return wrapStore(db, { tx });
}

/** Tags are shown but not found. */
function losesTags(db: Db): Db {
  const tx = (plain: Tx): Tx => ({
    ...plain,
    run: async (command, parameters) => {
      if (!insertsInto(command, 'entry_tags')) await plain.run(command, parameters);
    },
  });
  return wrapStore(db, { tx });
}

/** A search leaves out the last of its terms. */
function searchesLess(db: Db): Db {
  function less<P>(parameters: P): P {
    const entries = Object.entries(parameters as Record<string, unknown>).map(([name, value]) => [
      name,
      name === 'question' && Array.isArray(value) && value.length > 1 ? value.slice(0, -1) : value,
    ]);
    return Object.fromEntries(entries) as P;
  }
  return wrapStore(db, {
    read: (read) => ({
      get: (query, parameters) => read.get(query, less(parameters)),
      all: (query, parameters) => read.all(query, less(parameters)),
    }),
  });
}

/** The plants by name. */
export const plants: { readonly [name: string]: Partial<Pair<Difference>> } = {
  'reversed-options': { right: { wrapDb: reversesOptions } },
  'late-reactions': { left: { wrapDb: delaysReactions } },
  'lost-tags': { right: { wrapDb: losesTags } },
  'loose-search': { left: { wrapDb: searchesLess } },
  'other-setting': { right: { settings: { CONFAB_JITSI_URL: 'https://meet.example.com' } } },
};
