import { sql } from 'kysely';
import { type Command, command } from './statement.ts';

/** A command of a text that the program has put together from constants and numbers, never from what a client sent. */
export function fixedCommand(text: string): Command<Record<never, never>, unknown> {
  return command()((q) => ({ compile: () => sql`${sql.raw(text)}`.compile(q) }));
}
