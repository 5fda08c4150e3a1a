import Type, { type Static } from 'typebox';
import {
  EntryCreate,
  EntryPatch,
  entryDetailFields,
  entryExpandedFields,
  entryItemFields,
  entryList,
} from './entries.ts';
import { listOf, TrashedQuery } from './fields.ts';
import { operation } from './operation.ts';

export const Comment = Type.Object({ ...entryItemFields, ...entryDetailFields }, { $id: 'Comment' });
export type Comment = Static<typeof Comment>;
const CommentItem = Type.Object({ ...entryItemFields, ...entryExpandedFields }, { $id: 'CommentItem' });
export const CommentList = listOf(CommentItem, 'CommentList');

const tag = 'Comments';
const id = { id: 'id' } as const;
const created = {
  method: 'POST',
  tag,
  caller: 'any',
  body: EntryCreate,
  success: { 201: Comment },
  errors: [400, 401, 403, 404, 422],
  example: { text: 'Ready for **review**', tags: ['review'] },
} as const;

export const commentOperations = {
  createAppComment: operation({
    ...created,
    id: 'createAppComment',
    path: '/api/apps/{app}/comments',
    summary: 'Creates a comment in a comments app.',
    params: { app: 'ref' },
  }),
  createFileComment: operation({
    ...created,
    id: 'createFileComment',
    path: '/api/files/{id}/comments',
    summary: 'Creates a comment on a file.',
    params: id,
  }),
  createPostComment: operation({
    ...created,
    id: 'createPostComment',
    path: '/api/posts/{id}/comments',
    summary: 'Creates a comment on a post.',
    params: id,
  }),
  getComment: operation({
    id: 'getComment',
    method: 'GET',
    path: '/api/comments/{id}',
    tag,
    summary: 'Gets a comment.',
    caller: 'any',
    params: id,
    query: TrashedQuery,
    success: { 200: Comment },
    errors: [401, 404],
  }),
  updateComment: operation({
    id: 'updateComment',
    method: 'PATCH',
    path: '/api/comments/{id}',
    tag,
    summary: 'Changes the fields that are present; null clears one and an array replaces.',
    caller: 'any',
    params: id,
    body: EntryPatch,
    success: { 200: Comment },
    errors: [400, 401, 403, 404, 422],
    example: { text: 'Ready for review, with the figures' },
  }),
  listComments: operation({
    id: 'listComments',
    method: 'GET',
    path: '/api/comments',
    tag,
    summary: 'Lists the comments of every app the caller can see.',
    caller: 'any',
    list: entryList,
    success: { 200: CommentList },
    errors: [401],
  }),
  listAppComments: operation({
    id: 'listAppComments',
    method: 'GET',
    path: '/api/apps/{app}/comments',
    tag,
    summary: 'Lists the comments of an app.',
    caller: 'any',
    params: { app: 'ref' },
    list: entryList,
    success: { 200: CommentList },
    errors: [401, 404],
  }),
  listFileComments: operation({
    id: 'listFileComments',
    method: 'GET',
    path: '/api/files/{id}/comments',
    tag,
    summary: 'Lists the comments on a file.',
    caller: 'any',
    params: id,
    list: entryList,
    success: { 200: CommentList },
    errors: [401, 404],
  }),
  listPostComments: operation({
    id: 'listPostComments',
    method: 'GET',
    path: '/api/posts/{id}/comments',
    tag,
    summary: 'Lists the comments on a post.',
    caller: 'any',
    params: id,
    list: entryList,
    success: { 200: CommentList },
    errors: [401, 404],
  }),
  trashComment: operation({
    id: 'trashComment',
    method: 'POST',
    path: '/api/comments/{id}/trash',
    tag,
    summary: 'Puts a comment in the trash.',
    caller: 'any',
    params: id,
    success: { 200: Comment },
    errors: [400, 401, 403, 404],
  }),
  restoreComment: operation({
    id: 'restoreComment',
    method: 'POST',
    path: '/api/comments/{id}/restore',
    tag,
    summary: 'Takes a comment out of the trash.',
    caller: 'any',
    params: id,
    success: { 200: Comment },
    errors: [400, 401, 403, 404],
  }),
};
