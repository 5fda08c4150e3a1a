import pg from 'pg';
import { moveSetting } from '../migrations/steps.ts';
import { connectionOf, type PostgresOptions, sqlState } from '../postgres/connection.ts';
import {
  isSearchTable,
  type MovedColumn,
  type MovedRow,
  type MovedTable,
  type MoveSide,
  type MoveWriter,
  quoted,
  readText,
  searchColumns,
} from './side.ts';

/** How long a session that is about to end may go on writing, in milliseconds. */
const lockMs = 2000;

const lockNotAvailable = '55P03';

const types: { readonly [type: string]: MovedColumn['type'] } = {
  bigint: 'integer',
  integer: 'integer',
  text: 'text',
  bytea: 'blob',
};
const arrays: { readonly [type in MovedColumn['type']]: string } = {
  integer: 'bigint[]',
  text: 'text[]',
  blob: 'bytea[]',
};

/** A database as one end of a move. */
export class PostgresSide implements MoveSide {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Connects to the database. */
  static async open(options: PostgresOptions): Promise<PostgresSide> {
    const client = new pg.Client({
      ...connectionOf(options),
      // Servers are recognised by theirs.
      application_name: 'confab move',
      // The words of a large index may take their time.
      query_timeout: 0,
    });
    await client.connect();
    return new PostgresSide(client);
  }

  // Every group of writes of a node locks the row of this table first.
  async freeze(): Promise<void> {
    const { rows } = await this.#client.query(
      "select count(*) as n from pg_stat_activity where datname = current_database() and application_name = 'confab'",
    );
    const running = 'Confab runs on the database that is to be moved: stop every node of it';
    if (rows[0]?.n > 0) throw new Error(running);
    try {
      // This transaction has no time limit, however long the other side takes between two reads.
      await this.#client.query(
        `begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0;
         set local lock_timeout = ${lockMs}; lock table log_head in exclusive mode`,
      );
    } catch (error) {
      throw sqlState(error) === lockNotAvailable ? new Error(running, { cause: error }) : error;
    }
  }

  async columns(table: string): Promise<readonly MovedColumn[]> {
    if (isSearchTable(table)) return searchColumns;
    const { rows } = await this.#client.query(
      `select column_name as name, data_type as type from information_schema.columns
       where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
      [table],
    );
    return rows.map(({ name, type }) => ({ name, type: types[type] ?? type }));
  }

  async read(
    table: MovedTable,
    { after, limit }: { after: MovedRow | undefined; limit: number },
  ): Promise<MovedRow[]> {
    const text = readText(table, { isFirst: after === undefined, placeholder: (number) => `$${number}` });
    const values = [...(after ?? []), limit];
    return (await this.#client.query({ text, values, rowMode: 'array' })).rows;
  }

  async highestIds(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#client.query(
      `select table_name as name,
         coalesce(pg_sequence_last_value(pg_get_serial_sequence(table_name, column_name)::regclass), 0) as id
       from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`,
    );
    return new Map(rows.map(({ name, id }) => [name, id]));
  }

  async unfinished(): Promise<string | undefined> {
    const { rows } = await this.#client.query('select value from settings where name = $1', [moveSetting]);
    return rows[0]?.value;
  }

  async write(work: (writer: MoveWriter) => Promise<void>): Promise<void> {
    await this.#client.query('begin; set local synchronous_commit = on');
    try {
      await work(this.#writer);
      await this.#client.query('commit');
    } catch (error) {
      // A connection that was lost has lost the transaction as well, and says so here.
      await this.#client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  readonly #writer: MoveWriter = {
    insert: async ({ name, columns }, rows) => {
      const names = columns.map((column) => quoted(column.name)).join(', ');
      const places = columns.map(({ type }, index) => `$${index + 1}::${arrays[type]}`).join(', ');
      await this.#client.query({
        text: `insert into ${quoted(name)} (${names}) select * from unnest(${places})`,
        values: columns.map((_, index) => rows.map((row) => row[index])),
      });
    },
    clear: async ({ name }) => {
      await this.#client.query(`delete from ${quoted(name)}`);
    },
    advance: async ({ name }, id) => {
      await this.#client.query(
        `select setval(pg_get_serial_sequence($1, 'id'),
           greatest($2::bigint, (select max(id) from ${quoted(name)})))`,
        [name, id],
      );
    },
    note: async (before, after) => {
      // Another move finds the row as it is after this one.
      const { rowCount } = await this.#client.query(
        before === undefined
          ? {
              text: 'insert into settings (name, value) values ($1, $2) on conflict do nothing',
              values: [moveSetting, after ?? ''],
            }
          : {
              text: 'update settings set value = $2 where name = $1 and value = $3',
              values: [moveSetting, after ?? '', before],
            },
      );
      if (rowCount === 0) throw new Error('another move writes to the same target');
      if (after === undefined)
        await this.#client.query('delete from settings where name = $1', [moveSetting]);
    },
  };

  async settle(): Promise<void> {
    await this.#client.query('analyze');
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}
