import Type, { type Static } from 'typebox';
import { Parent, Reaction } from './entries.ts';
import { described, listOf } from './fields.ts';
import { operation } from './operation.ts';
import { User } from './users.ts';

/** A reaction where it stands by itself: with what it is to and whose it is. */
const ReactionDetail = Type.Object(
  {
    ...Reaction.properties,
    parent: described(Parent, 'What the reaction is to.'),
    created_by: described(User, 'The user who reacted.'),
  },
  { $id: 'ReactionDetail', description: 'A reaction, with what it is to and who reacted.' },
);
const ReactionList = listOf(ReactionDetail, 'ReactionList');

export const ReactionCreate = Type.Object(
  {
    content: Type.String({
      minLength: 1,
      maxLength: 32,
      description: 'Exactly one emoji. It is kept with the variation selectors that make it one.',
      examples: ['👍'],
    }),
  },
  { $id: 'ReactionCreate', description: 'The emoji to react with.' },
);
export type ReactionCreate = Static<typeof ReactionCreate>;

const tag = 'Reactions';
const id = { id: 'id' } as const;

/** The operations on the reactions to entries of one kind. */
function reactionsTo<const K extends 'Comment' | 'Post' | 'Message'>(kind: K) {
  const what = kind.toLowerCase() as Lowercase<K>;
  const path = `/api/${what}s/{id}/reactions` as const;
  return {
    add: operation({
      id: `add${kind}Reaction`,
      method: 'POST',
      path,
      tag,
      summary: `Reacts to a ${what} with an emoji.`,
      description: `A person has one reaction to a ${what}: another emoji takes the place of the first, the same one changes nothing.`,
      caller: 'user',
      params: id,
      body: ReactionCreate,
      success: { 204: null },
      errors: [400, 401, 403, 404, 422],
      problems: ['write_forbidden'],
      example: { content: '👍' },
    }),
    remove: operation({
      id: `remove${kind}Reaction`,
      method: 'DELETE',
      path,
      tag,
      summary: `Takes back the reaction of the caller to a ${what}, if there is one.`,
      caller: 'user',
      params: id,
      success: { 200: null },
      errors: [400, 401, 403, 404],
      problems: ['write_forbidden'],
    }),
    list: operation({
      id: `list${kind}Reactions`,
      method: 'GET',
      path,
      tag,
      summary: `Lists the reactions to a ${what}.`,
      description:
        'Reactions have neither words, tags nor a trash, so what asks for one of these matches none.',
      caller: 'any',
      params: id,
      query: Type.Object({
        content: Type.Optional(Type.String({ description: 'Only reactions with this emoji.' })),
      }),
      list: {
        orderBy: ['id', 'created_at'],
        defaultOrder: { field: 'id', descending: false },
        expand: [],
      },
      success: { 200: ReactionList },
      errors: [401, 404],
    }),
  };
}

const toComments = reactionsTo('Comment');
const toPosts = reactionsTo('Post');
const toMessages = reactionsTo('Message');

export const reactionOperations = {
  addCommentReaction: toComments.add,
  removeCommentReaction: toComments.remove,
  listCommentReactions: toComments.list,
  addPostReaction: toPosts.add,
  removePostReaction: toPosts.remove,
  listPostReactions: toPosts.list,
  addMessageReaction: toMessages.add,
  removeMessageReaction: toMessages.remove,
  listMessageReactions: toMessages.list,
  getReaction: operation({
    id: 'getReaction',
    method: 'GET',
    path: '/api/reactions/{id}',
    tag,
    summary: 'Gets a reaction.',
    caller: 'any',
    params: id,
    success: { 200: ReactionDetail },
    errors: [401, 404],
  }),
  deleteReaction: operation({
    id: 'deleteReaction',
    method: 'DELETE',
    path: '/api/reactions/{id}',
    tag,
    summary: 'Removes a reaction: of the caller, or of anybody as manager of the app.',
    caller: 'any',
    params: id,
    success: { 200: null },
    errors: [400, 401, 403, 404],
    problems: ['edit_forbidden'],
  }),
};
