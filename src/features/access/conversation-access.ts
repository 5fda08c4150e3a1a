import { notFound } from '../../kernel/problem.ts';
import { findApp, type ReadableApp } from './access.ts';
import { appTypesHolding } from './app-content.ts';
import type { Look } from './look.ts';

declare const conversation: unique symbol;

/** A conversation that the caller may see: an app for messages, of which the caller is a member or has an API key. */
export type ReadableConversation = ReadableApp & { readonly [conversation]: true };

const types: readonly string[] = appTypesHolding.message;

/** The rights on conversations; each throws `not_found`. */
export const conversationAccess = {
  async read({ read, caller, ref, isTrashedIncluded }: Look): Promise<ReadableConversation> {
    const app = await findApp(read, caller, ref);
    if (app === undefined || app.level === 'none' || !types.includes(app.type))
      throw notFound('conversation');
    if (app.memberAccess === null && caller.kind === 'token') throw notFound('conversation');
    if (app.trashedAt !== null && !isTrashedIncluded) throw notFound('conversation');
    return app as ReadableConversation;
  },
};
