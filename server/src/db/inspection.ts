import type { Engine } from './statement.ts';

/** A row with the columns that a text selects; flags are 0 or 1, whole numbers are numbers. */
export type InspectedRow = { readonly [column: string]: string | number | null };

/**
 * A connection that reads a store whole and without a deadline, beside running servers, and cannot write. Texts are SQL
 * that both engines accept, without parameters.
 */
export type Inspection = {
  readonly engine: Engine;
  rows(text: string): Promise<InspectedRow[]>;
  close(): Promise<void>;
};
