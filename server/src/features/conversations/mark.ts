import { conversationOperations } from 'confab-contract/conversations.ts';
import { Problem } from 'confab-contract/problem.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { membershipOf, recordStateChange, type StateChange } from './conversation-changes.ts';
import type { ConversationState } from './conversation-json.ts';
import { readConversation, readerOf, type ViewParts } from './conversation-view.ts';
import { clearMark, messageInApp, moveMark, statesOf } from './conversations.store.ts';

/** Marks a conversation as read up to a message, the newest by default. A mark never moves back. */
export const markConversation = handler(
  conversationOperations.markConversation,
  async (call, parts: ViewParts) => {
    const view = await readConversation(readerOf(call, parts), call.on);
    const id = await messageToMark(call, call.query, view.state);
    return (await moveMarkTo(call, id)) ? view.render({ markedId: id, markedAt: call.at }) : view.render();
  },
);

/** Marks a conversation as read up to the message that a query names, the newest by default. Throws `validation_failed`. */
export async function markUpTo(change: StateChange, query: MarkQuery): Promise<void> {
  const { tx, caller, on } = change;
  const [state] =
    query.message_id === undefined ? await tx.all(statesOf, { userId: caller.user.id, ids: [on.id] }) : [];
  await moveMarkTo(
    change,
    await messageToMark(change, query, { lastMessageId: state?.lastMessageId ?? null }),
  );
}

/** The message up to which the caller has read. */
type MarkQuery = { readonly message_id?: number };

/** Moves the mark of the caller to a message, if there is one; returns whether it moved. */
async function moveMarkTo(change: StateChange, id: number | null): Promise<boolean> {
  if (id === null) return false;
  const { tx, at } = change;
  if ((await tx.changed(moveMark, { ...membershipOf(change), id, at })) === 0) return false;
  await recordStateChange(change, {
    action: 'conversation_marked',
    extra: { marked_at: json(`"${timestamp(at)}"`), marked_id: json(String(id)) },
  });
  return true;
}

/** The message to mark, null for the newest where there is none; throws `validation_failed` for one of another app. */
async function messageToMark(
  { tx, on }: StateChange,
  { message_id: id }: MarkQuery,
  { lastMessageId }: Pick<ConversationState, 'lastMessageId'>,
): Promise<number | null> {
  if (id === undefined) return lastMessageId;
  if ((await tx.get(messageInApp, { appId: on.id, id })) !== undefined) return id;
  throw new Problem('validation_failed', 'message_id names no message of this conversation.', {
    errors: [
      { parameter: 'message_id', code: 'not_found', message: 'names no message of this conversation' },
    ],
  });
}

/** Removes the mark of the caller; returns whether there was one. */
export async function removeMark(change: StateChange): Promise<boolean> {
  if ((await change.tx.changed(clearMark, membershipOf(change))) === 0) return false;
  await recordStateChange(change, { action: 'conversation_marked' });
  return true;
}

/** Removes the caller's mark, so that the whole conversation is unread. */
export const unmarkConversation = handler(
  conversationOperations.unmarkConversation,
  async (call, parts: ViewParts) => {
    const view = await readConversation(readerOf(call, parts), call.on);
    const isChanged = await removeMark(call);
    return view.render(isChanged ? { markedId: null, markedAt: null, wroteId: null } : {});
  },
);
