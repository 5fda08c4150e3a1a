import Type, { type Static } from 'typebox';
import { anchorFields, anchorInput, anchorQuery } from './anchors.ts';
import { changing, deleting } from './common-operations.ts';
import {
  EntryCreate,
  EntryPatch,
  entryDetailFields,
  entryExpandedFields,
  entryItemFields,
  entryList,
  threadFields,
} from './entries.ts';
import { entryOperations } from './entry-operations.ts';
import { boolean, described, Id, limits, listOf } from './fields.ts';
import { operationsOf } from './operation.ts';
import { resolvedFields, resolvedQuery, resolving } from './resolving.ts';
import { VisitorAnswerList, VisitorComment, VisitorCommentList } from './visitors.ts';

const o = Type.Optional;

export const Comment = Type.Object(
  { ...entryItemFields, ...threadFields, ...resolvedFields, ...anchorFields, ...entryDetailFields },
  { $id: 'Comment', description: 'A comment on an app, a file or a post.' },
);
export type Comment = Static<typeof Comment>;
const AnswerItem = Type.Object(
  {
    ...entryItemFields,
    ...threadFields,
    created_by_id: o(
      described(
        Id,
        'The id of its author. Absent only in the place of a comment that was deleted or is in the trash, in a thread.',
      ),
    ),
    ...entryExpandedFields,
  },
  { $id: 'AnswerItem', description: 'A comment in a list of replies.' },
);
export const CommentItem = Type.Object(
  {
    ...AnswerItem.properties,
    ...resolvedFields,
    ...anchorFields,
    replies: o(
      Type.Array(AnswerItem, {
        description: 'The first comments of the thread below it, by id. Only in a list of threads.',
      }),
    ),
  },
  { $id: 'CommentItem', description: 'A comment in a list.' },
);
export const CommentList = listOf(CommentItem, 'CommentList');
const AnswerList = listOf(AnswerItem, 'AnswerList');

/** The fields of a request that creates a comment. */
export const CommentCreate = Type.Object(
  {
    ...EntryCreate.properties,
    ...anchorInput,
    reply_to: o(
      described(
        Id,
        'The comment to reply to. Its id; it is one of the same app, file or post, neither held nor in the trash.',
      ),
    ),
  },
  { $id: 'CommentCreate', description: 'The fields of a request that creates a comment.' },
);
export type CommentCreate = Static<typeof CommentCreate>;

/** The fields of a comment that a client may change. */
export const CommentPatch = Type.Object(
  { ...EntryPatch.properties, ...anchorInput },
  { $id: 'CommentPatch', description: 'The fields of a comment that a client can change.' },
);
export type CommentPatch = Static<typeof CommentPatch>;

const shared = entryOperations({ detail: Comment, list: CommentList });
const created = { ...shared.created, body: CommentCreate };

/** The lists of one app, file or post, which show threads as well. */
const listedIn = {
  ...shared.listedIn,
  list: { ...entryList, orderBy: [...entryList.orderBy, 'reaction_count'] },
  query: Type.Object({
    ...resolvedQuery,
    ...anchorQuery,
    thread: o(
      Type.Unsafe<'roots'>({
        type: 'string',
        enum: ['roots'],
        description:
          '`roots` lists the comments that reply to none, with the first of each thread in `replies`. They are sorted by id or `reaction_count`. A deleted or trashed comment keeps its place, without text and author, while comments below it are shown; `count` omits it.',
      }),
    ),
    replies: o(
      Type.Integer({
        minimum: 0,
        maximum: limits.repliesMax,
        description: `How many comments of each thread \`replies\` has. At most ${limits.repliesMax}, and ${limits.repliesDefault} where it is absent; times \`top\` at most ${limits.repliesInPageMax}.`,
      }),
    ),
  }),
} as const;
const example = { text: 'Ready for **review**', tags: ['review'] };

export const commentOperations = operationsOf('Comments', {
  createAppComment: {
    ...created,
    path: '/api/apps/{app}/comments',
    on: { app: 'write', holding: 'comment' },
    signedIn: VisitorComment,
    summary: 'Creates a comment in a comments app.',
    example,
  },
  createFileComment: {
    ...created,
    path: '/api/files/{id}/comments',
    on: { file: 'write' },
    summary: 'Creates a comment on a file.',
    example,
  },
  createPostComment: {
    ...created,
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
    body: CommentPatch,
    path: '/api/comments/{id}',
    on: { comment: 'edit' },
    signedIn: VisitorComment,
    example: { text: 'Ready for review, with the figures' },
  },
  listComments: {
    ...shared.listed,
    path: '/api/comments',
    summary: 'Lists the comments of every app the caller can see.',
  },
  listAppComments: {
    ...listedIn,
    path: '/api/apps/{app}/comments',
    on: { app: 'read', absent: 'asked' },
    query: Type.Object({
      ...listedIn.query.properties,
      page: o(
        boolean(
          '`true` asks for the comments of a page that perhaps nobody has opened yet: where the caller sees no such app, the list is empty, without the header `Allow`, in place of 401 or 404. The default is false.',
        ),
      ),
    }),
    visitors: VisitorCommentList,
    summary: 'Lists the comments of an app.',
  },
  listFileComments: {
    ...listedIn,
    path: '/api/files/{id}/comments',
    on: { file: 'read' },
    summary: 'Lists the comments on a file.',
  },
  listPostComments: {
    ...listedIn,
    path: '/api/posts/{id}/comments',
    on: { post: 'read' },
    summary: 'Lists the comments on a post.',
  },
  listReplies: {
    ...shared.listedIn,
    path: '/api/comments/{id}/replies',
    on: { thread: 'read' },
    list: { ...entryList, orderBy: ['id', 'reaction_count'] },
    success: { 200: AnswerList },
    visitors: VisitorAnswerList,
    summary: 'Lists the comments below a comment.',
    description:
      'All of the thread for the comment that began it, else those that reply to it. The comment itself may be in the trash or deleted while comments below it are shown.',
  },
  trashComment: {
    ...changing(Comment),
    concurrentBy: 'item',
    path: '/api/comments/{id}/trash',
    on: { comment: 'remove', trashed: 'included' },
    summary: 'Puts a comment in the trash.',
  },
  restoreComment: {
    ...changing(Comment),
    concurrentBy: 'shown item',
    path: '/api/comments/{id}/restore',
    on: { comment: 'restore' },
    summary: 'Takes a comment out of the trash.',
  },
  holdComment: {
    ...changing(Comment),
    concurrentBy: 'item',
    path: '/api/comments/{id}/hold',
    on: { comment: 'moderate' },
    summary: 'Holds a comment: only its author and moderators see it until it is approved.',
  },
  approveComment: {
    ...changing(Comment),
    concurrentBy: 'shown item',
    path: '/api/comments/{id}/approve',
    on: { comment: 'approve' },
    summary: 'Approves a comment that is held, so that everyone sees it.',
  },
  resolveComment: {
    ...resolving(Comment),
    path: '/api/comments/{id}/resolve',
    summary: 'Resolves the thread that a comment began. Doing it twice is the same as once.',
  },
  reopenComment: {
    ...resolving(Comment),
    path: '/api/comments/{id}/reopen',
    summary: 'Reopens a thread that was resolved.',
  },
  deleteComment: {
    ...deleting,
    path: '/api/comments/{id}',
    on: { comment: 'remove', trashed: 'included' },
    signedIn: null,
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
