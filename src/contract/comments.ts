import Type, { type Static } from 'typebox';
import { changing, deleting } from './common-operations.ts';
import { entryDetailFields, entryExpandedFields, entryItemFields } from './entries.ts';
import { entryOperations } from './entry-operations.ts';
import { listOf } from './fields.ts';
import { operationsOf } from './operation.ts';
import { VisitorComment, VisitorCommentList } from './visitors.ts';

export const Comment = Type.Object(
  { ...entryItemFields, ...entryDetailFields },
  { $id: 'Comment', description: 'A comment on an app, a file or a post.' },
);
export type Comment = Static<typeof Comment>;
export const CommentItem = Type.Object(
  { ...entryItemFields, ...entryExpandedFields },
  { $id: 'CommentItem', description: 'A comment in a list.' },
);
export const CommentList = listOf(CommentItem, 'CommentList');

const shared = entryOperations({ detail: Comment, list: CommentList });
const example = { text: 'Ready for **review**', tags: ['review'] };

export const commentOperations = operationsOf('Comments', {
  createAppComment: {
    ...shared.created,
    path: '/api/apps/{app}/comments',
    on: { app: 'write', holding: 'comment' },
    summary: 'Creates a comment in a comments app.',
    example,
  },
  createFileComment: {
    ...shared.created,
    path: '/api/files/{id}/comments',
    on: { file: 'write' },
    summary: 'Creates a comment on a file.',
    example,
  },
  createPostComment: {
    ...shared.created,
    path: '/api/posts/{id}/comments',
    on: { post: 'write' },
    summary: 'Creates a comment on a post.',
    example,
  },
  getComment: {
    ...shared.got,
    path: '/api/comments/{id}',
    on: { comment: 'read', trashed: 'asked' },
    visitors: VisitorComment,
    summary: 'Gets a comment.',
  },
  updateComment: {
    ...shared.updated,
    path: '/api/comments/{id}',
    on: { comment: 'edit' },
    example: { text: 'Ready for review, with the figures' },
  },
  listComments: {
    ...shared.listed,
    path: '/api/comments',
    summary: 'Lists the comments of every app the caller can see.',
  },
  listAppComments: {
    ...shared.listedIn,
    path: '/api/apps/{app}/comments',
    on: { app: 'read' },
    visitors: VisitorCommentList,
    summary: 'Lists the comments of an app.',
  },
  listFileComments: {
    ...shared.listedIn,
    path: '/api/files/{id}/comments',
    on: { file: 'read' },
    summary: 'Lists the comments on a file.',
  },
  listPostComments: {
    ...shared.listedIn,
    path: '/api/posts/{id}/comments',
    on: { post: 'read' },
    summary: 'Lists the comments on a post.',
  },
  trashComment: {
    ...changing(Comment),
    path: '/api/comments/{id}/trash',
    on: { comment: 'remove', trashed: 'included' },
    summary: 'Puts a comment in the trash.',
  },
  restoreComment: {
    ...changing(Comment),
    path: '/api/comments/{id}/restore',
    on: { comment: 'restore' },
    summary: 'Takes a comment out of the trash.',
  },
  holdComment: {
    ...changing(Comment),
    path: '/api/comments/{id}/hold',
    on: { comment: 'moderate' },
    summary: 'Holds a comment: only its author and moderators see it until it is approved.',
  },
  approveComment: {
    ...changing(Comment),
    path: '/api/comments/{id}/approve',
    on: { comment: 'approve' },
    summary: 'Approves a comment that is held, so that everyone sees it.',
  },
  deleteComment: {
    ...deleting,
    path: '/api/comments/{id}',
    on: { comment: 'remove', trashed: 'included' },
    summary: 'Deletes a comment permanently, in the trash or not.',
    description: 'Its attachments, options, votes and reactions go with it. This cannot be undone.',
  },
  listCommentAttachments: {
    ...shared.attachments,
    path: '/api/comments/{id}/attachments',
    on: { comment: 'read' },
    summary: 'Lists the attachments of a comment.',
  },
});
