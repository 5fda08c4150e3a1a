import { type Json, json } from '../../kernel/json.ts';

/** What the second form shows of a reaction in its entry besides what the first form shows. */
export function reactionFields({ createdById }: { readonly createdById: number }): {
  readonly created_by: Json;
} {
  return { created_by: json(`{"id":${createdById}}`) };
}
