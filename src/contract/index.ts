import { appOperations } from './apps.ts';
import { commentOperations } from './comments.ts';
import { memberOperations } from './members.ts';
import type { Operation } from './operation.ts';

/** Every operation of the interface. */
export const operations = {
  ...appOperations,
  ...memberOperations,
  ...commentOperations,
};

/** Every operation as a list, in the order of the reference. */
export const operationList: readonly Operation[] = Object.values(operations);
