import { sql } from 'kysely';
import { type Command, command } from './statement.ts';

/**
 * A command of a text that the program has put together from constants and numbers, never from what a client sent. It is
 * for statements whose tables or columns are data (decision 0101); all others are built.
 */
export function fixedCommand(text: string): Command<Record<never, never>, unknown> {
  return command()((q) => ({ compile: () => sql`${sql.raw(text)}`.compile(q) }));
}
