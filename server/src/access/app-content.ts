import type { AppType } from 'confab-contract/apps.ts';
import type { Content } from 'confab-contract/policy.ts';
import { invalidField } from 'confab-contract/problem.ts';
import type { WritableApp } from './access.ts';

/** The types of apps that can hold each kind of content. */
export const appTypesHolding: { readonly [C in Content]: readonly AppType[] } = {
  comment: ['comments'],
  post: ['posts'],
  message: ['chat', 'chat_room', 'private_chat', 'agent_chat'],
  file: ['files'],
};

/** Throws `validation_failed` (fault `app_type`) when the type of the app cannot hold the content. */
export function assertHolds(app: WritableApp, content: Content): void {
  const types: readonly string[] = appTypesHolding[content];
  if (types.includes(app.type)) return;
  throw invalidField('', 'app_type', `cannot be a ${content} in an app of type ${app.type}`);
}
