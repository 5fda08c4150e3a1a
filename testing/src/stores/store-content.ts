/** Rows that the loops of a server write, rather than requests. */
type OwnAffairs = {
  readonly tables: ReadonlySet<string>;
  /** The tables in which servers record that they are running; they are never compared where they can be left out. */
  readonly beats: ReadonlySet<string>;
  /** The rows of a table that meet this condition. */
  readonly rows: { readonly [table: string]: string };
};

export const ownAffairs: OwnAffairs = {
  tables: new Set(['attempts', 'deliveries', 'event_cursors', 'key_uses', 'notifications', 'webhooks']),
  beats: new Set(['leases', 'nodes', 'presence', 'rate_shares']),
  // The rows that notifications write.
  rows: {
    events: "action = 'notification_created'",
    tallies: "kind in ('notification', 'unread_notification', 'delivery')",
    sqlite_sequence: "name in ('events', 'notifications', 'deliveries')",
  },
};

/** How a statement is run: the plan of the engine, and its summary. */
export type Plan = {
  readonly steps: readonly string[];
  /** The steps that read a table from end to end. */
  readonly scans: readonly string[];
  /** The steps that sort rows without an index. */
  readonly sorts: readonly string[];
};

/** A store of one of the engines, read from outside the server. */
export type StoreContent = {
  rows(sql: string): Record<string, unknown>[];
  /** Differs after any commit, even one without a change. */
  mark(): string;
  /** Differs when a row differs, except those of the server's loops. */
  digest(): string;
  /** The tables of the store; the search index counts as one for each kind of object. */
  tables(): string[];
  /** How a statement with placeholders is run, for any values. */
  plan(sql: string): Plan;
  /** Rows that refer to missing rows. */
  brokenReferences(): unknown[];
  /** Runs statements that write. */
  execute(sql: string): void;
  close(): void;
};
