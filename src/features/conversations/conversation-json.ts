import { visibleText } from '../../kernel/blank.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';
import type { AppView } from '../access/access.ts';
import { type AppExtras, renderApp } from '../apps/app-json.ts';
import { type MemberPage, renderMemberPage } from '../members/member-json.ts';

/** What a conversation is to one person. Times are Unix milliseconds. */
export type ConversationState = {
  readonly lastMessageId: number | null;
  readonly lastMessageAt: number | null;
  readonly markedId: number | null;
  readonly deliveredAt: number | null;
  readonly pinnedAt: number | null;
  /** The newest message the person wrote: who writes has read. */
  readonly wroteId: number | null;
  /** The other one of a private chat, also when they left it. */
  readonly otherName: string | null;
  readonly otherPictureUrl: string | null;
};

/** How many names stand for a room without a name of its own. */
const namesMax = 4;

function isUnread({ lastMessageId, markedId, wroteId }: ConversationState): boolean {
  return lastMessageId !== null && lastMessageId > (markedId ?? 0) && lastMessageId > (wroteId ?? 0);
}

/** The names of those in a conversation but the one who reads them: `Ada, Bob +3`; of none but the reader, their own. */
function namesOf(page: MemberPage, reader: { user: User; isMember: boolean }): string {
  const others = page.members.filter(({ id }) => id !== reader.user.id);
  const shown = others.slice(0, namesMax).map(({ displayName }) => displayName);
  if (shown.length === 0) return reader.user.displayName;
  const rest = page.count - (reader.isMember ? 1 : 0) - shown.length;
  return rest > 0 ? `${shown.join(', ')} +${rest}` : shown.join(', ');
}

/** What a conversation is called by its reader; a chat that belongs to a place in the host product has its own name. */
function calling(
  app: AppView,
  state: ConversationState,
  page: MemberPage,
  user: User,
): Pick<AppExtras, 'displayName' | 'avatarUrl'> {
  const reader = { user, isMember: app.memberAccess !== null };
  if (app.type === 'private_chat' && reader.isMember) {
    const [other] = page.members.filter(({ id }) => id !== user.id);
    const avatarUrl = (state.otherName === null ? other?.pictureUrl : state.otherPictureUrl) ?? undefined;
    return { displayName: state.otherName ?? other?.displayName ?? user.displayName, avatarUrl };
  }
  if (app.type === 'chat' || visibleText(app.name) !== null) return {};
  return { displayName: namesOf(page, reader) };
}

/** A conversation as one person sees it: the app with its members, what it is called and how far they are. */
export function renderConversation(
  app: AppView,
  parts: {
    state: ConversationState;
    page: MemberPage;
    user: User;
    lastMessage: Json | undefined;
    createdBy: Json | undefined;
    modifiedBy: Json | undefined;
  },
): Json {
  const { state, page, user, lastMessage, createdBy, modifiedBy } = parts;
  const members = renderMemberPage(page);
  const rendered = renderApp(app, { ...calling(app, state, page, user), createdBy, modifiedBy, members });
  const last =
    lastMessage === undefined
      ? ''
      : `"last_message_id":${state.lastMessageId},"last_message":${lastMessage},`;
  return json(
    `${rendered.slice(0, -1)},${last}"is_pinned":${state.pinnedAt !== null},"is_unread":${isUnread(state)}}`,
  );
}
