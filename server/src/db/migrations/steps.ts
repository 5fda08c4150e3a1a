import { migrations } from './all.ts';
import type { Migration } from './migration.ts';

/**
 * The agreement between a store and a program about the schema.
 *
 * A store records the steps that it has taken, and with each step the programs that it breaks. A program runs on a store
 * that has taken every step that the program knows. The store may have taken more steps, unless one of them breaks the
 * program. So nodes of the previous release can run alongside the next one: a release first *expands* the schema (adds
 * what both releases can work with). A later release *contracts* it (removes what no running program uses), and only then
 * declares which programs the step breaks.
 */

/** A step that a store has taken. */
export type Step = {
  readonly id: number;
  readonly name: string;
  readonly appliedAt: number;
  /** Programs whose newest step is below this one do not run on the store; 0 where it breaks none. */
  readonly breaksBefore: number;
};

/** Reads a row of the table of steps, which an early store has without the column of what a step breaks. */
export function stepOf(row: { readonly [column: string]: unknown }): Step {
  return {
    id: Number(row.id),
    name: String(row.name),
    appliedAt: Number(row.applied_at),
    breaksBefore: Number(row.breaks_before ?? 0),
  };
}

/** The newest step that this program knows. */
export const newestKnown: number = migrations.at(-1)?.id ?? 0;

/** Throws an Error for the operator when a step that the store has taken breaks this program. */
export function refuseBroken(applied: readonly Step[]): void {
  const breaking = applied.find(({ breaksBefore }) => breaksBefore > newestKnown);
  if (breaking !== undefined)
    throw new Error(
      `the store is of a newer Confab: its step ${breaking.id} (${breaking.name}) needs a program that knows step ${breaking.breaksBefore}, and this one knows ${newestKnown}`,
    );
}

/** The steps that this program knows and the store has not taken, oldest first. */
export function pendingSteps(applied: readonly Step[]): readonly Migration[] {
  const newest = applied.at(-1)?.id ?? 0;
  return migrations.filter(({ id }) => id > newest);
}

/** The setting that is in a store while a move into it is unfinished; see `move.ts`. */
export const moveSetting = 'move';

/** Throws an Error for the operator when `unfinished`, the value of `moveSetting`, says that the store is half moved. */
export function refuseUnfinished(unfinished: string | undefined): void {
  if (unfinished === undefined) return;
  const { source } = JSON.parse(unfinished) as { source: string };
  throw new Error(
    `the store is the target of a move from ${source} that is not finished: run "confab move" again`,
  );
}
