import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ExternalBlobCreate } from '../../contract/blobs.ts';
import type { Db, Tx } from '../../db/db.ts';
import { append } from '../../events/events.ts';
import type { Clock, UnixMs } from '../../kernel/clock.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import { renderBlob } from './blob-json.ts';
import type { BlobForm, BlobLinks, Linked, Proof } from './blob-links.ts';
import { cleanName } from './blob-name.ts';
import type { BlobStore, ByteRange, ShownAs, Stored } from './blob-store.ts';
import {
  type BlobRow,
  blobById,
  claimBlobs,
  deleteBlobs,
  expiredBlobs,
  insertBlob,
  insertSetting,
  pictureBlob,
  releaseBlobs,
  servedBlob,
  settingOf,
} from './blobs.store.ts';
import { externalReaders, noOtherPlace, prepareExternal } from './external-blob.ts';
import { detectMediaType, isInlineType, sampleBytesMax } from './media-type.ts';
import { type PictureSize, pictureBytesMax, readPictureSize } from './picture-size.ts';
import type { UploadQuota } from './upload-quota.ts';

/** How long an upload waits for its use: a day covers a text that is written over an evening. */
const waitMs = 24 * 3_600_000;
/** How long after its end a blob is swept, so that no claim that began before the end can still be on its way. */
const graceMs = 60_000;
/** How many blobs one step of the sweep removes. */
const sweptMax = 100;

/** A file as it arrives: what the sender calls it, and its bytes. */
export type Upload = {
  readonly name: string;
  readonly bytes: Readable;
  /** At least as many bytes as will come. */
  readonly bytesMax: number;
};

/** A file to be sent to a browser. */
export type Served = {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  /** The same for the same bytes, different for others. */
  readonly tag: string;
  /** Whether a browser may show it instead of saving it. */
  readonly isInline: boolean;
} & ServedBytes;

/** How the bytes of a file are reached. */
export type ServedBytes = {
  /** Throws `not_found` when they are gone. */
  readonly read: (range: ByteRange) => Promise<Readable>;
  /** An address elsewhere that a browser may load them from; absent when it is to load them from here. */
  readonly addressOf?: (shown: ShownAs) => Promise<string>;
};

/** What the blobs feature does; see the operations of the same names. */
export type Blobs = ReturnType<typeof createBlobs>;

