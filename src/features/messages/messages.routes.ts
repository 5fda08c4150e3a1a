import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Messages } from './messages.ts';

/** Binds the operations of messages. */
export function bindMessages(http: Http, messages: Messages): void {
  http.bind(operations.createMessage, ({ principal, params, body }) =>
    messages.createMessage(principal, params.app, body),
  );
  http.bind(operations.listAppMessages, ({ principal, params, list }) =>
    messages.listAppMessages(principal, params.app, list),
  );
  http.bind(operations.listMessages, ({ principal, list }) => messages.listMessages(principal, list));
  http.bind(operations.getMessage, ({ principal, params, query }) =>
    messages.getMessage(principal, params.id, query),
  );
  http.bind(operations.updateMessage, ({ principal, params, body }) =>
    messages.updateMessage(principal, params.id, body),
  );
  http.bind(operations.trashMessage, ({ principal, params }) => messages.trashMessage(principal, params.id));
  http.bind(operations.restoreMessage, ({ principal, params }) =>
    messages.restoreMessage(principal, params.id),
  );
  http.bind(operations.deleteMessage, ({ principal, params }) =>
    messages.deleteMessage(principal, params.id),
  );
  http.bind(operations.listMessageAttachments, ({ principal, params, list }) =>
    messages.listMessageAttachments(principal, params.id, list),
  );
}
