/** What is kept of somebody's writing: in the storage of the page's origin, or in memory where storage is blocked or full. */
export type Store = {
  get<T>(name: string): T | undefined;
  /** Keeps a value; undefined removes it. */
  set(name: string, value: unknown): void;
  /** Whether the storage has a value, which `forgetWriting` takes out of it. */
  isKept(name: string): boolean;
  /** The names that begin with a prefix. */
  names(prefix: string): readonly string[];
};

/** Under this name it says that there is something, so that the entry loads what writes. */
const mark = 'confab-write';

/** Creates the store. `storage` may throw, as `localStorage` does where it is blocked. */
export function createStore(
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>,
): Store {
  /** What the storage did not take. */
  const memory = new Map<string, string>();

  /** What a use of the storage gives; undefined where it is blocked. */
  function used<T>(use: (storage_: ReturnType<typeof storage>) => T): T | undefined {
    try {
      return use(storage());
    } catch {
      // Blocked, full, or written by somebody else.
      return undefined;
    }
  }

  return {
    get: <T>(name: string): T | undefined =>
      used((kept) => {
        const text = memory.get(name) ?? kept.getItem(name);
        return text === null ? undefined : JSON.parse(text);
      }) ?? (memory.has(name) ? JSON.parse(memory.get(name) as string) : undefined),
    set(name, value) {
      memory.delete(name);
      if (value === undefined) {
        used((kept) => kept.removeItem(name));
        if (this.names(`${mark} `).length === 0) used((kept) => kept.removeItem(mark));
        return;
      }
      const text = JSON.stringify(value);
      const isKept = used((kept) => {
        kept.setItem(name, text);
        kept.setItem(mark, '1');
        return true;
      });
      if (isKept !== true) memory.set(name, text);
    },
    isKept: (name) => typeof used((kept) => kept.getItem(name)) === 'string',
    names(prefix) {
      const kept = used((all) => Array.from({ length: all.length }, (_, at) => all.key(at) ?? '')) ?? [];
      return [...new Set([...kept, ...memory.keys()])].filter((name) => name.startsWith(prefix));
    },
  };
}
