import Type, { type Static } from 'typebox';
import { entryDetailFields, entryExpandedFields, entryItemFields } from './entries.ts';
import { entryOperations } from './entry-operations.ts';
import { listOf } from './fields.ts';
import { operation } from './operation.ts';

const postFields = {
  comment_count: Type.Integer({
    minimum: 0,
    description: 'How many comments on the post are not in the trash.',
  }),
  comments: Type.Array(Type.Object({}), {
    description: 'Always empty: the comments of a post are listed under /api/posts/{id}/comments.',
  }),
  is_subscribed: Type.Boolean({ description: 'Whether the caller is notified of comments on it.' }),
};

export const Post = Type.Object(
  { ...entryItemFields, ...entryDetailFields, ...postFields },
  { $id: 'Post', description: 'A post.' },
);
export type Post = Static<typeof Post>;
export const PostItem = Type.Object(
  { ...entryItemFields, ...entryExpandedFields, ...postFields },
  { $id: 'PostItem', description: 'A post in a list.' },
);
const PostList = listOf(PostItem, 'PostList');

const shared = entryOperations('Posts', { detail: Post, list: PostList });

export const postOperations = {
  createPost: operation({
    ...shared.created,
    id: 'createPost',
    path: '/api/apps/{app}/posts',
    on: { app: 'write', holding: 'post' },
    summary: 'Creates a post in a posts app.',
    params: { app: 'ref' },
    example: { text: 'Lunch on Friday?', options: [{ text: 'Yes' }, { text: 'No' }] },
  }),
  listAppPosts: operation({
    ...shared.listedIn,
    id: 'listAppPosts',
    path: '/api/apps/{app}/posts',
    on: { app: 'read' },
    summary: 'Lists the posts of an app.',
    params: { app: 'ref' },
  }),
  listPosts: operation({
    ...shared.listed,
    id: 'listPosts',
    path: '/api/posts',
    summary: 'Lists the posts of every app the caller can see.',
  }),
  getPost: operation({
    ...shared.got,
    id: 'getPost',
    path: '/api/posts/{id}',
    on: { post: 'read', trashed: 'asked' },
    summary: 'Gets a post.',
  }),
  updatePost: operation({
    ...shared.updated,
    id: 'updatePost',
    path: '/api/posts/{id}',
    on: { post: 'edit' },
    example: { text: 'Lunch on Thursday?' },
  }),
  trashPost: operation({
    ...shared.moved,
    id: 'trashPost',
    path: '/api/posts/{id}/trash',
    on: { post: 'remove', trashed: 'included' },
    summary: 'Puts a post in the trash, out of sight with its comments.',
  }),
  restorePost: operation({
    ...shared.moved,
    id: 'restorePost',
    path: '/api/posts/{id}/restore',
    on: { post: 'restore' },
    summary: 'Takes a post out of the trash, with the comments it had.',
  }),
  subscribePost: operation({
    ...shared.moved,
    id: 'subscribePost',
    path: '/api/posts/{id}/subscribe',
    on: { post: 'read' },
    summary: 'Subscribes the caller to notifications of the post.',
    caller: 'user',
    errors: [401, 404],
  }),
  unsubscribePost: operation({
    ...shared.moved,
    id: 'unsubscribePost',
    path: '/api/posts/{id}/unsubscribe',
    on: { post: 'read' },
    summary: 'Ends the subscription of the caller.',
    caller: 'user',
    errors: [401, 404],
  }),
  deletePost: operation({
    ...shared.deleted,
    id: 'deletePost',
    path: '/api/posts/{id}',
    on: { post: 'remove', trashed: 'included' },
    summary: 'Deletes a post permanently, in the trash or not.',
    description:
      'Its attachments, options, votes and reactions go with it, and so do its comments. This cannot be undone.',
  }),
  listPostAttachments: operation({
    ...shared.attachments,
    id: 'listPostAttachments',
    path: '/api/posts/{id}/attachments',
    on: { post: 'read' },
    summary: 'Lists the attachments of a post.',
  }),
};
