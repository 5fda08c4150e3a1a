import { moveSetting } from '../migrations/steps.ts';
import type { Tables } from '../tables/tables.ts';

/** A value as both engines give it. */
export type MovedValue = number | string | Uint8Array | null;

/** The values of a row, in the order of the columns of its table. */
export type MovedRow = readonly MovedValue[];

/** A column and what it holds. */
export type MovedColumn = { readonly name: string; readonly type: 'integer' | 'text' | 'blob' };

/** A table as a move reads and writes it. */
export type MovedTable = {
  readonly name: string;
  readonly columns: readonly MovedColumn[];
  /** The columns of its primary key, by which both sides read it in the same order. */
  readonly key: readonly string[];
};

/**
 * The primary key of every table, those first that others refer to. The table of steps is left out: each store has its
 * own history.
 */
export const keys = {
  settings: ['name'],
  log_head: ['id'],
  directories: ['id'],
  users: ['id'],
  user_tags: ['tag', 'user_id'],
  api_keys: ['id'],
  key_uses: ['key_id'],
  access_tokens: ['hash'],
  sessions: ['hash'],
  visitor_secrets: ['hash'],
  sign_in_identities: ['way', 'subject'],
  sign_in_requests: ['hash'],
  refused_mailboxes: ['hash'],
  visitor_addresses: ['user_id'],
  bans: ['id'],
  solved_puzzles: ['hash'],
  counted_guests: ['hash'],
  apps: ['id'],
  app_tags: ['tag', 'app_id'],
  members: ['app_id', 'user_id'],
  private_chats: ['first_id', 'second_id'],
  stars: ['user_id', 'app_id'],
  follows: ['user_id', 'followed_id'],
  subscriptions: ['entity_type', 'entity_id', 'user_id'],
  tallies: ['parent_type', 'parent_id', 'kind'],
  embeds: ['id'],
  meetings: ['id'],
  entries: ['id'],
  entry_tags: ['tag', 'app_id', 'entry_id'],
  options: ['id'],
  votes: ['entry_id', 'user_id'],
  reactions: ['id'],
  revisions: ['id'],
  reports: ['id'],
  complaints: ['id'],
  blobs: ['id'],
  files: ['id'],
  file_versions: ['file_id', 'number'],
  file_tags: ['tag', 'app_id', 'file_id'],
  events: ['id'],
  event_cursors: ['reader'],
  parked_events: ['event_id'],
  notifications: ['id'],
  hidden_notifications: ['id'],
  notification_refreshes: ['id'],
  mail_states: ['user_id'],
  webhooks: ['id'],
  webhook_triggers: ['trigger', 'webhook_id'],
  deliveries: ['id'],
  attempts: ['delivery_id', 'number'],
  approved_counts: ['app_id', 'user_id'],
  imports: ['source', 'source_id'],
  import_runs: ['id'],
  imported_items: ['run_id', 'entity_type', 'entity_id'],
  kept_answers: ['id'],
  rate_shares: ['key'],
  recent_texts: ['id'],
  rule_counts: ['name'],
  erasures: ['id'],
  newest_ids: ['id'],
  redactions: ['id'],
  nodes: ['id'],
  agents: ['user_id'],
  agent_questions: ['message_id'],
  presence: ['node_id', 'user_id'],
  leases: ['name'],
  directory_search: ['rowid'],
  user_search: ['rowid'],
  public_user_search: ['rowid'],
  app_search: ['rowid'],
  entry_search: ['rowid'],
  file_search: ['rowid'],
  webhook_search: ['rowid'],
} as const satisfies { readonly [T in Exclude<keyof Tables, 'migrations'>]: readonly (keyof Tables[T])[] };

/** Whether a table is an index of words, whose content differs between engines. */
export function isSearchTable(name: string): boolean {
  return name.endsWith('_search');
}

/** The columns of an index of words on either engine. */
export const searchColumns: readonly MovedColumn[] = [
  { name: 'rowid', type: 'integer' },
  { name: 'words', type: 'text' },
];

/** The rows that one transaction writes to the target. */
export type MoveWriter = {
  insert(table: MovedTable, rows: readonly MovedRow[]): Promise<void>;
  /** Removes every row. */
  clear(table: MovedTable): Promise<void>;
  /** Makes the ids that the table gives out from then on higher than `id`, which is above 0. */
  advance(table: MovedTable, id: number): Promise<void>;
  /**
   * Replaces the note of the progress of the move; `undefined` stands for no note. Throws when the note is not `before`,
   * because another process is moving as well.
   */
  note(before: string | undefined, after: string | undefined): Promise<void>;
};

/** One end of a move. */
export type MoveSide = {
  /** Blocks all writers until this is closed. Throws an Error for the operator when a server runs on the store. */
  freeze(): Promise<void>;
  columns(table: string): Promise<readonly MovedColumn[]>;
  /** At most `limit` rows in the order of the key, those after a row whose key has the values `after`. */
  read(
    table: MovedTable,
    page: { readonly after: MovedRow | undefined; readonly limit: number },
  ): Promise<readonly MovedRow[]>;
  /** The highest id that each table has assigned, for tables that assign ids. */
  highestIds(): Promise<ReadonlyMap<string, number>>;
  /** The note of a move into this store that is not finished. */
  unfinished(): Promise<string | undefined>;
  /** Runs `work` in one transaction; what it wrote is durable when this answers. */
  write(work: (writer: MoveWriter) => Promise<void>): Promise<void>;
  /** Does what many new rows leave to be done, so that the first requests cost what later ones do. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

/** A name as a statement spells it; names come from the schema only. */
export function quoted(name: string): string {
  return `"${name}"`;
}

/**
 * The text of `MoveSide.read`: its parameters are the values of the key, when there are some, and the limit.
 * `placeholder` answers the text of the parameter with a number, which counts from 1.
 */
export function readText(
  { name, columns, key }: MovedTable,
  {
    isFirst,
    placeholder,
    from = quoted(name),
  }: { isFirst: boolean; placeholder: (number: number) => string; from?: string },
): string {
  const names = key.map(quoted).join(', ');
  const conditions = [
    ...(isFirst ? [] : [`(${names}) > (${key.map((_, index) => placeholder(index + 1)).join(', ')})`]),
    // The note of the move is of the target alone.
    ...(name === 'settings' ? [`name <> '${moveSetting}'`] : []),
  ];
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  const limit = placeholder(isFirst ? 1 : key.length + 1);
  return `select ${columns.map((column) => quoted(column.name)).join(', ')} from ${from}${where} order by ${names} limit ${limit}`;
}
