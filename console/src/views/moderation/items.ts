import type { Comment, File, Message, Parent, Post } from 'confab-client';
import { client } from '../../api.ts';
import { type Change, kindOf, operations } from '../content/kinds.ts';

/** An item in full. */
export type Item = Comment | Post | Message | File;

/** Where an item is: shown to everyone who reads its app, to moderators alone, in the trash, or out of reach. */
export type Standing = 'shown' | 'held' | 'trashed' | 'gone';

const readers = {
  comment: client.getComment,
  post: client.getPost,
  message: client.getMessage,
  file: client.getFile,
} as const;

/** Reads an item, also from the trash. */
export function readItem(entity: Parent, signal: AbortSignal): Promise<Item> {
  return readers[entity.type as keyof typeof readers](entity.id, { trashed: true }, { signal });
}

/** The operations of the kind of an item. */
export function operationsOf({ type }: Parent) {
  return operations[kindOf(type) ?? 'comments'];
}

/** Moves an item. */
export async function moveItem(entity: Parent, move: Change): Promise<void> {
  await operationsOf(entity)[move](entity.id);
}

/** Where an item is; undefined is one that could not be read. */
export function standingOf(item: Item | undefined): Standing {
  if (item === undefined) return 'gone';
  if (item.is_held === true) return 'held';
  return item.is_trashed ? 'trashed' : 'shown';
}
