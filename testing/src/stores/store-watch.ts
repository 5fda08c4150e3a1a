import { after } from 'node:test';
import { poll } from '../poll.ts';
import { type TestServer, use } from '../server.ts';
import { databaseOf } from './databases.ts';
import { postgresContent } from './postgres-store.ts';
import { sqliteContent } from './sqlite-store.ts';
import type { Plan, StoreContent } from './store-content.ts';

/** Detects changes in the store of a server, from outside the server. */
export type StoreWatch = {
  /** Whether anything was written since the last call, even without a change. Costs next to nothing. */
  hasCommitted(): boolean;
  /** Whether a row of any table has changed since the last call. */
  hasChanged(): boolean;
  /** How many rows a table has. */
  count(table: string): number;
  /** The rows of one statement, for data that the API does not show. */
  rows(sql: string): Record<string, unknown>[];
  /** The actions of the events of an entity, in order. */
  actionsOf(type: string, id: number): unknown[];
  /** The names of all tables. */
  tables(): string[];
  /** How a statement with placeholders is run. */
  plan(sql: string): Plan;
  /** Rows that refer to missing rows. */
  brokenReferences(): unknown[];
  close(): void;
};

function contentOf(folder: string): StoreContent {
  const database = databaseOf(folder);
  return database === undefined ? sqliteContent(folder) : postgresContent(database);
}

/** Opens the store of the server on `folder` for reading alongside the server. */
export function watchStore(folder: string): StoreWatch {
  const content = contentOf(folder);
  let committed = content.mark();
  let lastMark = committed;
  let last = content.digest();
  return {
    hasCommitted() {
      const before = committed;
      committed = content.mark();
      return before !== committed;
    },
    hasChanged() {
      const now = content.mark();
      if (now === lastMark) return false;
      lastMark = now;
      const before = last;
      last = content.digest();
      return before !== last;
    },
    count: (table) => Number(content.rows(`select count(*) as n from "${table}"`)[0]?.n),
    rows: (sql) => content.rows(sql),
    actionsOf: (type, id) =>
      content
        .rows(`select action from events where entity_type = '${type}' and entity_id = ${id} order by id`)
        .map(({ action }) => action),
    tables: () => content.tables(),
    plan: (sql) => content.plan(sql),
    brokenReferences: () => content.brokenReferences(),
    close: () => content.close(),
  };
}

/**
 * A watch of the store of a server for the tests of the file or of the enclosing `describe`. By then, the
 * loop that writes the version of the search words into each new store has done so.
 */
export function useStoreWatch(server: TestServer): StoreWatch {
  const watch = use(async () => {
    const opened = watchStore(server.folder);
    if (!server.isQuiet)
      await poll('the words of the store', () => {
        const [words] = opened.rows("select value from settings where name = 'words'");
        return words === undefined || String(words['value']).includes('"part"') ? undefined : true;
      });
    return opened;
  });
  after(() => watch.close());
  return watch;
}

/** The rows of one statement, for a single read of the store of the server on `folder`. */
export function readStore(folder: string, sql: string): Record<string, unknown>[] {
  const content = contentOf(folder);
  try {
    return content.rows(sql);
  } finally {
    content.close();
  }
}

/** Writes to the store of a server without its knowledge. */
export function writeStore(folder: string, sql: string): void {
  const content = contentOf(folder);
  try {
    content.execute(sql);
  } finally {
    content.close();
  }
}
