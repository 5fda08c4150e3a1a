import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Posts } from './posts.ts';

/** Binds the operations of posts. */
export function bindPosts(http: Http, posts: Posts): void {
  http.bind(operations.createPost, ({ principal, params, body }) =>
    posts.createInApp(principal, params.app, body),
  );
  http.bind(operations.listAppPosts, ({ principal, params, list }) =>
    posts.listOfApp(principal, params.app, list),
  );
  http.bind(operations.listPosts, ({ principal, list }) => posts.list(principal, list));
  http.bind(operations.getPost, ({ principal, params, query }) => posts.get(principal, params.id, query));
  http.bind(operations.updatePost, ({ principal, params, body }) => posts.update(principal, params.id, body));
  http.bind(operations.trashPost, ({ principal, params }) => posts.trash(principal, params.id));
  http.bind(operations.restorePost, ({ principal, params }) => posts.restore(principal, params.id));
  http.bind(operations.subscribePost, ({ principal, params }) => posts.subscribe(principal, params.id));
  http.bind(operations.unsubscribePost, ({ principal, params }) => posts.unsubscribe(principal, params.id));
  http.bind(operations.deletePost, ({ principal, params }) => posts.delete(principal, params.id));
  http.bind(operations.listPostAttachments, ({ principal, params, list }) =>
    posts.listAttachments(principal, params.id, list),
  );
}
