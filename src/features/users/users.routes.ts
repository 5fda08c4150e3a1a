import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import { type AnswerOrder, isReferenceClient } from '../../kernel/reference-client.ts';
import type { Users } from './users.ts';

/** Binds the operations of users. */
export function bindUsers(http: Http, users: Users, order: AnswerOrder): void {
  http.bind(operations.createUser, ({ principal, body }) => users.createUser(principal, body));
  http.bind(operations.listUsers, ({ principal, list, query }) => users.listUsers(principal, list, query));
  http.bind(operations.getUser, ({ params, query }) => users.getUser(params.user, query));
  http.bind(operations.updateUser, ({ principal, params, body }) =>
    users.updateUser(principal, params.user, body),
  );
  http.bind(operations.upsertUser, async ({ principal, params, body }) => {
    const { isNew, body: user } = await users.upsertUser(principal, params.user, body);
    return { status: isNew ? 201 : 200, body: user };
  });
  http.bind(operations.trashUser, ({ principal, params }) => users.trashUser(principal, params.user));
  http.bind(operations.restoreUser, ({ principal, params }) => users.restoreUser(principal, params.user));
  http.bind(operations.getCaller, async ({ principal, raw }) => {
    if (isReferenceClient(raw.headers['x-weavy-source'])) await order.afterFeatures(principal.user.id);
    return await users.getCaller(principal);
  });
  http.bind(operations.listDirectoryMembers, ({ principal, params, list, query }) =>
    users.listDirectoryMembers(principal, params.directory, list, query),
  );
}
