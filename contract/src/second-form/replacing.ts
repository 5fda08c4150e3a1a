import type { Operation } from '../operation.ts';

/** An operation of the first form as one of the second form that takes its place, to be declared under another id. */
export function replacing<const O extends Operation>({ id: _, ...operation }: O) {
  return { ...operation, replaces: true } as Omit<O, 'id'> & { readonly replaces: true };
}
