import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Db, Read } from '../../db/db.ts';
import type { Ref } from '../../kernel/ids.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { invalidField, type Problem } from '../../kernel/problem.ts';
import { findBlobFacts, isPicture, renderedBlobs } from '../blobs/blob-facts.ts';
import { type BlobLinks, pictureTailCharacters } from '../blobs/blob-links.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { decodedMax } from '../blobs/file-kinds.ts';
import type { PictureValues, SentPicture } from './user-change.ts';
import { renderUser } from './user-json.ts';
import { findUser } from './user-record.ts';
import { readdressPictures } from './users.store.ts';

/**
 * Pictures of people. One that is a blob is used by the person as a file uses one, and its address is stored with the
 * person like an address elsewhere, so that whatever shows people shows their pictures without asking for more.
 */

/** What the pictures of people can do. */
export type Pictures = ReturnType<typeof createPictures>;

/** Settles what requests bring as pictures, ahead of the transaction that changes the person. */
export function createPictures({ db, blobs, links }: { db: Db; blobs: Blobs; links: BlobLinks }) {
  function ofBlob(id: number, key: string): PictureValues {
    return { pictureId: id, pictureUrl: links.toPicture(key) };
  }

  /** The values for a sent picture. One that is the present picture of `user` once more is that one. */
  async function valuesOf(
    principal: Principal,
    picture: SentPicture,
    { user, isFaulty }: { user: User | undefined; isFaulty: boolean },
  ): Promise<PictureValues> {
    if (picture.kind === 'address') return { pictureId: null, pictureUrl: picture.url };
    if (picture.kind === 'blob') {
      const blob = await findBlobFacts(db.read, picture.id);
      if (blob === undefined) throw invalidField('/picture', 'not_found', 'is no blob of yours that is free');
      if (!blob.isPicture) throw notPicture();
      return ofBlob(picture.id, blob.key);
    }
    const digest = createHash('sha256').update(picture.bytes).digest('hex');
    if (user !== undefined && user.pictureId !== null) {
      const present = await findBlobFacts(db.read, user.pictureId);
      if (present?.digest === digest) return ofBlob(user.pictureId, present.key);
    }
    if (!(await isPicture(picture.bytes))) throw notPicture();
    if (isFaulty) return { pictureId: null, pictureUrl: null };
    const bytesMax = picture.bytes.length;
    const upload = { name: 'picture', bytes: Readable.from([picture.bytes]), bytesMax, digest };
    const { id, key } = await blobs.keepBytes(principal, upload);
    return ofBlob(id, key);
  }

  return {
    /**
     * Makes the reader of a sent picture, for use ahead of the transaction that changes the user. It keeps bytes, which
     * wait for their use as an upload does, unless the request is refused anyway. `ref` names the user who may have the
     * picture already.
     */
    reader:
      (principal: Principal, ref: Ref | undefined) =>
      async (picture: SentPicture, { isFaulty }: { isFaulty: boolean }): Promise<PictureValues> => {
        const user = ref === undefined ? undefined : await findUser(db.read, ref);
        return await valuesOf(principal, picture, { user, isFaulty });
      },

    /** A user as an answer shows one: with the blob that is the picture. */
    async rendered(read: Read, user: User): Promise<Json> {
      const rendered = renderUser(user);
      if (user.pictureId === null) return rendered;
      const picture = (await renderedBlobs(read, links, [user.pictureId])).get(user.pictureId);
      return picture === undefined ? rendered : json(`${rendered.slice(0, -1)},"picture":${picture}}`);
    },

    /** Brings stored addresses in step when clients know this server by another one than at its last start. */
    async readdress(publicUrl: string): Promise<void> {
      const base = `${publicUrl}/pictures/`;
      await db.write((tx) => tx.run(readdressPictures, { publicUrl, base, tail: pictureTailCharacters }));
    },
  };
}

function notPicture(): Problem {
  const most = `${decodedMax.pixels / 1_000_000} megapixels and ${decodedMax.side} pixels a side`;
  return invalidField('/picture', 'not_picture', `must be a PNG, JPEG, GIF or WebP of at most ${most}`);
}
