import type {
  CallOptions,
  CommentItem,
  FileItem,
  LockCreate,
  MessageItem,
  Pages,
  PostItem,
  Ref,
  Revision,
} from 'confab-client';
import { client } from '../../api.ts';

/** What users write and upload: four kinds with the same operations, each under its own name. */

/** A kind of content, as addresses have it. */
export const kinds = ['comments', 'posts', 'messages', 'files'] as const;
/** One of them. */
export type Kind = (typeof kinds)[number];

/** A comment, post, message or file of a list, which details have as well. */
export type Item = CommentItem | PostItem | MessageItem | FileItem;

/** What a list of items is asked for. */
export type ItemQuery = {
  readonly q?: string;
  /** Only what this user wrote; not of files. */
  readonly author_id?: number;
  readonly trashed?: boolean | null;
  readonly order_by?: 'id desc' | 'id';
  readonly expand?: 'created_by'[];
  readonly count?: boolean;
  readonly count_only?: boolean;
};

/** What a moderator does with an item, each with what takes it back. */
export const opposites = { trash: 'restore', restore: 'trash', hold: 'approve', approve: 'hold' } as const;
/** One of them. */
export type Change = keyof typeof opposites;
/** All of them, in the order of their buttons. */
export const changes = Object.keys(opposites) as readonly Change[];

/** What the interface calls one item of a kind. */
export const kindNames = { comments: 'comment', posts: 'post', messages: 'message', files: 'file' } as const;

type Lists<T> = (query: ItemQuery, options: CallOptions) => Pages<T>;
type Changes = { readonly [C in Change]: (id: number, options?: CallOptions) => PromiseLike<Item> };

type Operations = Changes & {
  readonly all: Lists<Item>;
  readonly ofApp: (app: Ref, query: ItemQuery, options: CallOptions) => Pages<Item>;
  readonly get: (id: number, query: { trashed: boolean }, options: CallOptions) => PromiseLike<Item>;
  readonly remove: (id: number) => PromiseLike<unknown>;
  /** Absent where no revisions are kept. */
  readonly revisions?: (id: number, query: { order_by: 'id desc' }, options: CallOptions) => Pages<Revision>;
  /** Absent where nobody comments. */
  readonly comments?: (id: number, query: ItemQuery, options: CallOptions) => Pages<Item>;
  /** Absent where nothing can be written on it. */
  readonly lock?: (id: number, body: LockCreate) => PromiseLike<Item>;
  readonly unlock?: (id: number) => PromiseLike<Item>;
};

/** The operations of each kind. */
export const operations: { readonly [K in Kind]: Operations } = {
  comments: {
    all: client.listComments,
    ofApp: client.listAppComments,
    get: client.getComment,
    trash: client.trashComment,
    restore: client.restoreComment,
    hold: client.holdComment,
    approve: client.approveComment,
    remove: client.deleteComment,
    revisions: client.listCommentRevisions,
  },
  posts: {
    all: client.listPosts,
    ofApp: client.listAppPosts,
    get: client.getPost,
    trash: client.trashPost,
    restore: client.restorePost,
    hold: client.holdPost,
    approve: client.approvePost,
    remove: client.deletePost,
    revisions: client.listPostRevisions,
    comments: client.listPostComments,
    lock: client.lockPost,
    unlock: client.unlockPost,
  },
  messages: {
    all: client.listMessages,
    ofApp: client.listAppMessages,
    get: client.getMessage,
    trash: client.trashMessage,
    restore: client.restoreMessage,
    hold: client.holdMessage,
    approve: client.approveMessage,
    remove: client.deleteMessage,
    revisions: client.listMessageRevisions,
  },
  files: {
    all: client.listFiles,
    ofApp: client.listAppFiles,
    get: client.getFile,
    trash: client.trashFile,
    restore: client.restoreFile,
    hold: client.holdFile,
    approve: client.approveFile,
    remove: client.deleteFile,
    comments: client.listFileComments,
    lock: client.lockFile,
    unlock: client.unlockFile,
  },
};

/** The beginnings of the actions of events about content, for `live`. */
export const contentActions = ['comment_', 'post_', 'message_', 'file_'] as const;

/** The kind of a thing that the interface names in the singular, such as the `parent` of a comment. */
export function kindOf(type: string): Kind | undefined {
  return kinds.find((kind) => kindNames[kind] === type);
}

/** Whether a change would do something to an item. */
export function isOpenTo(
  change: Change,
  { is_trashed, is_held }: { readonly is_trashed: boolean; readonly is_held?: boolean },
): boolean {
  if (is_trashed || change === 'restore') return is_trashed && change === 'restore';
  return change === 'trash' || (change === 'approve') === (is_held === true);
}
