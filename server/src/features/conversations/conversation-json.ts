import type { AppView } from '../../access/access.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';
import { visibleText } from '../../kernel/unseen.ts';
import { type AppExtras, renderApp } from '../apps/app-json.ts';
import { type MemberPage, renderMemberPage } from '../members/member-json.ts';

/** The state of a conversation for one user. Times are Unix milliseconds. */
export type ConversationState = {
  readonly lastMessageId: number | null;
  readonly lastMessageAt: number | null;
  readonly markedId: number | null;
  readonly deliveredAt: number | null;
  readonly pinnedAt: number | null;
  /** The newest message that the user wrote: writing counts as reading up to there. */
  readonly wroteId: number | null;
  /** The name of the other user of a private chat, even after that user left it. */
  readonly otherName: string | null;
  readonly otherPictureUrl: string | null;
};

/** How many names of members a room without a name shows. */
const namesMax = 4;

function isUnread({ lastMessageId, markedId, wroteId }: ConversationState): boolean {
  return lastMessageId !== null && lastMessageId > (markedId ?? 0) && lastMessageId > (wroteId ?? 0);
}

/** The names of the other members, such as `Ada, Bob +3`; the reader's own name where there are no others. */
function namesOf(page: MemberPage, reader: { user: User; isMember: boolean }): string {
  const others = page.members.filter(({ id }) => id !== reader.user.id);
  const names = others.slice(0, namesMax).map(({ displayName }) => displayName);
  if (names.length === 0) return reader.user.displayName;
  const rest = page.count - (reader.isMember ? 1 : 0) - names.length;
  return rest > 0 ? `${names.join(', ')} +${rest}` : names.join(', ');
}

/** The name and picture of a conversation for its reader; a contextual chat shows its own name. */
function appearance(
  app: AppView,
  { state, page, user }: { state: ConversationState; page: MemberPage; user: User },
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

/** A conversation as one user sees it: the app with its members, its name for that user and how far the user has read. */
export function renderConversation(
  app: AppView,
  parts: {
    state: ConversationState;
    page: MemberPage;
    user: User;
    /** The form of the caller (`Principal.form`). */
    form: number | undefined;
    lastMessage: Json | undefined;
    createdBy: Json | undefined;
    modifiedBy: Json | undefined;
  },
): Json {
  const { state, page, form, lastMessage, createdBy, modifiedBy } = parts;
  const { lastMessageId } = state;
  const members = renderMemberPage(page, form);
  const extras = { createdBy, modifiedBy, members, form, lastMessageId };
  const rendered = renderApp(app, { ...appearance(app, parts), ...extras });
  const last =
    lastMessage === undefined ? '' : `"last_message_id":${lastMessageId},"last_message":${lastMessage},`;
  return json(
    `${rendered.slice(0, -1)},${last}"is_pinned":${state.pinnedAt !== null},"is_unread":${isUnread(state)}}`,
  );
}
