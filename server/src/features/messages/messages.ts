import { messageOperations } from 'confab-contract/messages.ts';
import { resolverOf } from '../../access/targets.ts';
import { handler } from '../../binding/handler.ts';
import { deleteEntry } from '../entries/delete.ts';
import type { Links } from '../entries/entries.ts';
import { getEntry } from '../entries/get.ts';
import { holdEntry } from '../entries/hold.ts';
import { listEntriesIn } from '../entries/list.ts';
import { screenedEdit } from '../entries/screening.ts';
import { restoreEntry, trashEntry } from '../entries/trash.ts';
import { editEntry } from '../entries/update.ts';

/**
 * Messages are the entries of chats, chat rooms and private chats. Here are the operations that do what entries of any kind
 * do.
 */

/** One message. */
export const getMessage = handler(messageOperations.getMessage, getEntry);

/** The messages of every app that the caller can see. */
export const listMessages = handler(messageOperations.listMessages, async (call, { links }: Links) =>
  listEntriesIn({ ...call, links }, 'message', { visible: call.on, authorId: call.query.author_id }),
);

/** The messages of an app. */
export const listAppMessages = handler(messageOperations.listAppMessages, async (call, { links }: Links) =>
  listEntriesIn({ ...call, links }, 'message', { app: call.on }),
);

/** Changes a message. */
export const updateMessage = handler(
  messageOperations.updateMessage,
  screenedEdit('message', resolverOf(messageOperations.updateMessage.on)),
  editEntry,
);

/** Puts a message in the trash. */
export const trashMessage = handler(messageOperations.trashMessage, trashEntry);

/** Takes a message out of the trash. */
export const restoreMessage = handler(messageOperations.restoreMessage, restoreEntry);

/** Holds a message. */
export const holdMessage = handler(messageOperations.holdMessage, async (call, parts: Links) =>
  holdEntry(call, parts),
);

/** Approves a message that is held. */
export const approveMessage = handler(messageOperations.approveMessage, restoreEntry);

/** Deletes a message permanently. */
export const deleteMessage = handler(messageOperations.deleteMessage, deleteEntry);
