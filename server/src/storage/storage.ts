import type { Readable } from 'node:stream';

/**
 * Storage is where the bytes of blobs are kept: a folder of this machine (`folder.ts`) or a bucket (`bucket.ts`).
 *
 * Both use one order. An upload is first written completely to a folder of this machine (`spool.ts`), and moves to its
 * final place only after its row is in the store. So whenever the process ends, stored bytes have a row, and the sweep of
 * the rows finds all of them without listing the storage.
 */

/** A written file that is not yet in its final place. */
export type StagedFile = {
  readonly key: string;
  readonly size: number;
  /** The first bytes, at most `headBytesMax`. */
  readonly head: Uint8Array;
};

/** The forms derived from a blob and stored alongside it. */
export const derivedForms = ['thumbnail', 'preview', 'picture', 'code'] as const;
/** One of them. `picture` is the picture of a user; `code` is the HTML fragment that shows source code. */
export type DerivedForm = (typeof derivedForms)[number];

/** A stored item: a blob, or a form derived from it. */
export type Stored = { readonly key: string; readonly form?: DerivedForm };

/** The name of a stored item: an object of a bucket, or a path in a folder, so that one place can be copied into the other. */
export function storedName({ key, form }: Stored): string {
  return `${key.slice(0, 2)}/${form === undefined ? key : `${key}.${form}`}`;
}

/** A range of the bytes of a file, from `start` to `end`, inclusive; `end` is at least `start`. */
export type ByteRange = { readonly start: number; readonly end: number };

/** The headers with which the storage itself serves a stored item, at its own address. */
export type ServedHeaders = { readonly mediaType: string; readonly disposition: string };

/**
 * Derives a form of a blob: writes it to `target` from the file that `source` returns; returns false when that is
 * impossible.
 */
export type MakeDerived = (paths: { source: () => Promise<string>; target: string }) => Promise<boolean>;

/** The place of blobs. Every function throws `storage_unavailable` while the place cannot be used. */
export type BlobStorage = {
  /** Writes all of `bytes`. If they fail, throws their error and leaves nothing. */
  write(bytes: Readable, options: { headBytesMax: number }): Promise<StagedFile>;
  /**
   * Replaces a written file with the file that `make` writes to `target`. If `make` returns false, returns
   * undefined and replaces nothing. If `make` throws, throws its error.
   */
  remake(key: string, make: MakeDerived, options: { headBytesMax: number }): Promise<StagedFile | undefined>;
  /** Moves a written file to its final place, durably once it returns. */
  place(key: string): Promise<void>;
  /** Removes a written file that is not needed. */
  discard(key: string): Promise<void>;
  /** Reads a stored item, all of it or a range; undefined when it does not exist. */
  read(stored: Stored, range?: ByteRange): Promise<Readable | undefined>;
  /**
   * The size of a stored item in bytes; undefined when it does not exist. A form of 0 bytes is one that cannot be
   * derived.
   */
  sizeOf(stored: Stored): Promise<number | undefined>;
  /** Removes a blob if it exists, with every form derived from it. */
  remove(key: string): Promise<void>;
  /**
   * Stores the file that `make` writes alongside the blob, completely or not at all. If `make` returns false,
   * stores a file of 0 bytes. If `make` throws, throws its error and stores nothing. Stores nothing for a
   * removed blob.
   */
  derive(key: string, form: DerivedForm, make: MakeDerived): Promise<void>;
  /** An address of the storage itself that shows a stored item for at most an hour; absent where there is none. */
  readonly addressOf?: (stored: Stored, headers: ServedHeaders) => Promise<string>;
};