/** The blobs feature: uploads that become visible when a comment, post or file uses them. */
export function createBlobs({
  db,
  clock,
  store,
  links,
  quota,
  actorOf,
}: {
  db: Db;
  clock: Clock;
  store: BlobStore;
  links: BlobLinks;
  quota: UploadQuota;
  /** Who did something, rendered; passed in because users have blobs as pictures. */
  actorOf: (user: User) => { id: number; json: Json };
}) {
  /**
   * Keeps bytes and their row, or nothing. `digest` is that of bytes which are to be known again. Throws
   * `upload_quota_reached` and `too_busy`.
   */
  async function keep(principal: Principal, upload: Upload, digest: string | null): Promise<BlobRow> {
    const release = await quota.reserve(principal, upload.bytesMax);
    try {
      return await receive(principal, upload, digest);
    } finally {
      release();
    }
  }

  async function receive(
    principal: Principal,
    { name: sent, bytes }: Upload,
    digest: string | null,
  ): Promise<BlobRow> {
    const { key, size, head } = await store.write(bytes, { headBytesMax: pictureBytesMax });
    try {
      const name = cleanName(sent) ?? 'file';
      const mediaType = await detectMediaType(head.subarray(0, sampleBytesMax), name);
      const picture: PictureSize | undefined = readPictureSize(head, mediaType);
      const values = {
        ...noOtherPlace,
        key,
        name,
        mediaType,
        size,
        width: picture?.width ?? null,
        height: picture?.height ?? null,
      };
      const userId = principal.user.id;
      const at = clock.now();
      const row = { ...values, digest, at, userId, expiresAt: at + waitMs };
      const id = await db.write(async (tx) => {
        await quota.assertRoom(tx, principal, size);
        return await tx.insert(insertBlob, row);
      });
      // The row first: a file without a row would never be found again, a row without a file is swept.
      await store.place(key);
      return { ...values, id, createdById: userId };
    } catch (error) {
      await store.discard(key);
      throw error;
    }
  }

  /** The blob behind an address of one form; throws `not_found` or `link_expired`. */
  async function findLinked(linked: Linked, proof: Proof, form: BlobForm): Promise<BlobRow> {
    links.verify(linked, proof, form);
    const blob = await db.read.get(servedBlob, {
      key: linked.key,
      now: clock.now(),
      isSmall: form === 'thumbnail' ? 1 : 0,
    });
    if (blob === undefined) throw notFound('file');
    return blob;
  }

  return {
    findLinked,

    /** Keeps an upload. Throws what reading `bytes` throws, and leaves nothing then. */
    createBlob: async (principal: Principal, upload: Upload): Promise<Json> =>
      renderBlob(await keep(principal, upload, null), links),

    /** Keeps bytes that came inside a request; they wait for their use as an upload does. */
    keepBytes: async (principal: Principal, upload: Upload & { digest: string }): Promise<BlobRow> =>
      await keep(principal, upload, upload.digest),

    /** Names something that is kept elsewhere. */
    async createExternalBlob(principal: Principal, input: Input<ExternalBlobCreate>): Promise<Json> {
      const place = input.read(externalReaders).map(prepareExternal).valid();
      const values = { ...place, key: randomBytes(16).toString('hex') };
      const userId = principal.user.id;
      const at = clock.now();
      return await db.write(async (tx) => {
        await quota.assertRoom(tx, principal, 0);
        const row = { ...values, digest: null, at, userId, expiresAt: at + waitMs };
        const id = await tx.insert(insertBlob, row);
        const blob = renderBlob({ ...values, id }, links);
        await append(tx, {
          action: 'blob_linked',
          actor: actorOf(principal.user),
          appId: null,
          userId,
          entity: { id, json: blob },
          at,
        });
        return blob;
      });
    },

    async getBlob(principal: Principal, id: number): Promise<Json> {
      const blob = await db.read.get(blobById, { id, now: clock.now() });
      if (blob === undefined) throw notFound('blob');
      if (principal.kind !== 'key' && blob.createdById !== principal.user.id) throw notFound('blob');
      return renderBlob(blob, links);
    },

    /** The file behind an address; throws `not_found` or `link_expired`. */
    async findServed(linked: Linked, proof: Proof): Promise<Served> {
      const blob = await findLinked(linked, proof, 'original');
      return {
        name: linked.name,
        mediaType: blob.mediaType,
        size: blob.size,
        tag: `"${blob.key}"`,
        isInline: isInlineType(blob.mediaType),
        ...servedBytes(store, blob, blob.mediaType),
      };
    },

    /** The blob that is somebody's picture, by its address; throws `not_found`. */
    async findPicture(key: string, signature: string): Promise<BlobRow> {
      links.verifyPicture(key, signature);
      const blob = await db.read.get(pictureBlob, { key });
      if (blob === undefined) throw notFound('file');
      return blob;
    },

    /** Removes some of the blobs that nobody used in time; answers whether there may be more. */
    async sweep(): Promise<boolean> {
      const expired = await db.read.all(expiredBlobs, { before: clock.now() - graceMs, top: sweptMax });
      if (expired.length === 0) return false;
      // The file first: what has a row is found again after a crash.
      for (const { key } of expired) await store.remove(key);
      await db.write((tx) => tx.run(deleteBlobs, { ids: expired.map(({ id }) => id) }));
      return expired.length === sweptMax;
    },
  };
}

/** Reads what is stored; throws `not_found` when it is gone. */
export async function readStored(store: BlobStore, stored: Stored, range: ByteRange): Promise<Readable> {
  const bytes = await store.read(stored, range);
  if (bytes === undefined) throw notFound('file');
  return bytes;
}

/**
 * How the bytes of what is stored are reached. Elsewhere there is nobody to say that their type is not to be guessed and
 * that they run nothing, so only what no browser runs under its type, whatever it holds, has an address there.
 */
export function servedBytes(store: BlobStore, { key, form }: Stored, mediaType: string): ServedBytes {
  const stored = form === undefined ? { key } : { key, form };
  const { addressOf } = store;
  return {
    read: async (range) => await readStored(store, stored, range),
    ...(addressOf === undefined || !isInlineType(mediaType)
      ? {}
      : { addressOf: async (shown) => await addressOf(stored, shown) }),
  };
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

/**
 * Ends the use of blobs: what nothing else uses is swept soon. Must run in the transaction that removes what used them,
 * after the removal.
 */
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
