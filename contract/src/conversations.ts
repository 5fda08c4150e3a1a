import Type, { type Static } from 'typebox';
import { appDetailFields, appItemFields } from './apps.ts';
import {
  boolean,
  count,
  described,
  Id,
  limits,
  listOf,
  string,
  TrashedQuery,
  TrueFalseNull,
  UserRef,
} from './fields.ts';
import { MessageItem } from './messages.ts';
import { operationsOf } from './operation.ts';
import { User } from './users.ts';

const o = Type.Optional;

const stateFields = {
  last_message_id: o(described(Id, 'The id of the newest message. Absent when there is none.')),
  last_message: o(described(MessageItem, 'The newest message. Absent when there is none.')),
  is_pinned: boolean('Whether the caller pinned it.'),
  is_unread: boolean('Whether the caller has not read its last message.'),
};

/** A chat, chat room or private chat as a conversation of its members. */
export const Conversation = Type.Object(
  { ...appItemFields, ...appDetailFields, ...stateFields },
  { $id: 'Conversation', description: 'A chat, a chat room or a private chat, as its reader sees it.' },
);
export type Conversation = Static<typeof Conversation>;
const ConversationItem = Type.Object(
  {
    ...appItemFields,
    ...appDetailFields,
    created_by: o(described(User, 'The user who created the app. Only where `expand` asks for it.')),
    ...stateFields,
  },
  { $id: 'ConversationItem', description: 'A conversation in a list.' },
);
const ConversationList = listOf(ConversationItem, 'ConversationList');

const ConversationBadge = Type.Object(
  {
    private: count('How many private chats are unread.'),
    rooms: count('How many chat rooms are unread.'),
    chat: count('How many chats are unread.'),
    bots: count('How many agent chats are unread.'),
  },
  { $id: 'ConversationBadge', description: 'How many conversations of each kind the caller has not read.' },
);

const ConversationCreate = Type.Object(
  {
    members: o(
      Type.Array(UserRef, {
        maxItems: limits.membersMax,
        description: 'The other members, by id or uid. The caller is a member in any case.',
      }),
    ),
    name: o(
      Type.String({
        maxLength: limits.nameCharactersMax,
        description: 'The name of the chat room. Absent for a private chat.',
      }),
    ),
    type: o(
      string(
        '`private_chat` or `chat_room`. When absent, it follows from the name and the number of members.',
      ),
    ),
  },
  {
    $id: 'ConversationCreate',
    description: 'The members of a conversation to create, with its type and name.',
  },
);
export type ConversationCreate = Static<typeof ConversationCreate>;

const shown = { on: { conversation: 'read' }, success: { 200: Conversation }, errors: [401, 404] } as const;
const own = { ...shown, caller: 'user', effect: 'change', concurrentBy: 'caller' } as const;

export const conversationOperations = operationsOf('Conversations', {
  createConversation: {
    method: 'POST',
    path: '/api/conversations',
    summary: 'Starts a conversation with other users.',
    description:
      'One other user and no name make a private chat. Two users have at most one, which is returned when it exists. A name or more users make a chat room.',
    caller: 'user',
    on: 'caller',
    effect: 'change',
    body: ConversationCreate,
    success: { 201: Conversation },
    errors: [400, 401, 403, 422],
    problems: ['write_forbidden'],
    example: { members: ['bob', 'carol'], name: 'Lunch' },
  },
  listConversations: {
    method: 'GET',
    path: '/api/conversations',
    summary: 'Lists the conversations of the caller: pinned ones first, then those with the newest messages.',
    caller: 'user',
    on: 'caller',
    effect: 'read',
    query: Type.Object({
      unread: o(
        Type.Unsafe<boolean | null>({
          ...TrueFalseNull,
          description:
            '`true` lists unread conversations only, `false` read ones. Absent or `null` lists both.',
        }),
      ),
      type: o(Type.Array(Type.String(), { description: 'Names or guids of app types; absent lists all.' })),
      member: o(string('Only conversations with this user, by id or uid.')),
      contextual: o(
        Type.Unsafe<boolean | null>({
          ...TrueFalseNull,
          description:
            '`true` lists chats only, `false` chat rooms and private chats. Absent or `null` lists both.',
        }),
      ),
    }),
    list: {
      orderBy: ['pinned_at', 'last_message_id', 'id', 'name', 'created_at'],
      defaultOrder: { field: 'pinned_at', descending: true },
      expand: ['created_by', 'modified_by'],
    },
    success: { 200: ConversationList },
    errors: [401],
  },
  getBadge: {
    method: 'GET',
    path: '/api/conversations/badge',
    summary: 'Counts the unread conversations of the caller.',
    caller: 'user',
    on: 'caller',
    effect: 'read',
    success: { 200: ConversationBadge },
    errors: [401],
  },
  getConversation: {
    ...shown,
    method: 'GET',
    path: '/api/conversations/{id}',
    summary: 'Gets a conversation; only its members and an API key know of it.',
    caller: 'any',
    on: { conversation: 'read', trashed: 'asked' },
    effect: 'read',
    query: TrashedQuery,
  },
  setDelivered: {
    ...own,
    method: 'PUT',
    path: '/api/conversations/{id}/delivered',
    summary: 'Marks the messages so far as delivered to the caller.',
  },
  markConversation: {
    ...own,
    method: 'PUT',
    path: '/api/conversations/{id}/mark',
    summary: 'Marks a conversation as read up to a message. A mark never goes back.',
    query: Type.Object({
      message_id: o(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'The id of the last message that the caller has read; the newest when absent.',
        }),
      ),
    }),
    errors: [401, 404, 422],
  },
  unmarkConversation: {
    ...own,
    method: 'DELETE',
    path: '/api/conversations/{id}/mark',
    summary: 'Marks a conversation as unread.',
  },
  pinConversation: {
    ...own,
    method: 'PUT',
    path: '/api/conversations/{id}/pin',
    summary: 'Pins a conversation: it comes first in the list of the caller.',
  },
  unpinConversation: {
    ...own,
    method: 'DELETE',
    path: '/api/conversations/{id}/pin',
    summary: 'Unpins a conversation.',
  },
});
