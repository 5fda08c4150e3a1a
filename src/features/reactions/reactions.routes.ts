import { operations } from '../../contract/index.ts';
import type { Http } from '../../http/server.ts';
import type { Reactions } from './reactions.ts';

/** Binds the operations of reactions. */
export function bindReactions(http: Http, reactions: Reactions): void {
  const { addReaction, removeReaction, listReactions } = reactions;
  http.bind(operations.addCommentReaction, ({ principal, params, body }) =>
    addReaction(principal, { kind: 'comment' }, params.id, body),
  );
  http.bind(operations.removeCommentReaction, ({ principal, params }) =>
    removeReaction(principal, { kind: 'comment' }, params.id),
  );
  http.bind(operations.listCommentReactions, ({ principal, params, list, query }) =>
    listReactions(principal, { kind: 'comment' }, params.id, list, query),
  );
  http.bind(operations.addPostReaction, ({ principal, params, body }) =>
    addReaction(principal, { kind: 'post' }, params.id, body),
  );
  http.bind(operations.removePostReaction, ({ principal, params }) =>
    removeReaction(principal, { kind: 'post' }, params.id),
  );
  http.bind(operations.listPostReactions, ({ principal, params, list, query }) =>
    listReactions(principal, { kind: 'post' }, params.id, list, query),
  );
  http.bind(operations.addMessageReaction, ({ principal, params, body }) =>
    addReaction(principal, { kind: 'message' }, params.id, body),
  );
  http.bind(operations.removeMessageReaction, ({ principal, params }) =>
    removeReaction(principal, { kind: 'message' }, params.id),
  );
  http.bind(operations.listMessageReactions, ({ principal, params, list, query }) =>
    listReactions(principal, { kind: 'message' }, params.id, list, query),
  );
  http.bind(operations.getReaction, ({ principal, params }) => reactions.getReaction(principal, params.id));
  http.bind(operations.deleteReaction, ({ principal, params }) =>
    reactions.deleteReaction(principal, params.id),
  );
}
