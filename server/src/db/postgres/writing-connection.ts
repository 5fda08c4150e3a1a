import pg from 'pg';
import type { Log } from '../../kernel/log.ts';
import { connectionOf, type PostgresOptions, send, sqlState } from './connection.ts';

/** The function of PostgreSQL that warns of a commit without its standby; the text is in the language of the server. */
const waitForStandby = 'SyncRepWaitForLSN';

/**
 * The one session in which a node writes, and the state of its transaction. A session that is lost is replaced when the
 * next transaction begins.
 */
export function createWritingConnection(options: PostgresOptions & { readonly log: Log }) {
  const { log } = options;
  let client: pg.Client | undefined;
  let isInTransaction = false;
  /** The first error of the transaction: after it PostgreSQL takes nothing more but going back. */
  let failure: unknown;
  let isUnreplicated = false;

  async function connect(): Promise<void> {
    if (client !== undefined) return;
    const connecting = new pg.Client({ ...connectionOf(options), pipeline: true });
    connecting.on('error', (error) => {
      log.warn({ err: error }, 'the connection that writes was lost');
      drop(connecting);
    });
    connecting.on('notice', ({ routine }) => {
      if (routine === waitForStandby) isUnreplicated = true;
    });
    await connecting.connect();
    client = connecting;
  }

  function drop(lost: pg.Client): void {
    if (client === lost) client = undefined;
    lost.end().catch((error: unknown) => {
      log.debug({ err: error }, 'a lost connection could not be ended');
    });
  }

  return {
    /** Connects unless it is, and forgets the transaction before; the caller then sends the beginning of the next. */
    async begin(): Promise<void> {
      await connect();
      isInTransaction = true;
      failure = undefined;
      isUnreplicated = false;
    },

    /**
     * Sends a query; a session that is of no more use is dropped. Never throws at once, so no answer is left unheard.
     */
    async send(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
      const current = client;
      try {
        if (current === undefined) throw new Error('Connection terminated while a group was written');
        return await send(current, query);
      } catch (error) {
        failure ??= error;
        if (current !== undefined && sqlState(error) === undefined) drop(current);
        // Later ones only learn that there was one.
        throw failure;
      }
    },

    /** Notes that the transaction has ended with a commit. */
    committed(): void {
      isInTransaction = false;
    },

    /** Undoes the transaction, also after an error; throws nothing. */
    async rollback(): Promise<void> {
      const current = client;
      isInTransaction = false;
      if (current === undefined) return;
      try {
        await current.query('rollback');
      } catch {
        // The transaction is lost with its connection.
        drop(current);
      }
    },

    /** Notes that the transaction can go on after an error, from a savepoint. */
    recovered(): void {
      failure = undefined;
    },

    /** Whether the transaction can go on. */
    isUsable: (): boolean => client !== undefined && isInTransaction && failure === undefined,

    /** Whether the synchronous standby has not confirmed a commit of this transaction. */
    isUnreplicated: (): boolean => isUnreplicated,

    async close(): Promise<void> {
      await client?.end();
    },
  };
}
