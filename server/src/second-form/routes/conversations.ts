import { notFound } from 'confab-contract/problem.ts';
import { secondFormAppOperations } from 'confab-contract/second-form/apps.ts';
import { type AppView, asWritable, type ReadableApp } from '../../access/access.ts';
import { asRemovable } from '../../access/app-access.ts';
import { isLocked } from '../../access/locks.ts';
import { handler } from '../../binding/handler.ts';
import { chatTypes } from '../../features/apps/app-types.ts';
import type { ViewParts } from '../../features/conversations/conversation-view.ts';
import { markUpTo, removeMark } from '../../features/conversations/mark.ts';
import { setPinned } from '../../features/conversations/pin.ts';
import { removeListed } from '../../features/members/remove.ts';
import type { TypingNotices } from '../../features/typing/type.ts';
import type { PeopleSetting } from '../../kernel/principal.ts';
import { appView } from './app-view.ts';

/** Whether the caller has a state of their own in an app: a chat that they are a member of. */
function hasState(app: AppView): boolean {
  return app.memberAccess !== null && chatTypes.includes(app.type);
}

/** Marks a chat as read up to a message, the newest by default. */
export const markApp = handler(secondFormAppOperations.markApp, async (call) => {
  if (hasState(call.on)) await markUpTo(call, call.query);
  return undefined;
});

/** The same at the address of a conversation. Throws `not_found` for an app that is no chat. */
export const markConversationInSecondForm = handler(
  secondFormAppOperations.markConversationInSecondForm,
  async (call, parts: ViewParts) => {
    if (!chatTypes.includes(call.on.type)) throw notFound('conversation');
    if (hasState(call.on)) await markUpTo(call, call.query);
    return await appView(call, call.on, parts);
  },
);

/** Removes the caller's mark, so that the whole chat is unread. */
export const unmarkApp = handler(secondFormAppOperations.unmarkApp, async (call) => {
  if (hasState(call.on)) await removeMark(call);
  return undefined;
});

/** Pins a chat for the caller. */
export const pinApp = handler(secondFormAppOperations.pinApp, async (call) => {
  if (hasState(call.on)) await setPinned(call, true);
  return undefined;
});

/** Removes the caller's pin. */
export const unpinApp = handler(secondFormAppOperations.unpinApp, async (call) => {
  if (hasState(call.on)) await setPinned(call, false);
  return undefined;
});

/** Shows that the caller is writing a message in a chat. */
export const typeInApp = handler(
  secondFormAppOperations.typeInApp,
  async ({ caller, on, at }, { typing }: TypingNotices) => {
    if (!chatTypes.includes(on.type) || on.level === 'read' || isLocked(on, at)) return undefined;
    const app = asWritable(on satisfies ReadableApp);
    typing.announce({ caller, app, place: { id: app.id, type: 'app' }, what: 'message' });
    return undefined;
  },
);

/** Ends the membership of the caller. */
export const leaveApp = handler(
  secondFormAppOperations.leaveApp,
  async (call, { people }: { people: PeopleSetting }) => {
    await removeListed({ ...call, people }, asRemovable(call, [String(call.caller.user.id)]));
    return undefined;
  },
);
