import type { Operation } from '../contract/operation.ts';
import { Problem } from '../kernel/problem.ts';

type Address = {
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

  function find(path: string): Address | undefined {
    for (const address of known.values()) if (address.pattern.test(path)) return address;
    return undefined;
  }

  /**
   * The methods with which a path matches a parameter of another path: `PUT /api/apps/init` means an app with that uid,
   * and its operation reports the error.
   */
  function methodsOfTexts(path: string): string[] {
    return [...known].flatMap(([other, { pattern, operations }]) =>
      other === path || !pattern.test(path)
        ? []
        : [...operations]
            .filter(([, { params }]) => Object.values(params ?? {}).includes('text'))
            .map(([method]) => method),
    );
  }

  return {
    /** Registers `method` for `path`. */
    add(path: string, method: string, operation?: Operation): void {
      const pattern = path
        .replaceAll('.', '\\.')
        .replaceAll(/:[a-z_]+/gi, '[^/]+')
        .replaceAll('*', '.+');
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

    /** The value of the Allow header for the path of a request, or undefined when nothing is served there. */
    allowedAt(path: string): string | undefined {
      const address = find(path);
      return address === undefined ? undefined : allowOf(address.methods);
    },

    /** The operation of a request, even if its path cannot be decoded. */
    operationAt(method: string, path: string): Operation | undefined {
      return find(path)?.operations.get(method);
    },

    /**
     * Every path with the methods that have an operation, and its Allow header. The header leaves out methods with which
     * the path matches a parameter, because they never succeed.
     */
    all(): { path: string; methods: ReadonlySet<string>; allow: string }[] {
      return [...known].map(([path, { methods: own }]) => {
        const methods = new Set([...own, ...methodsOfTexts(path)]);
        return { path, methods, allow: allowOf(own) };
      });
    },
  };
}

function allowOf(methods: ReadonlySet<string>): string {
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
