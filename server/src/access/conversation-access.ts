import { notFound } from 'confab-contract/problem.ts';
import { asWritable, findApp, type ReadableApp, type WritableApp } from './access.ts';
import { appTypesHolding } from './app-content.ts';
import { assertUnlocked } from './locks.ts';
import type { Lookup, TimedLookup } from './lookup.ts';

declare const conversation: unique symbol;

/** A conversation that the caller may see: an app for messages, of which the caller is a member or has an API key. */
export type ReadableConversation = ReadableApp & { readonly [conversation]: true };

/** A conversation that the caller may write in. */
export type WritableConversation = ReadableConversation & WritableApp;

const types: readonly string[] = appTypesHolding.message;

async function read({ read: store, caller, ref, isTrashedIncluded }: Lookup): Promise<ReadableConversation> {
  const app = await findApp(store, caller, ref);
  if (app === undefined || app.level === 'none' || !types.includes(app.type)) throw notFound('conversation');
  if (app.memberAccess === null && caller.kind === 'token') throw notFound('conversation');
  if (app.trashedAt !== null && !isTrashedIncluded) throw notFound('conversation');
  return app as ReadableConversation;
}

/** The rights on conversations; each throws `not_found`, and `write` throws `write_forbidden` and `locked`. */
export const conversationAccess = {
  read,
  async write(lookup: TimedLookup): Promise<WritableConversation> {
    const conversation = asWritable(await read(lookup)) as WritableConversation;
    assertUnlocked(conversation, lookup.at);
    return conversation;
  },
};
