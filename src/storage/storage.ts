import type { Readable } from 'node:stream';

/**
 * Storage is where the bytes of blobs are kept: a folder of this machine (`folder.ts`) or a bucket (`bucket.ts`).
 *
 * Both use one order. An upload is first written completely to a folder of this machine (`spool.ts`), and moves to its
 * final place only after its row is in the store. So whenever the process ends, stored bytes have a row, and the sweep of
 * the rows finds all of them without listing the storage.
 */

/** A file that is written and has no place yet. */
export type StagedFile = {
  readonly key: string;
  readonly size: number;
  /** The first bytes, at most `headBytesMax`. */
  readonly head: Uint8Array;
};

/** What can be made of a blob and is kept alongside it. */
export const derivedForms = ['thumbnail', 'preview', 'picture', 'code'] as const;
/** One of them. A `picture` is that of a user; `code` is the HTML fragment that shows source code. */
export type DerivedForm = (typeof derivedForms)[number];

/** What has a place: a blob, or something made of it. */
export type Stored = { readonly key: string; readonly form?: DerivedForm };

/** Some of the bytes of a file, from `start` to `end`, both included; `end` is at least `start`. */
export type ByteRange = { readonly start: number; readonly end: number };

/** The headers with which the storage itself serves what is stored, at an address of its own. */
export type ServedHeaders = { readonly mediaType: string; readonly disposition: string };

/** Makes something of a blob: writes it to `target` from the file that `source` returns; false when it cannot be made. */
export type MakeDerived = (paths: { source: () => Promise<string>; target: string }) => Promise<boolean>;

/** The place of blobs. Every function throws `storage_unavailable` while the place cannot be used. */
export type BlobStorage = {
  /** Writes `bytes` to the end. When they fail, throws what they fail with and leaves nothing. */
  write(bytes: Readable, options: { headBytesMax: number }): Promise<StagedFile>;
  /** Gives a written file its place, durably once it returns. */
  place(key: string): Promise<void>;
  /** Removes a written file that gets no place. */
  discard(key: string): Promise<void>;
  /** Reads what is stored, all of it or a range; undefined when it is not there. */
  read(stored: Stored, range?: ByteRange): Promise<Readable | undefined>;
  /** How many bytes are stored; undefined when it is not there. A form of 0 bytes cannot be made. */
  sizeOf(stored: Stored): Promise<number | undefined>;
  /** Removes a blob if it is there, with everything that was made of it. */
  remove(key: string): Promise<void>;
  /**
   * Keeps what `make` writes alongside the blob, whole or not at all; 0 bytes when it returns false. Throws what `make`
   * throws and keeps nothing then; for a blob that is gone it keeps nothing either.
   */
  derive(key: string, form: DerivedForm, make: MakeDerived): Promise<void>;
  /** An address of the place itself that shows what is stored for at most an hour; absent where there is none. */
  readonly addressOf?: (stored: Stored, shown: ServedHeaders) => Promise<string>;
};
