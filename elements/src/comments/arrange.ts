const kept = new WeakMap<Element, Map<number, HTMLLIElement>>();

/** How the items of a list become elements. */
export type Arranging<T> = {
  /** Tells items apart. */
  readonly key: (item: T) => number;
  /** Makes what an item is shown in. */
  readonly make: (item: T) => HTMLElement;
  /** Shows an item in what `make` has made for its key. */
  readonly update: (element: HTMLElement, item: T) => void;
};

/**
 * Shows items in a list, in their order. An item that is there keeps its element, and so the focus and what somebody has
 * written into it; nothing moves unless the order has changed.
 */
export function arrange<T>(list: Element, items: readonly T[], { key, make, update }: Arranging<T>): void {
  const before = kept.get(list);
  const after = new Map<number, HTMLLIElement>();
  for (const item of items) {
    let row = before?.get(key(item));
    if (row === undefined) {
      row = document.createElement('li');
      row.append(make(item));
      // What comes later fades in.
      if (before) row.className = 'new';
    }
    after.set(key(item), row);
    update(row.firstChild as HTMLElement, item);
  }
  kept.set(list, after);
  for (const [id, row] of before ?? []) if (!after.has(id)) row.remove();
  let next = list.firstChild;
  for (const row of after.values()) {
    if (row === next) next = row.nextSibling;
    else list.insertBefore(row, next);
  }
}
