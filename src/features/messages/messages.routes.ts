import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Messages } from './messages.ts';

/** Binds the operations of messages. */
export function bindMessages(http: Http, messages: Messages): void {
  http.bind(operations.createMessage, ({ principal, params, body }) =>
    messages.createInApp(principal, params.app, body),
  );
  http.bind(operations.listAppMessages, ({ principal, params, list }) =>
    messages.listOfApp(principal, params.app, list),
  );
  http.bind(operations.listMessages, ({ principal, list }) => messages.list(principal, list));
  http.bind(operations.getMessage, ({ principal, params, query }) =>
    messages.get(principal, params.id, query),
  );
  http.bind(operations.updateMessage, ({ principal, params, body }) =>
    messages.update(principal, params.id, body),
  );
  http.bind(operations.trashMessage, ({ principal, params }) => messages.trash(principal, params.id));
  http.bind(operations.restoreMessage, ({ principal, params }) => messages.restore(principal, params.id));
  http.bind(operations.deleteMessage, ({ principal, params }) => messages.delete(principal, params.id));
  http.bind(operations.listMessageAttachments, ({ principal, params, list }) =>
    messages.listAttachments(principal, params.id, list),
  );
}
