import { migrations } from './migrations/all.ts';
import { postgresDialect } from './postgres/schema.ts';
import { sqliteDialect } from './sqlite/schema.ts';
import type { Engine } from './statement.ts';

/** The indexes that the steps of the schema have made, by name, each with the text that makes it. */
export function schemaIndexes(engine: Engine): ReadonlyMap<string, string> {
  const dialect = engine === 'sqlite' ? sqliteDialect : postgresDialect;
  const indexes = new Map<string, string>();
  const texts = migrations.flatMap(({ up }) => up(dialect)).flatMap((text) => text.split(';'));
  for (const text of texts) {
    const [, name] = /^\s*create (?:unique )?index (\w+) /.exec(text) ?? [];
    if (name !== undefined) indexes.set(name, text.trim());
    const [, dropped] = /^\s*drop index (\w+)/.exec(text) ?? [];
    if (dropped !== undefined) indexes.delete(dropped);
  }
  return indexes;
}
