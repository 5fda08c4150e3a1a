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
import { FileList, fileList } from './files.ts';
import { operation } from './operation.ts';

const postFields = {
  comment_count: Type.Integer({ minimum: 0 }),
  comments: Type.Array(Type.Object({}), {
    description: 'Always empty: the comments of a post are listed under /api/posts/{id}/comments.',
  }),
  is_subscribed: Type.Boolean({ description: 'Whether the caller is notified of comments on it.' }),
};

export const Post = Type.Object({ ...entryItemFields, ...entryDetailFields, ...postFields }, { $id: 'Post' });
export type Post = Static<typeof Post>;
const PostItem = Type.Object(
  { ...entryItemFields, ...entryExpandedFields, ...postFields },
  { $id: 'PostItem' },
);
const PostList = listOf(PostItem, 'PostList');

const tag = 'Posts';
const id = { id: 'id' } as const;

export const postOperations = {
  createPost: operation({
    id: 'createPost',
    method: 'POST',
    path: '/api/apps/{app}/posts',
    tag,
    summary: 'Creates a post in a posts app.',
    caller: 'any',
    params: { app: 'ref' },
    body: EntryCreate,
    success: { 201: Post },
    errors: [400, 401, 403, 404, 422],
    example: { text: 'Lunch on Friday?', options: [{ text: 'Yes' }, { text: 'No' }] },
  }),
  listAppPosts: operation({
    id: 'listAppPosts',
    method: 'GET',
    path: '/api/apps/{app}/posts',
    tag,
    summary: 'Lists the posts of an app.',
    caller: 'any',
    params: { app: 'ref' },
    list: entryList,
    success: { 200: PostList },
    errors: [401, 404],
  }),
  listPosts: operation({
    id: 'listPosts',
    method: 'GET',
    path: '/api/posts',
    tag,
    summary: 'Lists the posts of every app the caller can see.',
    caller: 'any',
    list: entryList,
    success: { 200: PostList },
    errors: [401],
  }),
  getPost: operation({
    id: 'getPost',
    method: 'GET',
    path: '/api/posts/{id}',
    tag,
    summary: 'Gets a post.',
    caller: 'any',
    params: id,
    query: TrashedQuery,
    success: { 200: Post },
    errors: [401, 404],
  }),
  updatePost: operation({
    id: 'updatePost',
    method: 'PATCH',
    path: '/api/posts/{id}',
    tag,
    summary: 'Changes the fields that are present; null clears one and an array replaces.',
    caller: 'any',
    params: id,
    body: EntryPatch,
    success: { 200: Post },
    errors: [400, 401, 403, 404, 422],
    example: { text: 'Lunch on Thursday?' },
  }),
  trashPost: operation({
    id: 'trashPost',
    method: 'POST',
    path: '/api/posts/{id}/trash',
    tag,
    summary: 'Puts a post in the trash, out of sight with its comments.',
    caller: 'any',
    params: id,
    success: { 200: Post },
    errors: [400, 401, 403, 404],
  }),
  restorePost: operation({
    id: 'restorePost',
    method: 'POST',
    path: '/api/posts/{id}/restore',
    tag,
    summary: 'Takes a post out of the trash, with the comments it had.',
    caller: 'any',
    params: id,
    success: { 200: Post },
    errors: [400, 401, 403, 404],
  }),
  subscribePost: operation({
    id: 'subscribePost',
    method: 'POST',
    path: '/api/posts/{id}/subscribe',
    tag,
    summary: 'Subscribes the caller to notifications of the post.',
    caller: 'user',
    params: id,
    success: { 200: Post },
    errors: [401, 404],
  }),
  unsubscribePost: operation({
    id: 'unsubscribePost',
    method: 'POST',
    path: '/api/posts/{id}/unsubscribe',
    tag,
    summary: 'Ends the subscription of the caller.',
    caller: 'user',
    params: id,
    success: { 200: Post },
    errors: [401, 404],
  }),
  deletePost: operation({
    id: 'deletePost',
    method: 'DELETE',
    path: '/api/posts/{id}',
    tag,
    summary: 'Deletes a post for good, in the trash or not.',
    description:
      'Its attachments, options, votes and reactions go with it, and so do its comments. There is no way back.',
    caller: 'any',
    params: id,
    success: { 204: null },
    errors: [400, 401, 403, 404],
  }),
  listPostAttachments: operation({
    id: 'listPostAttachments',
    method: 'GET',
    path: '/api/posts/{id}/attachments',
    tag,
    summary: 'Lists the attachments of a post.',
    caller: 'any',
    params: id,
    list: fileList,
    success: { 200: FileList },
    errors: [401, 404],
  }),
};
