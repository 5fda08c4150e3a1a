import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Members } from './members.ts';

/** Binds the operations of members. */
export function bindMembers(http: Http, members: Members): void {
  http.bind(operations.addMember, ({ principal, params, body }) =>
    members.addMember(principal, params.app, params.user, body),
  );
  http.bind(operations.addMembers, ({ principal, params, body }) =>
    members.addMembers(principal, params.app, body),
  );
  http.bind(operations.listMembers, ({ principal, params, list, query }) =>
    members.listMembers(principal, params.app, list, query),
  );
  http.bind(operations.removeMember, ({ principal, params }) =>
    members.removeMember(principal, params.app, params.user),
  );
  http.bind(operations.removeMembers, ({ principal, params, body }) =>
    members.removeMembers(principal, params.app, body),
  );
}
