import { randomUUID } from 'node:crypto';
import type { AppType, AppTypeGuid } from 'confab-contract/apps.ts';
import { invalidField } from 'confab-contract/problem.ts';
import { appTypesHolding } from '../../access/app-content.ts';

/** Every type of app, with the guid that existing clients use and whether it belongs to a place in the host product. */
const appTypes: {
  readonly [T in AppType]: { readonly guid: AppTypeGuid; readonly isContextual: boolean };
} = {
  chat: { guid: 'd65dd4bc-418e-403c-9f56-f9cf4da931ed', isContextual: true },
  comments: { guid: '88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd', isContextual: true },
  files: { guid: '523edd88-4bbf-4547-b60f-2859a6d2ddc1', isContextual: true },
  posts: { guid: '5ebfa152-de85-48da-82dd-30a1b560c313', isContextual: true },
  chat_room: { guid: 'edb400ac-839b-45a7-b2a8-6a01820d1c44', isContextual: false },
  private_chat: { guid: '7e14f418-8f15-46f4-b182-f619b671e470', isContextual: false },
  agent_chat: { guid: '2352a1c6-abc6-420e-8b85-ca7d5aed8779', isContextual: false },
};

/** The types that hold messages: the conversations of their members. */
export const chatTypes: readonly string[] = appTypesHolding.message;

const names = Object.keys(appTypes) as AppType[];
const chosen = names.filter((name) => name !== 'agent_chat');

/** The type with this name, in any case, or this guid; undefined when there is none. */
export function findAppType(text: string): AppType | undefined {
  const folded = text.toLowerCase();
  return names.find((name) => name === folded || appTypes[name].guid === folded);
}

/**
 * Reads the `type` field of a body; throws `validation_failed`. An agent chat is no type to choose, because it needs an
 * agent: `openAgentChat` makes it.
 */
export function readAppType(text: string): AppType {
  const type = findAppType(text);
  if (type === undefined || type === 'agent_chat')
    throw invalidField('/type', 'unknown', `must be one of ${chosen.join(', ')}`);
  return type;
}

/** The types that are contextual, or those that are not. */
export function typesByContext(isContextual: boolean): AppType[] {
  return names.filter((name) => appTypes[name].isContextual === isContextual);
}

/** Whether apps of a type belong to a place in the host product. */
export function isContextual(type: string): boolean {
  return appTypes[type as AppType].isContextual;
}

/** The guid of a type, which the reference client uses instead of the name. */
export function guidOf(type: string): string {
  return appTypes[type as AppType].guid;
}

/** A uid for an app created without one. */
export function generateUid(type: AppType): string {
  return `${type}:${randomUUID()}`;
}
