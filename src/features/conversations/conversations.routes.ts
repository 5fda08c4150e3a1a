import { operations } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Call, Http } from '../../http/server.ts';
import { isReferenceClient } from '../../kernel/reference-client.ts';
import type { Conversations, Reader } from './conversations.ts';

function readerOf({ principal, raw }: Pick<Call<Operation>, 'principal' | 'raw'>): Reader {
  return { principal, hasGuids: isReferenceClient(raw.headers['x-weavy-source']) };
}

/** Binds the operations of conversations. */
export function bindConversations(http: Http, conversations: Conversations): void {
  http.bind(operations.createConversation, (call) =>
    conversations.createConversation(readerOf(call), call.body),
  );
  http.bind(operations.listConversations, (call) =>
    conversations.listConversations(readerOf(call), call.list, call.query),
  );
  http.bind(operations.getBadge, (call) => conversations.getBadge(readerOf(call)));
  http.bind(operations.getConversation, (call) =>
    conversations.getConversation(readerOf(call), call.params.id, call.query),
  );
  http.bind(operations.setDelivered, (call) => conversations.setDelivered(readerOf(call), call.params.id));
  http.bind(operations.markConversation, (call) =>
    conversations.markConversation(readerOf(call), call.params.id, call.query),
  );
  http.bind(operations.unmarkConversation, (call) =>
    conversations.unmarkConversation(readerOf(call), call.params.id),
  );
  http.bind(operations.pinConversation, (call) =>
    conversations.pinConversation(readerOf(call), call.params.id),
  );
  http.bind(operations.unpinConversation, (call) =>
    conversations.unpinConversation(readerOf(call), call.params.id),
  );
}
