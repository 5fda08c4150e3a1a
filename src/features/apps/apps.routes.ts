import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Apps } from './apps.ts';

/** Binds the operations of apps. */
export function bindApps(http: Http, apps: Apps): void {
  http.bind(operations.createApp, ({ principal, body }) => apps.createApp(principal, body));
  http.bind(operations.getApp, ({ principal, params, query }) => apps.getApp(principal, params.app, query));
  http.bind(operations.updateApp, ({ principal, params, body }) =>
    apps.updateApp(principal, params.app, body),
  );
  http.bind(operations.upsertApp, async ({ principal, params, body }) => {
    const { isNew, body: app } = await apps.upsertApp(principal, params.app, body);
    return { status: isNew ? 201 : 200, body: app };
  });
  http.bind(operations.listApps, ({ principal, list, query }) => apps.listApps(principal, list, query));
  http.bind(operations.trashApp, ({ principal, params }) => apps.trashApp(principal, params.app));
  http.bind(operations.restoreApp, ({ principal, params }) => apps.restoreApp(principal, params.app));
  http.bind(operations.subscribeApp, ({ principal, params }) => apps.subscribe(principal, params.app));
  http.bind(operations.unsubscribeApp, ({ principal, params }) => apps.unsubscribe(principal, params.app));
}
