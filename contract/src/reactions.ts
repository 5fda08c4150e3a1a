import Type, { type Static } from 'typebox';
import { getting } from './common-operations.ts';
import { Parent, Reaction } from './entries.ts';
import { described, listOf, string } from './fields.ts';
import { operationsOf } from './operation.ts';
import { User } from './users.ts';

/** A reaction outside its entry, with the entry and the author. */
const ReactionDetail = Type.Object(
  {
    ...Reaction.properties,
    parent: described(Parent, 'What the reaction is to.'),
    created_by: described(User, 'The user who reacted.'),
  },
  { $id: 'ReactionDetail', description: 'A reaction, with its subject and the user who reacted.' },
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

/** The common parts of the operations on reactions to comments, posts and messages. */
function reactionsTo<const K extends 'Comment' | 'Post' | 'Message'>(kind: K) {
  const what = kind.toLowerCase() as Lowercase<K>;
  const path = `/api/${what}s/{id}/reactions` as const;
  return {
    add: {
      method: 'POST',
      path,
      summary: `Reacts to a ${what} with an emoji.`,
      description: `A person has one reaction to a ${what}: another emoji takes the place of the first, the same one changes nothing.`,
      caller: 'user',
      effect: 'change',
      concurrentBy: 'caller',
      body: ReactionCreate,
      success: { 204: null },
      errors: [400, 401, 403, 404, 422],
      example: { content: '👍' },
    },
    remove: {
      method: 'DELETE',
      path,
      summary: `Takes back the reaction of the caller to a ${what}, if there is one.`,
      caller: 'user',
      effect: 'change',
      concurrentBy: 'caller',
      success: { 200: null },
      errors: [400, 401, 403, 404],
    },
    list: {
      method: 'GET',
      path,
      summary: `Lists the reactions to a ${what}.`,
      description:
        'Reactions have neither words, tags nor a trash, so a query for one of these matches none.',
      caller: 'any',
      effect: 'list',
      query: Type.Object({
        content: Type.Optional(string('Only reactions with this emoji.')),
      }),
      list: { orderBy: ['id', 'created_at'], expand: [] },
      success: { 200: ReactionList },
      errors: [401, 404],
    },
  } as const;
}

const toComments = reactionsTo('Comment');
const toPosts = reactionsTo('Post');
const toMessages = reactionsTo('Message');

export const reactionOperations = operationsOf('Reactions', {
  addCommentReaction: {
    ...toComments.add,
    description: `${toComments.add.description} Where the operator counts guests by address, one address counts once for each comment and day: what another guest sends from there is 429 \`address_counted\`.`,
    on: { comment: 'react' },
    signedIn: null,
    problems: ['address_counted'],
  },
  removeCommentReaction: { ...toComments.remove, on: { comment: 'react' }, signedIn: null },
  listCommentReactions: { ...toComments.list, on: { comment: 'read' } },
  addPostReaction: { ...toPosts.add, on: { post: 'react' } },
  removePostReaction: { ...toPosts.remove, on: { post: 'react' } },
  listPostReactions: { ...toPosts.list, on: { post: 'read' } },
  addMessageReaction: { ...toMessages.add, on: { message: 'react' } },
  removeMessageReaction: { ...toMessages.remove, on: { message: 'react' } },
  listMessageReactions: { ...toMessages.list, on: { message: 'read' } },
  getReaction: {
    ...getting(ReactionDetail),
    path: '/api/reactions/{id}',
    summary: 'Gets a reaction.',
    on: { reaction: 'read' },
  },
  deleteReaction: {
    method: 'DELETE',
    path: '/api/reactions/{id}',
    summary: 'Removes a reaction of the caller, or of any user as manager of the app.',
    caller: 'any',
    on: { reaction: 'remove' },
    effect: 'change',
    success: { 200: null },
    errors: [400, 401, 403, 404],
  },
});
