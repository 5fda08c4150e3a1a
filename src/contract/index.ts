import { appOperations } from './apps.ts';
import { blobOperations } from './blobs.ts';
import { commentOperations } from './comments.ts';
import { directoryOperations } from './directories.ts';
import { fileOperations } from './files.ts';
import { memberOperations } from './members.ts';
import type { Operation } from './operation.ts';
import { postOperations } from './posts.ts';
import { tokenOperations } from './tokens.ts';
import { userOperations } from './users.ts';
import { webhookOperations } from './webhooks.ts';

/** Every operation of the interface. */
export const operations = {
  ...appOperations,
  ...memberOperations,
  ...commentOperations,
  ...blobOperations,
  ...fileOperations,
  ...postOperations,
  ...userOperations,
  ...tokenOperations,
  ...directoryOperations,
  ...webhookOperations,
};

/** Every operation as a list, in the order of the reference. */
export const operationList: readonly Operation[] = Object.values(operations);
