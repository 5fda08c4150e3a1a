import {
  type AliasableExpression,
  createQueryId,
  ExpressionWrapper,
  InsertQueryNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type RawBuilder,
  type RawNode,
  type RootOperationNode,
  ValuesNode,
} from 'kysely';

/** A fragment as SQLite understands it, which carries how PostgreSQL does and whether it searches for words. */
type TwofoldNode = RawNode & { readonly postgres?: RawNode; readonly isSearch?: boolean };

/**
 * A fragment that says the same thing to each engine in its own words. Statements are built without knowing the engine;
 * the compiler takes its half.
 */
export function byEngine<T>(halves: {
  sqlite: RawBuilder<T>;
  postgres: RawBuilder<T>;
  isSearch?: boolean;
}): AliasableExpression<T> {
  const node: TwofoldNode = {
    ...(halves.sqlite.toOperationNode() as RawNode),
    postgres: halves.postgres.toOperationNode() as RawNode,
    isSearch: halves.isSearch === true,
  };
  return new ExpressionWrapper<Record<never, never>, never, T>(node);
}

/** Compiles what was built for any engine into the text of PostgreSQL. Each compiles one statement. */
export class PostgresCompiler extends PostgresQueryCompiler {
  /** Whether the statement searches for words. */
  hasSearch = false;

  protected override visitRaw(node: TwofoldNode): void {
    this.hasSearch ||= node.isSearch === true;
    super.visitRaw(node.postgres ?? node);
  }
}

/** `insert into "table" ("column", …)` of an insert of one row whose values are all parameters; undefined for others. */
export function insertIntoOf(node: RootOperationNode): string | undefined {
  if (!InsertQueryNode.is(node) || node.values === undefined || !ValuesNode.is(node.values)) return undefined;
  const { values, returning, onConflict, with: others, ...into } = node;
  const [row, ...more] = values.values;
  const isPlain = more.length === 0 && row !== undefined && PrimitiveValueListNode.is(row);
  if (!isPlain || returning !== undefined || onConflict !== undefined || others !== undefined)
    return undefined;
  return new PostgresQueryCompiler().compileQuery(into, createQueryId()).sql;
}
