import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Posts } from './posts.ts';

/** Binds the operations of posts. */
export function bindPosts(http: Http, posts: Posts): void {
  http.bind(operations.createPost, ({ principal, params, body }) =>
    posts.createPost(principal, params.app, body),
  );
  http.bind(operations.listAppPosts, ({ principal, params, list }) =>
    posts.listAppPosts(principal, params.app, list),
  );
  http.bind(operations.listPosts, ({ principal, list }) => posts.listPosts(principal, list));
  http.bind(operations.getPost, ({ principal, params, query }) => posts.getPost(principal, params.id, query));
  http.bind(operations.updatePost, ({ principal, params, body }) =>
    posts.updatePost(principal, params.id, body),
  );
  http.bind(operations.trashPost, ({ principal, params }) => posts.trashPost(principal, params.id));
  http.bind(operations.restorePost, ({ principal, params }) => posts.restorePost(principal, params.id));
  http.bind(operations.subscribePost, ({ principal, params }) => posts.subscribePost(principal, params.id));
  http.bind(operations.unsubscribePost, ({ principal, params }) =>
    posts.unsubscribePost(principal, params.id),
  );
  http.bind(operations.deletePost, ({ principal, params }) => posts.deletePost(principal, params.id));
  http.bind(operations.listPostAttachments, ({ principal, params, list }) =>
    posts.listPostAttachments(principal, params.id, list),
  );
}
