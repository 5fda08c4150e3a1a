import type { Operation } from '../contract/operation.ts';

type Address = {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  readonly operations: Map<string, Operation>;
};

/**
 * An empty table of what is served at which path, for requests that the router itself cannot place. A path is in the router's
 * words: `/api/apps/:app`.
 */
export function createAddresses() {
  const known = new Map<string, Address>();

  function find(path: string): Address | undefined {
    for (const address of known.values()) if (address.pattern.test(path)) return address;
    return undefined;
  }

  return {
    /** Notes that `path` answers `method`. */
    add(path: string, method: string, operation?: Operation): void {
      const pattern = path.replaceAll('.', '\\.').replaceAll(/:[a-z_]+/gi, '[^/]+');
      const address = known.get(path) ?? {
        pattern: new RegExp(`^${pattern}$`),
        methods: new Set(['OPTIONS']),
        operations: new Map(),
      };
      address.methods.add(method);
      if (method === 'GET') address.methods.add('HEAD');
      if (operation !== undefined) address.operations.set(method, operation);
      known.set(path, address);
    },

    /** The value of the Allow header for the path of a request, or undefined when nothing is there. */
    allowedAt(path: string): string | undefined {
      const address = find(path);
      return address === undefined ? undefined : allowOf(address.methods);
    },

    /** The operation of a request, also when its path cannot be decoded. */
    operationAt(method: string, path: string): Operation | undefined {
      return find(path)?.operations.get(method);
    },

    /** Every path with its methods and its Allow header. */
    all(): { path: string; methods: ReadonlySet<string>; allow: string }[] {
      return [...known].map(([path, { methods }]) => ({ path, methods, allow: allowOf(methods) }));
    },
  };
}

function allowOf(methods: ReadonlySet<string>): string {
  return [...methods].sort().join(', ');
}
