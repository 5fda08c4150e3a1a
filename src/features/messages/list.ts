import { handler } from '../../binding/handler.ts';
import { messageOperations } from '../../contract/messages.ts';
import type { Links } from '../entries/entries.ts';
import { listEntriesIn } from '../entries/list.ts';

/** The messages of every app that the caller can see. */
export const listMessages = handler(messageOperations.listMessages, async (call, { links }: Links) =>
  listEntriesIn({ ...call, links }, 'message', { visible: call.on }),
);

/** The messages of an app. */
export const listAppMessages = handler(messageOperations.listAppMessages, async (call, { links }: Links) =>
  listEntriesIn({ ...call, links }, 'message', { app: call.on }),
);
