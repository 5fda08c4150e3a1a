import { operationList } from '../index.ts';
import type { Operation } from '../operation.ts';
import { agentChatOperations, agentOperations } from './agents.ts';
import { secondFormAppOperations } from './apps.ts';
import { secondFormConfigurationOperations } from './configuration.ts';
import { secondFormEmbedOperations } from './embeds.ts';
import { secondFormFileOperations } from './files.ts';
import { secondFormMeetingOperations } from './meetings.ts';
import { secondFormMemberOperations } from './members.ts';
import { secondFormNotificationOperations } from './notifications.ts';
import { secondFormPostOperations } from './posts.ts';
import { secondFormUserOperations } from './users.ts';

/**
 * The operations that exist only for the second form of the interface, which newer versions of the reference client expect
 * (decision 0180). One with `replaces` takes the place of the operation of the first form with its method and path; the
 * others are at addresses that the first form does not have. They are in a document of their own.
 */
export const secondFormOperations = {
  ...secondFormUserOperations,
  ...secondFormConfigurationOperations,
  ...secondFormAppOperations,
  ...secondFormMemberOperations,
  ...secondFormPostOperations,
  ...secondFormFileOperations,
  ...secondFormNotificationOperations,
  ...agentOperations,
  ...agentChatOperations,
  ...secondFormEmbedOperations,
  ...secondFormMeetingOperations,
} as const;

/** The same as a list, in the order of the reference. */
export const secondFormOperationList: readonly Operation[] = Object.values(secondFormOperations);

const addressOf = ({ method, path }: Operation) => `${method} ${path}`;

/** All operations as a request of the second form finds them: those of the first, those that replace some, and the others. */
export function operationsInSecondForm(): readonly Operation[] {
  const replacing = new Map(
    secondFormOperationList
      .filter(({ replaces }) => replaces === true)
      .map((each) => [addressOf(each), each]),
  );
  const added = secondFormOperationList.filter(({ replaces }) => replaces !== true);
  return [...operationList.map((each) => replacing.get(addressOf(each)) ?? each), ...added];
}
