import { typingOperations } from 'confab-contract/typing.ts';
import type { WritableApp } from '../../access/access.ts';
import { handler } from '../../binding/handler.ts';
import type { Principal } from '../../kernel/principal.ts';
import { approvalFor } from '../moderation/approvals.ts';

/**
 * Typing notices show the other users in an app that the caller is writing. They are not stored. A user who may not
 * write in a place cannot be shown as writing there.
 */

/** The start of a typing notice: the caller, the place, and the kind of text that the caller writes there. */
export type TypingActivity = {
  readonly caller: Principal;
  readonly app: WritableApp;
  readonly place: { readonly id: number; readonly type: 'app' | 'file' | 'post' };
  readonly what: 'message' | 'post' | 'comment';
};

/** The part of the server that notifies the live connections of the other users. */
export type TypingNotices = { readonly typing: { announce(writing: TypingActivity): void } };

/** Shows that the caller is writing a message in a chat. */
export const typeMessage = handler(
  typingOperations.typeMessage,
  async ({ caller, on: app }, { typing }: TypingNotices) => {
    typing.announce({ caller, app, place: { id: app.id, type: 'app' }, what: 'message' });
    return undefined;
  },
);

/** Shows that the caller is writing a post. */
export const typePost = handler(
  typingOperations.typePost,
  async ({ caller, on: app }, { typing }: TypingNotices) => {
    typing.announce({ caller, app, place: { id: app.id, type: 'app' }, what: 'post' });
    return undefined;
  },
);

/** Shows that the caller is writing a comment on a file. */
export const typeFileComment = handler(
  typingOperations.typeFileComment,
  async ({ caller, on: { app }, params }, { typing }: TypingNotices) => {
    typing.announce({ caller, app, place: { id: params.id, type: 'file' }, what: 'comment' });
    return undefined;
  },
);

/** Shows that the caller is writing a comment on a post. */
export const typePostComment = handler(
  typingOperations.typePostComment,
  async ({ caller, on: { app }, params }, { typing }: TypingNotices) => {
    typing.announce({ caller, app, place: { id: params.id, type: 'post' }, what: 'comment' });
    return undefined;
  },
);

/**
 * Shows that the caller is writing a comment in an app. What they write may be held for approval, and a name says as much
 * as a comment, so then nobody is told.
 */
export const typeComment = handler(
  typingOperations.typeComment,
  async ({ read, caller, on: app }, { typing }: TypingNotices) => {
    if ((await approvalFor(read, caller, app)) !== undefined) return undefined;
    typing.announce({ caller, app, place: { id: app.id, type: 'app' }, what: 'comment' });
    return undefined;
  },
);

/** Shows that the caller is writing a message in a conversation. */
export const typeConversation = handler(
  typingOperations.typeConversation,
  async ({ caller, on: app }, { typing }: TypingNotices) => {
    typing.announce({ caller, app, place: { id: app.id, type: 'app' }, what: 'message' });
    return undefined;
  },
);
