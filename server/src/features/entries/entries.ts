import type { UnixMs } from 'confab-contract/values/time.ts';
import type { EntryKind } from '../../access/entry/entry.sql.ts';
import type { ReadableEntry } from '../../access/entry/entry-access.ts';
import type { Read, Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { BlobLinks } from '../blobs/blob-links.ts';

/**
 * Entries are the common form of comments, posts and messages: a text with attachments, poll options, tags,
 * metadata and so on. The *kind* of an entry is one of these three; its *parent* is the item that contains
 * it. Each verb has a file here (`create.ts`, `list.ts`, ...), and the features of the three kinds bind it to
 * their operations.
 */

/** Every kind of entry. */
export const entryKinds: readonly EntryKind[] = ['comment', 'post', 'message'];

/** The part of the server that entries need: it creates the addresses of attachments. */
export type Links = { readonly links: BlobLinks };

/** The dependencies of showing entries. `links` is undefined only where no entry has attachments, as in an import. */
export type EntryRead = {
  readonly read: Read;
  readonly caller: Principal;
  readonly links: BlobLinks | undefined;
};

/** The dependencies of changing an entry. */
export type EntryChange = Omit<EntryRead, 'read'> & { readonly tx: Tx; readonly at: UnixMs };

/** A change of the state of an entry. */
export type Move<O extends ReadableEntry> = Omit<EntryChange, 'links'> & { readonly on: O };
