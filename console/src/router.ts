import { createStore, useStore } from './store.ts';

/** The address of the page: each view has one, and what a list is filtered by stands in its query. */

/** The address below `/console`: `path` begins with a slash. */
export type Place = { readonly path: string; readonly query: URLSearchParams };

const root = '/console';

function placeNow(): Place {
  const { pathname, search } = window.location;
  const path = pathname.slice(root.length).replace(/\/+$/, '');
  return { path: path === '' ? '/' : path, query: new URLSearchParams(search) };
}

const place = createStore<Place>(placeNow());
window.addEventListener('popstate', () => place.set(placeNow()));

/** The address of the page, in a component. */
export function usePlace(): Place {
  return useStore(place);
}

/** The address of a link to a path of the console, such as `/apps/7`. */
export function hrefOf(path: string): string {
  return path === '/' ? root : root + path;
}

/** Goes to a path of the console. `isReplaced` leaves no entry in the history. */
export function navigate(path: string, { isReplaced = false } = {}): void {
  if (isReplaced) history.replaceState(null, '', hrefOf(path));
  else history.pushState(null, '', hrefOf(path));
  place.set(placeNow());
}

/** Sets parameters of the query without an entry in the history; an empty value takes one out. */
export function setQuery(changes: { readonly [name: string]: string | undefined }): void {
  const { path, query } = place.get();
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  const text = next.toString();
  navigate(text === '' ? path : `${path}?${text}`, { isReplaced: true });
}

/** The parameters of an address, such as `app` of `/apps/:app`. */
export type Params = { readonly [name: string]: string };

/** The parameters of a path by a pattern such as `/apps/:app`; undefined when it does not fit. */
export function match(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  if (wanted.length !== parts.length) return undefined;
  const params: { [name: string]: string } = {};
  for (const [index, name] of wanted.entries()) {
    const part = parts[index] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = decoded(part);
    else if (name !== part) return undefined;
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
