import { handler } from '../../binding/handler.ts';
import { messageOperations } from '../../contract/messages.ts';
import type { Links } from '../entries/entries.ts';
import { holdEntry } from '../entries/hold.ts';
import { restoreEntry } from '../entries/trash.ts';

/** Holds a message. */
export const holdMessage = handler(messageOperations.holdMessage, async (call, parts: Links) =>
  holdEntry(call, parts),
);

/** Approves a message that is held. */
export const approveMessage = handler(messageOperations.approveMessage, restoreEntry);
