import Type, { type Static } from 'typebox';
import { changing, deleting, subscribing } from './common-operations.ts';
import { entryDetailFields, entryExpandedFields, entryItemFields } from './entries.ts';
import { entryOperations } from './entry-operations.ts';
import { boolean, count, listOf } from './fields.ts';
import { lockedAt, lockOperation } from './locks.ts';
import { operationsOf } from './operation.ts';

const postFields = {
  comment_count: count('How many comments on the post are not in the trash.'),
  comments: Type.Array(Type.Object({}), {
    description: 'Always empty: the comments of a post are listed under /api/posts/{id}/comments.',
  }),
  is_subscribed: boolean('Whether the caller is notified of comments on it.'),
  locked_at: lockedAt,
};

export const Post = Type.Object(
  { ...entryItemFields, ...entryDetailFields, ...postFields },
  { $id: 'Post', description: 'A post in a posts app.' },
);
export type Post = Static<typeof Post>;
export const PostItem = Type.Object(
  { ...entryItemFields, ...entryExpandedFields, ...postFields },
  { $id: 'PostItem', description: 'A post in a list.' },
);
const PostList = listOf(PostItem, 'PostList');

const shared = entryOperations({ detail: Post, list: PostList });

export const postOperations = operationsOf('Posts', {
  createPost: {
    ...shared.created,
    path: '/api/apps/{app}/posts',
    on: { app: 'write', holding: 'post' },
    summary: 'Creates a post in a posts app.',
    example: { text: 'Lunch on Friday?', options: [{ text: 'Yes' }, { text: 'No' }] },
  },
  listAppPosts: {
    ...shared.listedIn,
    path: '/api/apps/{app}/posts',
    on: { app: 'read' },
    summary: 'Lists the posts of an app.',
  },
  listPosts: {
    ...shared.listed,
    path: '/api/posts',
    summary: 'Lists the posts of every app the caller can see.',
  },
  getPost: {
    ...shared.got,
    path: '/api/posts/{id}',
    on: { post: 'read', trashed: 'asked' },
    summary: 'Gets a post.',
  },
  updatePost: {
    ...shared.updated,
    path: '/api/posts/{id}',
    on: { post: 'edit' },
    example: { text: 'Lunch on Thursday?' },
  },
  trashPost: {
    ...changing(Post),
    concurrentBy: 'item',
    path: '/api/posts/{id}/trash',
    on: { post: 'remove', trashed: 'included' },
    summary: 'Puts a post in the trash, out of sight with its comments.',
  },
  restorePost: {
    ...changing(Post),
    concurrentBy: 'item',
    path: '/api/posts/{id}/restore',
    on: { post: 'restore' },
    summary: 'Takes a post out of the trash, with the comments it had.',
  },
  lockPost: {
    ...changing(Post),
    concurrentBy: 'item',
    ...lockOperation,
    path: '/api/posts/{id}/lock',
    summary: 'Locks a post with its comments, at once or from a time on.',
    on: { post: 'moderate' },
  },
  unlockPost: {
    ...changing(Post),
    concurrentBy: 'item',
    path: '/api/posts/{id}/unlock',
    summary: 'Unlocks a post.',
    on: { post: 'moderate' },
  },
  subscribePost: {
    ...subscribing(Post),
    path: '/api/posts/{id}/subscribe',
    on: { post: 'read' },
    summary: 'Subscribes the caller to notifications of the post.',
  },
  unsubscribePost: {
    ...subscribing(Post),
    path: '/api/posts/{id}/unsubscribe',
    on: { post: 'read' },
    summary: 'Ends the subscription of the caller.',
  },
  holdPost: {
    ...changing(Post),
    concurrentBy: 'item',
    path: '/api/posts/{id}/hold',
    on: { post: 'moderate' },
    summary: 'Holds a post: only its author and moderators see it until it is approved.',
  },
  approvePost: {
    ...changing(Post),
    concurrentBy: 'item',
    path: '/api/posts/{id}/approve',
    on: { post: 'approve' },
    summary: 'Approves a post that is held, so that everyone sees it.',
  },
  deletePost: {
    ...deleting,
    path: '/api/posts/{id}',
    on: { post: 'remove', trashed: 'included' },
    summary: 'Deletes a post permanently, in the trash or not.',
    description:
      'Its attachments, options, votes and reactions go with it, and so do its comments. This cannot be undone.',
  },
  listPostAttachments: {
    ...shared.attachments,
    path: '/api/posts/{id}/attachments',
    on: { post: 'read' },
    summary: 'Lists the attachments of a post.',
  },
});
