import type { Readable } from 'node:stream';
import { notFound } from 'confab-contract/problem.ts';
import type { BlobRow } from '../../access/blob/blob.sql.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { BlobStorage, ByteRange, ServedHeaders, Stored } from '../../storage/storage.ts';
import type { BlobForm, BlobLinks, LinkSignature, LinkTarget } from '../blobs/blob-links.ts';
import { isInlineType } from '../media/media-type.ts';
import { pictureBlob, servedBlob } from './downloads.store.ts';

/**
 * Downloads are the bytes behind signed addresses: of blobs, of smaller pictures made from them, and of users'
 * pictures.
 */

/** A file to send to a browser. */
export type Served = {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  /** The same for the same bytes, different for others. */
  readonly tag: string;
  /** Whether a browser may show it instead of saving it. */
  readonly isInline: boolean;
} & ServedBytes;

/** Where the bytes of a file are. */
export type ServedBytes = {
  /** Throws `not_found` when they are gone. */
  readonly read: (range: ByteRange) => Promise<Readable>;
  /** An address elsewhere from which a browser may load them; absent when this server sends them. */
  readonly addressOf?: (headers: ServedHeaders) => Promise<string>;
};

/** Finds what is behind signed addresses. */
export type Downloads = {
  /** The blob behind an address of one form; throws `not_found` or `link_expired`. */
  findLinked(linked: LinkTarget, proof: LinkSignature, form: BlobForm): Promise<BlobRow>;
  /** The file behind an address; throws `not_found` or `link_expired`. */
  findServed(linked: LinkTarget, proof: LinkSignature): Promise<Served>;
  /** The blob behind the address of a user's picture; throws `not_found`. */
  findPicture(key: string, signature: string): Promise<BlobRow>;
};

/** Creates the lookup of downloads. */
export function createDownloads({
  db,
  clock,
  links,
  storage,
}: {
  db: Db;
  clock: Clock;
  links: BlobLinks;
  storage: BlobStorage;
}): Downloads {
  async function findLinked(linked: LinkTarget, proof: LinkSignature, form: BlobForm): Promise<BlobRow> {
    links.verify(linked, proof, form);
    const isSmall = form === 'thumbnail' ? 1 : 0;
    const blob = await db.read.get(servedBlob, { key: linked.key, now: clock.now(), isSmall });
    if (blob === undefined) throw notFound('file');
    return blob;
  }

  return {
    findLinked,

    async findServed(linked, proof) {
      const { key, mediaType, size } = await findLinked(linked, proof, 'original');
      return {
        name: linked.name,
        mediaType,
        size,
        tag: `"${key}"`,
        isInline: isInlineType(mediaType),
        ...servedBytes(storage, { key }, mediaType),
      };
    },

    async findPicture(key, signature) {
      links.verifyPicture(key, signature);
      const blob = await db.read.get(pictureBlob, { key });
      if (blob === undefined) throw notFound('file');
      return blob;
    },
  };
}

/** Reads a range of stored bytes; throws `not_found` when they are gone. */
export async function readStored(storage: BlobStorage, stored: Stored, range: ByteRange): Promise<Readable> {
  const bytes = await storage.read(stored, range);
  if (bytes === undefined) throw notFound('file');
  return bytes;
}

/**
 * Where stored bytes are. A response from an address elsewhere lacks our headers, which forbid browsers to guess types
 * and to run anything. So only types that no browser runs, whatever the bytes are, get such an address.
 */
export function servedBytes(storage: BlobStorage, stored: Stored, mediaType: string): ServedBytes {
  const { addressOf } = storage;
  return {
    read: async (range) => await readStored(storage, stored, range),
    ...(addressOf === undefined || !isInlineType(mediaType)
      ? {}
      : { addressOf: async (headers) => await addressOf(stored, headers) }),
  };
}
