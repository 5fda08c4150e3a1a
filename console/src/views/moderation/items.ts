import type { Comment, File, Message, Parent, Post } from '../../../../client/index.js';
import { client } from '../../api.ts';

/** What can be reported and held, each with the operations that moderators need. */

/** An item in full. */
export type Item = Comment | Post | Message | File;

/** What a moderator does to an item. */
export type Move = 'hold' | 'approve' | 'trash' | 'restore';

/** Where an item is: shown to everyone who reads its app, to moderators alone, in the trash, or out of reach. */
export type Standing = 'shown' | 'held' | 'trashed' | 'gone';

const moves = {
  comment: {
    hold: client.holdComment,
    approve: client.approveComment,
    trash: client.trashComment,
    restore: client.restoreComment,
  },
  post: {
    hold: client.holdPost,
    approve: client.approvePost,
    trash: client.trashPost,
    restore: client.restorePost,
  },
  message: {
    hold: client.holdMessage,
    approve: client.approveMessage,
    trash: client.trashMessage,
    restore: client.restoreMessage,
  },
  file: {
    hold: client.holdFile,
    approve: client.approveFile,
    trash: client.trashFile,
    restore: client.restoreFile,
  },
} as const;

const readers = {
  comment: client.getComment,
  post: client.getPost,
  message: client.getMessage,
  file: client.getFile,
} as const;

function kindOf({ type }: Parent): keyof typeof readers {
  return type as keyof typeof readers;
}

/** Reads an item, also from the trash. */
export function readItem(entity: Parent, signal: AbortSignal): Promise<Item> {
  return readers[kindOf(entity)](entity.id, { trashed: true }, { signal });
}

/** Moves an item. */
export async function moveItem(entity: Parent, move: Move): Promise<void> {
  await moves[kindOf(entity)][move](entity.id);
}

/** Where an item is; undefined is one that could not be read. */
export function standingOf(item: Item | undefined): Standing {
  if (item === undefined) return 'gone';
  if (item.is_held === true) return 'held';
  return item.is_trashed ? 'trashed' : 'shown';
}

/** The earlier texts of an item, the newest first; undefined for files, which have versions. */
export function revisionsOf(entity: Parent) {
  const lists = {
    comment: client.listCommentRevisions,
    post: client.listPostRevisions,
    message: client.listMessageRevisions,
  };
  return entity.type === 'file' ? undefined : lists[entity.type as keyof typeof lists];
}
