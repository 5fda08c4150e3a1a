import { type Expression, sql } from 'kysely';
import { numberIn, recordsOf } from './dialect.ts';
import { type Command, command, type Numbered, partOfAnyTable } from './statement.ts';
import type { Tables } from './tables/tables.ts';

/** The objects of a JSON array in a parameter as the table `given`, whose fields `numberIn` and `textIn` read. */
export function givenRecords(parameter: string) {
  return recordsOf(parameter, 'given');
}

/**
 * Declares a command that sets columns of many rows: `given` is a JSON array of objects, each with the id of its row, and
 * `values` says from which of their fields each column comes.
 */
export function updateRecords<T extends Numbered>(
  table: T,
  values: { readonly [C in keyof Tables[T] & string]?: Expression<unknown> },
): Command<{ given: string }, unknown> {
  return command<{ given: string }>()((q, value) =>
    q
      .updateTable(table as 'entries')
      .from(givenRecords(value('given')))
      .set(partOfAnyTable(values))
      .where(sql.ref(`${table}.id`), '=', numberIn('given', 'id')),
  );
}
