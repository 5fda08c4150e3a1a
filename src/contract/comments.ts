import Type, { type Static } from 'typebox';
import { entryDetailFields, entryExpandedFields, entryItemFields } from './entries.ts';
import { entryOperations } from './entry-operations.ts';
import { listOf } from './fields.ts';
import { operation } from './operation.ts';

export const Comment = Type.Object(
  { ...entryItemFields, ...entryDetailFields },
  { $id: 'Comment', description: 'A comment.' },
);
export type Comment = Static<typeof Comment>;
export const CommentItem = Type.Object(
  { ...entryItemFields, ...entryExpandedFields },
  { $id: 'CommentItem', description: 'A comment in a list.' },
);
export const CommentList = listOf(CommentItem, 'CommentList');

const shared = entryOperations('Comments', { detail: Comment, list: CommentList });
const id = { id: 'id' } as const;
const example = { text: 'Ready for **review**', tags: ['review'] };

export const commentOperations = {
  createAppComment: operation({
    ...shared.created,
    id: 'createAppComment',
    path: '/api/apps/{app}/comments',
    on: { app: 'write', holding: 'comment' },
    summary: 'Creates a comment in a comments app.',
    params: { app: 'ref' },
    example,
  }),
  createFileComment: operation({
    ...shared.created,
    id: 'createFileComment',
    path: '/api/files/{id}/comments',
    on: { file: 'write' },
    summary: 'Creates a comment on a file.',
    params: id,
    example,
  }),
  createPostComment: operation({
    ...shared.created,
    id: 'createPostComment',
    path: '/api/posts/{id}/comments',
    on: { post: 'write' },
    summary: 'Creates a comment on a post.',
    params: id,
    example,
  }),
  getComment: operation({
    ...shared.got,
    id: 'getComment',
    path: '/api/comments/{id}',
    on: { comment: 'read', trashed: 'asked' },
    summary: 'Gets a comment.',
  }),
  updateComment: operation({
    ...shared.updated,
    id: 'updateComment',
    path: '/api/comments/{id}',
    on: { comment: 'edit' },
    example: { text: 'Ready for review, with the figures' },
  }),
  listComments: operation({
    ...shared.listed,
    id: 'listComments',
    path: '/api/comments',
    summary: 'Lists the comments of every app the caller can see.',
  }),
  listAppComments: operation({
    ...shared.listedIn,
    id: 'listAppComments',
    path: '/api/apps/{app}/comments',
    on: { app: 'read' },
    summary: 'Lists the comments of an app.',
    params: { app: 'ref' },
  }),
  listFileComments: operation({
    ...shared.listedIn,
    id: 'listFileComments',
    path: '/api/files/{id}/comments',
    on: { file: 'read' },
    summary: 'Lists the comments on a file.',
    params: id,
  }),
  listPostComments: operation({
    ...shared.listedIn,
    id: 'listPostComments',
    path: '/api/posts/{id}/comments',
    on: { post: 'read' },
    summary: 'Lists the comments on a post.',
    params: id,
  }),
  trashComment: operation({
    ...shared.moved,
    id: 'trashComment',
    path: '/api/comments/{id}/trash',
    on: { comment: 'remove', trashed: 'included' },
    summary: 'Puts a comment in the trash.',
  }),
  restoreComment: operation({
    ...shared.moved,
    id: 'restoreComment',
    path: '/api/comments/{id}/restore',
    on: { comment: 'restore' },
    summary: 'Takes a comment out of the trash.',
  }),
  deleteComment: operation({
    ...shared.deleted,
    id: 'deleteComment',
    path: '/api/comments/{id}',
    on: { comment: 'remove', trashed: 'included' },
    summary: 'Deletes a comment permanently, in the trash or not.',
    description: 'Its attachments, options, votes and reactions go with it. This cannot be undone.',
  }),
  listCommentAttachments: operation({
    ...shared.attachments,
    id: 'listCommentAttachments',
    path: '/api/comments/{id}/attachments',
    on: { comment: 'read' },
    summary: 'Lists the attachments of a comment.',
  }),
};
