import { handler } from '../../binding/handler.ts';
import { messageOperations } from '../../contract/messages.ts';
import { restoreEntry, trashEntry } from '../entries/trash.ts';

/** Puts a message in the trash. */
export const trashMessage = handler(messageOperations.trashMessage, trashEntry);

/** Takes a message out of the trash. */
export const restoreMessage = handler(messageOperations.restoreMessage, restoreEntry);
