import { handler } from '../../binding/handler.ts';
import { messageOperations } from '../../contract/messages.ts';
import { deleteEntry } from '../entries/delete.ts';

/** Deletes a message permanently. */
export const deleteMessage = handler(messageOperations.deleteMessage, deleteEntry);
