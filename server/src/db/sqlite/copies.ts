import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { publishedEnd } from './log.ts';

/**
 * Copies of the file of a SQLite store, made while a server writes it, and what is in such a copy.
 *
 * A copy is made in one step, page by page: in several steps it would begin again with each commit of another process
 * and never end (measured: not done after 30 s under writes, where one step took 0.9 s). The copy holds a read lock
 * meanwhile, which blocks no writer; only the write-ahead log grows.
 */

/** How long a change of a setting waits for the server that is writing, in milliseconds. */
const busyTimeoutMs = 10_000;
/** More pages than a database can have: all of them in one step. */
const allPages = 2_147_483_647;

/** The file of a store that a server may be using. */
export type LiveDatabase = {
  /** Copies the file as it is at one moment between the call and the return. */
  copyTo(path: string): Promise<void>;
  /** Sets a setting of the store; undefined removes it. */
  note(name: string, value: string | undefined): void;
  /** A position of the write-ahead log at or after every earlier commit; undefined when the log has no frames. */
  logEnd(): { readonly salts: string; readonly frame: number } | undefined;
  close(): void;
};

/** Opens the file of a store without migrating it. It must exist. */
export function openLive(file: string): LiveDatabase {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  database.exec('pragma synchronous = full');
  // The server decides when its log is copied back.
  database.exec('pragma wal_autocheckpoint = 0');
  database.exec('pragma secure_delete = on');
  return {
    async copyTo(path) {
      await backup(database, path, { rate: allPages });
    },
    note(name, value) {
      if (value === undefined) database.prepare('delete from settings where name = ?').run(name);
      else
        database
          .prepare(
            'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
          )
          .run(name, value);
    },
    logEnd() {
      const end = publishedEnd(database, file);
      return typeof end === 'string' ? undefined : { salts: end.header.salts, frame: end.frame };
    },
    close: () => database.close(),
  };
}

/** The contents of a copy. */
export type CopyFacts = {
  /** The newest step of the schema. */
  readonly schema: number;
  /** The position in the log: the id of the newest event that there has been. */
  readonly position: number;
  /** The number of rows of each table, without the indexes of words. */
  readonly tables: { readonly [name: string]: number };
  /** How many secrets of webhooks are sealed with a key that is not in the store. */
  readonly sealedSecrets: number;
};

/** A blob of a copy whose bytes this store keeps. */
export type CopiedBlob = {
  readonly id: number;
  readonly key: string;
  readonly size: number;
  /** Whether something uses it; an unused upload may not have its bytes yet, or not any more. */
  readonly isUsed: boolean;
};

/** A file of a database that no other process changes. */
export type DatabaseCopy = {
  facts(): CopyFacts;
  /** The blobs whose id is above `afterId`, in the order of their ids. */
  blobs(afterId?: number): Iterable<CopiedBlob>;
  /** The faults of the file and its references, at most ten sentences; empty when there are none. */
  faults(): string[];
  close(): void;
};

/** The mark of a sealed secret in SQL; `sealMark` of `kernel/secret-box.ts`. */
const sealed = "char(1) || 'sealed1:%'";

function factsOf(database: DatabaseSync): CopyFacts {
  const number = (sql: string) => Number(database.prepare(sql).get()?.n ?? 0);
  const names = database
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not like '%\\_search%' escape '\\' order by name",
    )
    .all()
    .map(({ name }) => String(name));
  return {
    schema: number('select max(id) as n from migrations'),
    position: number("select seq as n from sqlite_sequence where name = 'events'"),
    tables: Object.fromEntries(names.map((name) => [name, number(`select count(*) as n from "${name}"`)])),
    sealedSecrets: number(
      `select count(*) as n from webhooks where secret like ${sealed} or previous_secret like ${sealed}`,
    ),
  };
}

/** Opens a copy. No files are created alongside it. */
export function openCopy(file: string): DatabaseCopy {
  const address = pathToFileURL(file);
  address.search = 'immutable=1';
  const database = new DatabaseSync(address, { readOnly: true });
  return {
    facts: () => factsOf(database),
    *blobs(afterId = 0) {
      const rows = database
        .prepare(
          'select id, key, size, expires_at is null as used from blobs where provider is null and id > ? order by id',
        )
        .iterate(afterId);
      for (const { id, key, size, used } of rows)
        yield { id: Number(id), key: String(key), size: Number(size), isUsed: used === 1 };
    },
    faults() {
      const damage = database
        .prepare('pragma integrity_check(10)')
        .all()
        .map((row) => String(Object.values(row)[0]))
        .filter((sentence) => sentence !== 'ok');
      if (damage.length > 0) return damage;
      const orphans = database.prepare('select * from pragma_foreign_key_check limit 10').all();
      return orphans.map(
        ({ table, rowid, parent }) => `row ${rowid} of ${table} refers to no row of ${parent}`,
      );
    },
    close: () => database.close(),
  };
}
