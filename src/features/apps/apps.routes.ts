import { operations } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Call, Http } from '../../http/server.ts';
import type { Json } from '../../kernel/json.ts';
import { isReferenceClient } from '../../kernel/reference-client.ts';
import type { AppDeletion } from './app-deletion.ts';
import type { AppInitiation } from './app-init.ts';
import { withTypeGuid } from './app-json.ts';
import type { Apps } from './apps.ts';

/** An app in the words of the client that asks for it. */
function toClient({ headers }: Call<Operation>['raw'], app: Json): Json {
  return isReferenceClient(headers['x-weavy-source']) ? withTypeGuid(app) : app;
}

/** Binds the operations on apps that reach into what else there is: people, members and content. */
export function bindAppLife(
  http: Http,
  { initiation, deletion }: { initiation: AppInitiation; deletion: AppDeletion },
): void {
  http.bind(operations.initApp, ({ principal, body }) => initiation.initApp(principal, body));
  http.bind(operations.deleteApp, ({ principal, params }) => deletion.deleteApp(principal, params.app));
}

/** Binds the operations of apps. */
export function bindApps(http: Http, apps: Apps): void {
  http.bind(operations.createApp, async ({ principal, body, raw }) =>
    toClient(raw, await apps.createApp(principal, body)),
  );
  http.bind(operations.getApp, async ({ principal, params, query, raw }) =>
    toClient(raw, await apps.getApp(principal, params.app, query)),
  );
  http.bind(operations.updateApp, async ({ principal, params, body, raw }) =>
    toClient(raw, await apps.updateApp(principal, params.app, body)),
  );
  http.bind(operations.upsertApp, async ({ principal, params, query, body, raw }) => {
    const opensPage =
      query.page ?? (principal.kind === 'token' && isReferenceClient(raw.headers['x-weavy-source']));
    const { isNew, body: app } = await apps.upsertApp(principal, params.app, body, { opensPage });
    return { status: isNew ? 201 : 200, body: toClient(raw, app) };
  });
  http.bind(operations.listApps, ({ principal, list, query }) => apps.listApps(principal, list, query));
  http.bind(operations.trashApp, ({ principal, params }) => apps.trashApp(principal, params.app));
  http.bind(operations.restoreApp, ({ principal, params }) => apps.restoreApp(principal, params.app));
  http.bind(operations.subscribeApp, ({ principal, params }) => apps.subscribe(principal, params.app));
  http.bind(operations.unsubscribeApp, ({ principal, params }) => apps.unsubscribe(principal, params.app));
}
