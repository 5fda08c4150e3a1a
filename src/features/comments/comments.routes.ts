import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Comments } from './comments.ts';

/** Binds the operations of comments. */
export function bindComments(http: Http, comments: Comments): void {
  http.bind(operations.createAppComment, ({ principal, params, body }) =>
    comments.createInApp(principal, params.app, body),
  );
  http.bind(operations.createFileComment, ({ principal, params, body }) =>
    comments.createFileComment(principal, params.id, body),
  );
  http.bind(operations.createPostComment, ({ principal, params, body }) =>
    comments.createPostComment(principal, params.id, body),
  );
  http.bind(operations.getComment, ({ principal, params, query }) =>
    comments.get(principal, params.id, query),
  );
  http.bind(operations.updateComment, ({ principal, params, body }) =>
    comments.update(principal, params.id, body),
  );
  http.bind(operations.listComments, ({ principal, list }) => comments.list(principal, list));
  http.bind(operations.listAppComments, ({ principal, params, list }) =>
    comments.listOfApp(principal, params.app, list),
  );
  http.bind(operations.listFileComments, ({ principal, params, list }) =>
    comments.listFileComments(principal, params.id, list),
  );
  http.bind(operations.listPostComments, ({ principal, params, list }) =>
    comments.listPostComments(principal, params.id, list),
  );
  http.bind(operations.trashComment, ({ principal, params }) => comments.trash(principal, params.id));
  http.bind(operations.restoreComment, ({ principal, params }) => comments.restore(principal, params.id));
  http.bind(operations.deleteComment, ({ principal, params }) => comments.delete(principal, params.id));
  http.bind(operations.listCommentAttachments, ({ principal, params, list }) =>
    comments.listAttachments(principal, params.id, list),
  );
}
