import type { Readable } from 'node:stream';

/**
 * Where the bytes of blobs are kept: in a folder of this machine (`blob-folder.ts`) or in a bucket (`blob-bucket.ts`).
 *
 * Both keep one order. An upload is first written whole to a folder of this machine, and gets its place only after its row is in the store. So whatever moment the process ends at, bytes in their place have a row,
 * and the sweep of the rows finds all of them without a list of what is kept.
 */

/** A file that was written and has no place yet. */
export type Written = {
  readonly key: string;
  readonly size: number;
  /** The first bytes, at most as many as were asked for. */
  readonly head: Uint8Array;
};

/** What can be made of a blob and is kept beside it. */
export const derivedForms = ['thumbnail', 'preview', 'picture', 'code'] as const;
/** One of them. A `picture` is that of a person; `code` is the fragment that shows source code. */
export type DerivedForm = (typeof derivedForms)[number];

/** What has a place: a blob, or what was made of it. */
export type Stored = { readonly key: string; readonly form?: DerivedForm };

/** Some of the bytes of a file, from `start` to `end`, both included; `end` is at least `start`. */
export type ByteRange = { readonly start: number; readonly end: number };

/** How an address of its own shows what is stored: headers of the answer that the place is made to give. */
export type ShownAs = { readonly mediaType: string; readonly disposition: string };

/** Makes something of a blob: writes it to `target` from the file that `source` answers, or answers that it cannot. */
export type Making = (paths: { source: () => Promise<string>; target: string }) => Promise<boolean>;

/** The place of blobs. Everything throws `storage_unavailable` while the place cannot be used. */
export type BlobStore = {
  /** Writes `bytes` to the end. When they fail, throws what they fail with and leaves nothing. */
  write(bytes: Readable, options: { headBytesMax: number }): Promise<Written>;
  /** Gives what was written its place, for good once it answers. */
  place(key: string): Promise<void>;
  /** Removes what was written and gets no place. */
  discard(key: string): Promise<void>;
  /** Reads what is stored, all of it or a range; undefined when it is not there. */
  read(stored: Stored, range?: ByteRange): Promise<Readable | undefined>;
  /** How many bytes are stored; undefined when it is not there. No bytes at all say of a form that it cannot be made. */
  sizeOf(stored: Stored): Promise<number | undefined>;
  /** Removes a blob if it is there, with everything that was made of it. */
  remove(key: string): Promise<void>;
  /**
   * Keeps what `make` writes beside the blob, whole or not at all; no bytes when it answers false. Throws what `make`
   * throws and keeps nothing then, and nothing for a blob that is gone.
   */
  derive(key: string, form: DerivedForm, make: Making): Promise<void>;
  /** An address of the place itself that shows what is stored for at most an hour; absent where there is none. */
  readonly addressOf?: (stored: Stored, shown: ShownAs) => Promise<string>;
};
