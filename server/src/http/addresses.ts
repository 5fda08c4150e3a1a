import type { Operation } from 'confab-contract/operation.ts';
import { Problem } from 'confab-contract/problem.ts';

/** A served path with the methods that it has. */
export type Address = {
  /** In the syntax of the router. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  readonly operations: Map<string, Operation>;
};

/**
 * An empty table of the served paths, for requests that the router itself cannot match. Paths use the router's syntax:
 * `/api/apps/:app`, `/uikit-web/*`.
 */
export function createAddresses() {
  const known = new Map<string, Address>();

  return {
    /** Registers methods for `path`; an operation is that of the first. */
    add(path: string, methods: readonly [string, ...string[]], operation?: Operation): void {
      const pattern = path
        .replaceAll('.', '\\.')
        .replaceAll(/:[a-z_]+/gi, '[^/]+')
        .replaceAll('*', '.+');
      const address = known.get(path) ?? {
        path,
        pattern: new RegExp(`^${pattern}$`),
        methods: new Set(['OPTIONS']),
        operations: new Map(),
      };
      for (const method of methods) address.methods.add(method);
      if (operation !== undefined) address.operations.set(methods[0], operation);
      known.set(path, address);
    },

    /**
     * What is served at the path of a request, or undefined. Of several paths that match, it is the one with the fewest
     * parameters, as for the router.
     */
    find(path: string): Address | undefined {
      let existing = known.get(path);
      if (existing !== undefined) return existing;
      for (const address of known.values())
        if (address.pattern.test(path) && parametersIn(address) < parametersIn(existing)) existing = address;
      return existing;
    },

    /**
     * The methods that a path does not have and that the router would give to a path with a parameter in its place, where
     * they never succeed: `DELETE /api/apps/init` is not the deletion of an app. An operation whose parameter may be any
     * text keeps its method: `PUT /api/apps/init` means an app with that uid, and the operation reports the error.
     */
    hidden(): { path: string; methods: string[] }[] {
      const open = [...known.values()].filter((address) => parametersIn(address) > 0);
      return [...known.values()].flatMap(({ path, methods: own }) => {
        const methods = open
          .filter((other) => mayMatch(other.path, path) && other.path !== path && other.pattern.test(path))
          .flatMap(({ methods, operations }) =>
            [...methods].filter(
              (method) => !Object.values(operations.get(method)?.params ?? {}).includes('text'),
            ),
          )
          .filter((method) => !own.has(method));
        return methods.length === 0 ? [] : [{ path, methods: [...new Set(methods)] }];
      });
    },
  };
}

/** How much of a path is open: the number of its parameters, and more than any for one that goes on with anything. */
function parametersIn(address: Address | undefined): number {
  if (address === undefined) return Infinity;
  return address.path.endsWith('*') ? 1000 : address.path.split(':').length - 1;
}

/** Whether a path can match another, as a quick look at their first parts tells. */
function mayMatch(open: string, path: string): boolean {
  const shared = open.search(/[:*]/);
  return path.startsWith(open.slice(0, shared));
}

/** The value of the Allow header. */
export function allowOf({ methods }: Address): string {
  return [...methods].sort().join(', ');
}

/** The response to a request for an unknown path. */
export function unknownPath(): Problem {
  return new Problem('not_found', 'Nothing is at this address.');
}

/** The response to a request with a method that its path does not have. */
export function unknownMethod({ method }: { readonly method: string }): Problem {
  return new Problem('method_not_allowed', `${method} is not known here.`);
}
