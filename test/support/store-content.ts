/** What is written by the loops of a server on their own account, not by a request. */
export type OwnAffairs = {
  readonly tables: ReadonlySet<string>;
  /** The tables by which servers tell each other that they run: never looked at where that can be left out. */
  readonly beats: ReadonlySet<string>;
  /** Of a table, the rows that fulfil this. */
  readonly rows: { readonly [table: string]: string };
};

/** How a statement is run: what the engine says of it, and what that comes to. */
export type Plan = {
  readonly steps: readonly string[];
  /** The steps that read a table from end to end. */
  readonly scans: readonly string[];
  /** The steps that put rows in order which no index has in order. */
  readonly sorts: readonly string[];
};

/** A store as one of the engines shows it from outside the server. */
export type StoreContent = {
  rows(sql: string): Record<string, unknown>[];
  /** Differs when anything was committed, be it the same as before. */
  mark(): string;
  /** Differs when a row does that is not an affair of the server's own. */
  digest(): string;
  /** The tables of the store; the search index counts as one for each kind of thing. */
  tables(): string[];
  /** How a statement with placeholders is run, whatever their values are. */
  plan(sql: string): Plan;
  /** Rows that refer to rows that are not there. */
  brokenReferences(): unknown[];
  /** Runs statements that write. */
  execute(sql: string): void;
  close(): void;
};
