import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Stars } from './stars.ts';

/** Binds the operations of stars. */
export function bindStars(http: Http, stars: Stars): void {
  http.bind(operations.starApp, ({ principal, params }) => stars.starApp(principal, params.app));
  http.bind(operations.unstarApp, ({ principal, params }) => stars.unstarApp(principal, params.app));
  http.bind(operations.listStars, ({ principal, list }) => stars.listStars(principal, list));
}
