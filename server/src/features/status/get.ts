import { type Status, statusOperations } from 'confab-contract/status.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';

/** The status is how a node is and what it did lately, for whoever watches over the server. */

/** The part of the server that knows how the node is. */
export type StatusParts = { readonly readStatus: () => Promise<Status> };

/** How the node is that answers. */
export const getStatus = handler(statusOperations.getStatus, async (_call, { readStatus }: StatusParts) =>
  json(JSON.stringify(await readStatus())),
);
