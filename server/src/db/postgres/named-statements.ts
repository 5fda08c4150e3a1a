import type pg from 'pg';
import { keptStatementsMax } from '../kept-statements.ts';

/**
 * The statements that are prepared on a connection under their names. The driver forgets none, so those that were
 * not used for longest are closed here.
 */

/** What the driver knows of a connection, beside its types. */
type Prepared = {
  /** The texts of the statements that are prepared, by their names. */
  readonly parsedStatements: Record<string, string>;
  /** The same of those that PostgreSQL was sent and has not answered yet. */
  readonly submittedNamedStatements: Record<string, string>;
  /** Sends that a statement is given up; what was sent before still runs, because the engine works in order. */
  close(what: { readonly type: 'S'; readonly name: string }): void;
};

const namesOf = new WeakMap<pg.Client, Set<string>>();

/**
 * Notes that a statement is about to be sent on a connection; gives up others where that makes too many. That is sent in the
 * packet of the next query and waits for no answer; unlike `deallocate` it works in a transaction that has failed.
 */
export function useName(client: pg.Client, name: string): void {
  const names = namesOf.get(client) ?? new Set();
  namesOf.set(client, names);
  // A set keeps the order in which names were added.
  names.delete(name);
  names.add(name);
  const connection = client.connection as unknown as Prepared;
  for (const oldest of names) {
    if (names.size <= keptStatementsMax || oldest === name) return;
    // One that waits for its first answer would be noted as prepared then.
    if (connection.submittedNamedStatements[oldest] !== undefined) continue;
    names.delete(oldest);
    if (connection.parsedStatements[oldest] === undefined) continue;
    delete connection.parsedStatements[oldest];
    connection.close({ type: 'S', name: oldest });
  }
}
