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

/** What the operations on the reactions to entries of one kind have in common with those of the other kinds. */
function reactionsTo<const K extends 'Comment' | 'Post' | 'Message'>(kind: K) {
  const what = kind.toLowerCase() as Lowercase<K>;
  const path = `/api/${what}s/{id}/reactions` as const;
  return {
    add: {
      id: `add${kind}Reaction`,
      method: 'POST',
      path,
      tag,
      summary: `Reacts to a ${what} with an emoji.`,
      description: `A person has one reaction to a ${what}: another emoji takes the place of the first, the same one changes nothing.`,
      caller: 'user',
      effect: 'change',
      params: id,
      body: ReactionCreate,
      success: { 204: null },
      errors: [400, 401, 403, 404, 422],
      example: { content: '👍' },
    },
    remove: {
      id: `remove${kind}Reaction`,
      method: 'DELETE',
      path,
      tag,
      summary: `Takes back the reaction of the caller to a ${what}, if there is one.`,
      caller: 'user',
      effect: 'change',
      params: id,
      success: { 200: null },
      errors: [400, 401, 403, 404],
    },
    list: {
      id: `list${kind}Reactions`,
      method: 'GET',
      path,
      tag,
      summary: `Lists the reactions to a ${what}.`,
      description:
        'Reactions have neither words, tags nor a trash, so what asks for one of these matches none.',
      caller: 'any',
      effect: 'list',
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
    },
  } as const;
}

const toComments = reactionsTo('Comment');
const toPosts = reactionsTo('Post');
const toMessages = reactionsTo('Message');

export const reactionOperations = {
  addCommentReaction: operation({ ...toComments.add, on: { comment: 'react' } }),
  removeCommentReaction: operation({ ...toComments.remove, on: { comment: 'react' } }),
  listCommentReactions: operation({ ...toComments.list, on: { comment: 'read' } }),
  addPostReaction: operation({ ...toPosts.add, on: { post: 'react' } }),
  removePostReaction: operation({ ...toPosts.remove, on: { post: 'react' } }),
  listPostReactions: operation({ ...toPosts.list, on: { post: 'read' } }),
  addMessageReaction: operation({ ...toMessages.add, on: { message: 'react' } }),
  removeMessageReaction: operation({ ...toMessages.remove, on: { message: 'react' } }),
  listMessageReactions: operation({ ...toMessages.list, on: { message: 'read' } }),
  getReaction: operation({
    id: 'getReaction',
    method: 'GET',
    path: '/api/reactions/{id}',
    tag,
    summary: 'Gets a reaction.',
    caller: 'any',
    on: { reaction: 'read' },
    effect: 'read',
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
    on: { reaction: 'remove' },
    effect: 'change',
    params: id,
    success: { 200: null },
    errors: [400, 401, 403, 404],
  }),
};
