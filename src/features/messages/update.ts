import { resolverOf } from '../../access/targets.ts';
import { handler } from '../../binding/handler.ts';
import { messageOperations } from '../../contract/messages.ts';
import { screenedEdit } from '../entries/screening.ts';
import { editEntry } from '../entries/update.ts';

/** Changes a message. */
export const updateMessage = handler(
  messageOperations.updateMessage,
  screenedEdit('message', resolverOf(messageOperations.updateMessage.on)),
  editEntry,
);
