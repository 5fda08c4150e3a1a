/** The second form shows what belongs to an item as an object with a number and, where they are shown, the first of them. */

/** So many items, of which these are shown, rendered. */
export function listWithCount(count: number, shown: readonly string[]): string {
  return `{"count":${count},"data":[${shown.join()}]}`;
}
