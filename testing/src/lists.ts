import type { Caller } from './server.ts';

/** How many things a list has, as a caller sees it. */
export async function countOf(by: Caller, path: string): Promise<number> {
  return (await by.read(`${path}${path.includes('?') ? '&' : '?'}count_only=true`)).count;
}

/** The ids of the things on a page of a list, in order. */
export async function idsOf(by: Caller, path: string): Promise<number[]> {
  return (await by.read(path)).data.map(({ id }: { id: number }) => id);
}
