import { Problem } from 'confab-contract/problem.ts';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { formOf } from '../kernel/form.ts';
import { type Address, createAddresses, unknownPath } from './addresses.ts';
import { pathOf } from './connection.ts';
import type { HttpRequest, PathParams, Route } from './request.ts';
import { headerBytesMax } from './server-settings.ts';

/**
 * Finds what a request is for, by `find-my-way`. An operation of the second form can replace one of the first, for requests
 * that ask for that form.
 */
export function createRouter() {
  const addresses = createAddresses();
  // A parameter may be as long as a request line, so that every operation checks its own path.
  const routes = findMyWay({ maxParamLength: headerBytesMax, querystringParser: () => ({}) });
  const replaced = new Map<Route, Route>();
  const replacing: { readonly method: string; readonly route: Route }[] = [];

  function on(path: string, methods: readonly string[], route: Route | undefined): void {
    routes.on(methods as HTTPMethod[], path, () => undefined, route);
  }

  /** The route of the first form with a method and a path; undefined if there is none with the same parameters. */
  function firstRoute(method: string, path: string): Route | undefined {
    const store: Route | undefined = routes.find(method as HTTPMethod, path)?.store;
    return store?.path === path ? store : undefined;
  }

  return {
    /** Serves a path with a method. A path with GET has HEAD as well, unless its GET changes something. */
    add(method: string, route: Route): void {
      if (route.operation?.replaces === true) {
        replacing.push({ method, route });
        return;
      }
      const methods: [string, ...string[]] =
        method === 'GET' && route.changes !== true ? ['GET', 'HEAD'] : [method];
      addresses.add(route.path, methods, route.operation);
      on(route.path, methods, route);
    },

    /** Closes the list of routes, and takes away the methods that a path must not have from a path with a parameter. */
    complete(): void {
      for (const { method, route } of replacing) {
        const first = firstRoute(method, route.path);
        if (first === undefined) throw new Error(`${method} ${route.path} replaces nothing`);
        replaced.set(first, route);
      }
      for (const { path, methods } of addresses.hidden()) on(path, methods, undefined);
    },

    /** Gives a request its route and its parameters; without a route it has the pattern of its path, if that is known. */
    find(request: HttpRequest): void {
      const match = routes.find(request.method as HTTPMethod, request.url);
      const route: Route | null | undefined = match?.store;
      if (match === null || route === null || route === undefined) {
        request.pattern = addresses.find(pathOf(request.raw))?.path;
        return;
      }
      request.form = formOf(request.headers['x-weavy-source']);
      request.route = request.form === undefined ? route : (replaced.get(route) ?? route);
      request.pattern = route.path;
      request.params = match.params as PathParams;
    },

    /** The operation that a request without a route is meant for, as far as its path tells. */
    operationMeant: ({ raw, method }: HttpRequest) => addresses.find(pathOf(raw))?.operations.get(method),

    /** Whether a page, and not an operation, is at a path. */
    hasPage(path: string): boolean {
      const route: Route | undefined = routes.find('GET', path)?.store;
      return route !== undefined && route.operation === undefined;
    },

    /** What is at the path of a request that has no route; throws a 404 where nothing is. */
    addressOf({ raw, method }: HttpRequest): Address {
      const path = pathOf(raw);
      const address = addresses.find(path);
      if (!isDecodable(path) && address?.operations.get(method)?.errors.includes(404) === false)
        throw new Problem('malformed_request', 'The path cannot be decoded.');
      if (address === undefined || !isDecodable(path)) throw unknownPath();
      return address;
    },
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}
