import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Db, Tx } from '../../db/db.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import { type Json, json, jsonString } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import type { BlobFolder } from './blob-folder.ts';
import type { BlobLinks, Linked } from './blob-links.ts';
import { cleanName } from './blob-name.ts';
import {
  type BlobRow,
  blobById,
  claimBlobs,
  deleteBlobs,
  expiredBlobs,
  insertBlob,
  insertSetting,
  releaseBlobs,
  servedBlob,
  settingOf,
} from './blobs.store.ts';
import { previewFormatOf } from './file-kinds.ts';
import { detectMediaType, isInlineType, sampleBytesMax } from './media-type.ts';
import { type PictureSize, pictureBytesMax, readPictureSize } from './picture-size.ts';

/** How long an upload waits for its use: a day covers a text that is written over an evening. */
const waitMs = 24 * 3_600_000;
/** How long after its end a blob is swept, so that no claim that began before the end can still be on its way. */
const graceMs = 60_000;
/** How many blobs one step of the sweep removes. */
const sweptMax = 100;

/** A file as it arrives: what the sender calls it, and its bytes. */
export type Upload = { readonly name: string; readonly bytes: Readable };

/** A file to be sent to a browser. */
export type Served = {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  /** The same for the same bytes, different for others. */
  readonly tag: string;
  /** Whether a browser may show it instead of saving it. */
  readonly isInline: boolean;
  /** Opens the bytes; the caller closes them. */
  readonly open: () => Promise<FileHandle>;
};

/** What the blobs feature does; see the operations of the same names. */
export type Blobs = ReturnType<typeof createBlobs>;

/** The blobs feature: uploads that become visible when a comment, post or file uses them. */
export function createBlobs({
  db,
  clock,
  folder,
  links,
}: {
  db: Db;
  clock: Clock;
  folder: BlobFolder;
  links: BlobLinks;
}) {
  return {
    /** Keeps an upload. Throws what reading `bytes` throws, and leaves nothing then. */
    async createBlob(principal: Principal, { name: sent, bytes }: Upload): Promise<Json> {
      const { key, size, head } = await folder.write(bytes, { headBytesMax: pictureBytesMax });
      try {
        const name = cleanName(sent) ?? 'file';
        const mediaType = await detectMediaType(head.subarray(0, sampleBytesMax), name);
        const picture: PictureSize | undefined = readPictureSize(head, mediaType);
        const values = {
          key,
          name,
          mediaType,
          size,
          width: picture?.width ?? null,
          height: picture?.height ?? null,
        };
        const userId = principal.user.id;
        const at = clock.now();
        const id = await db.write((tx) =>
          tx.insert(insertBlob, { ...values, at, userId, expiresAt: at + waitMs }),
        );
        // The row first: a file without a row would never be found again, a row without a file is swept.
        await folder.place(key);
        return renderBlob({ ...values, id, createdById: userId }, links);
      } catch (error) {
        await folder.discard(key);
        throw error;
      }
    },

    async getBlob(principal: Principal, id: number): Promise<Json> {
      const blob = await db.read.get(blobById, { id, now: clock.now() });
      if (blob === undefined) throw notFound('blob');
      if (principal.kind !== 'key' && blob.createdById !== principal.user.id) throw notFound('blob');
      return renderBlob(blob, links);
    },

    /** The file behind an address; throws `not_found` or `link_expired`. */
    async findServed(linked: Linked, proof: { expires: string; signature: string }): Promise<Served> {
      links.verify(linked, proof);
      const blob = await db.read.get(servedBlob, { key: linked.key, now: clock.now() });
      if (blob === undefined) throw notFound('file');
      return {
        name: linked.name,
        mediaType: blob.mediaType,
        size: blob.size,
        tag: `"${blob.key}"`,
        isInline: isInlineType(blob.mediaType),
        async open() {
          const file = await folder.open(blob.key);
          if (file === undefined) throw notFound('file');
          return file;
        },
      };
    },

    /** Removes some of the blobs that nobody used in time; answers whether there may be more. */
    async sweep(): Promise<boolean> {
      const expired = await db.read.all(expiredBlobs, { before: clock.now() - graceMs, top: sweptMax });
      if (expired.length === 0) return false;
      // The file first: what has a row is found again after a crash.
      for (const { key } of expired) await folder.remove(key);
      await db.write((tx) => tx.run(deleteBlobs, { ids: expired.map(({ id }) => id) }));
      return expired.length === sweptMax;
    },
  };
}

function renderBlob(blob: BlobRow, links: BlobLinks): Json {
  const size = blob.width === null ? '' : `"width":${blob.width},"height":${blob.height},`;
  const thumbnail =
    previewFormatOf(blob.name, blob.mediaType) === 'image'
      ? `,"thumbnail_url":${jsonString(links.to(blob))}`
      : '';
  return json(
    `{"id":${blob.id},"name":${jsonString(blob.name)},"media_type":${jsonString(blob.mediaType)},` +
      `${size}"size":${blob.size}${thumbnail}}`,
  );
}

/** Whose uploads a caller may use: an API key those of anyone. */
function claimant(principal: Principal): { userId: number; anyones: number } {
  return { userId: principal.user.id, anyones: principal.kind === 'key' ? 1 : 0 };
}

/**
 * Takes uploads into use, each for one thing and for good; must run in the transaction that uses them. One statement
 * for any number. Throws `validation_failed` at `pointerOf(index)` for the first one that does not exist, is another
 * user's, is used already or stands in the list twice. Answers their names by id.
 */
export async function useBlobs(
  tx: Tx,
  principal: Principal,
  wanted: { ids: readonly number[]; pointerOf: (index: number) => string; at: UnixMs },
): Promise<Map<number, string>> {
  const { ids, pointerOf, at } = wanted;
  const rows = await tx.all(claimBlobs, { ids, ...claimant(principal), now: at });
  const names = new Map(rows.map((row) => [row.id, row.name]));
  const wrong = ids.findIndex((id, index) => !names.has(id) || ids.indexOf(id) !== index);
  if (wrong !== -1) throw invalidField(pointerOf(wrong), 'not_found', 'is no blob of yours that is free');
  return names;
}

/** Ends the use of blobs, whose bytes are swept soon; must run in the transaction that removes what used them. */
export async function dropBlobs(tx: Tx, ids: readonly number[], at: UnixMs): Promise<void> {
  if (ids.length > 0) await tx.run(releaseBlobs, { ids, at });
}

const secretSetting = 'blob_link_secret';

/** The secret that addresses of blobs are signed with; made at the first start of a store. */
export async function linkSecret(db: Db): Promise<string> {
  const made = randomBytes(32).toString('hex');
  return await db.write(async (tx) => {
    await tx.run(insertSetting, { name: secretSetting, value: made });
    const row = await tx.get(settingOf, { name: secretSetting });
    if (row === undefined) throw new Error('the secret of the addresses was not kept');
    return row.value;
  });
}
