import { handler } from '../../binding/handler.ts';
import { messageOperations } from '../../contract/messages.ts';
import { getEntry } from '../entries/get.ts';

/** One message. */
export const getMessage = handler(messageOperations.getMessage, getEntry);
