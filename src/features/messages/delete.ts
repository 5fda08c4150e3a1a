import { handler } from '../../binding/handler.ts';
import { messageOperations } from '../../contract/messages.ts';
import { deleteEntry } from '../entries/delete.ts';
import type { Links } from '../entries/entries.ts';
import { findLastMessage } from './messages.store.ts';

/** Deletes a message permanently. */
export const deleteMessage = handler(messageOperations.deleteMessage, async (call, parts: Links) => {
  await deleteEntry(call, parts);
  await call.tx.run(findLastMessage, { appId: call.on.app.id });
  return undefined;
});
