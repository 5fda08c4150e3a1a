import { handler } from '../../binding/handler.ts';
import { messageOperations } from '../../contract/messages.ts';
import { prepareEdit } from '../entries/entry-body.ts';
import { editEntry } from '../entries/update.ts';

/** Changes a message. */
export const updateMessage = handler(messageOperations.updateMessage, prepareEdit, editEntry);
