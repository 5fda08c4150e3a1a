import { handler } from '../../binding/handler.ts';
import { messageOperations } from '../../contract/messages.ts';
import type { Links } from '../entries/entries.ts';
import { restoreEntry, trashEntry } from '../entries/trash.ts';
import { findLastMessage } from './messages.store.ts';

/** Puts a message in the trash. */
export const trashMessage = handler(messageOperations.trashMessage, async (call, parts: Links) => {
  const { detail, isChanged } = await trashEntry(call, parts);
  if (isChanged) await call.tx.run(findLastMessage, { appId: call.on.app.id });
  return detail;
});

/** Takes a message out of the trash. */
export const restoreMessage = handler(messageOperations.restoreMessage, async (call, parts: Links) => {
  const { detail, isChanged } = await restoreEntry(call, parts);
  if (isChanged) await call.tx.run(findLastMessage, { appId: call.on.app.id });
  return detail;
});
