import {
  type AliasableExpression,
  ExpressionWrapper,
  PostgresQueryCompiler,
  type RawBuilder,
  type RawNode,
} from 'kysely';

/** A fragment as SQLite understands it, which carries how PostgreSQL does. */
type TwofoldNode = RawNode & { readonly postgres?: RawNode };

/**
 * A fragment that says the same thing to each engine in its own words. Statements are built without knowing the engine;
 * the compiler takes its half.
 */
export function byEngine<T>(halves: {
  sqlite: RawBuilder<T>;
  postgres: RawBuilder<T>;
}): AliasableExpression<T> {
  const node: TwofoldNode = {
    ...(halves.sqlite.toOperationNode() as RawNode),
    postgres: halves.postgres.toOperationNode() as RawNode,
  };
  return new ExpressionWrapper<Record<never, never>, never, T>(node);
}

/** Compiles what was built for any engine into the text of PostgreSQL. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitRaw(node: TwofoldNode): void {
    super.visitRaw(node.postgres ?? node);
  }
}
