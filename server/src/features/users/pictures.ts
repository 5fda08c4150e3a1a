import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { invalidField } from 'confab-contract/problem.ts';
import type { Ref } from 'confab-contract/values/ids.ts';
import { findUser } from '../../access/user/user-access.ts';
import type { Db, Read } from '../../db/db.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { Principal, User } from '../../kernel/principal.ts';
import { findBlobFacts, renderedBlobs } from '../blobs/blob-facts.ts';
import { type BlobLinks, pictureTailCharacters } from '../blobs/blob-links.ts';
import type { Uploads } from '../blobs/uploads.ts';
import { isPicture, notPicture } from '../media/media.ts';
import type { PictureValues, RequestedPicture } from './user-change.ts';
import { renderWhole } from './user-json.ts';
import { readdressPictures } from './users.store.ts';

/**
 * Pictures of users, and of apps (`second-form/routes/app-picture.ts`). A picture that is a blob belongs to its user as a blob belongs to a file. Its address is stored
 * with the user, like an address elsewhere, so rendering a user needs no other row.
 */

/** The part of the server that reads and renders the pictures of users. */
export type Pictures = ReturnType<typeof createPictures>;

/** Creates that part. */
export function createPictures({ db, uploads, links }: { db: Db; uploads: Uploads; links: BlobLinks }) {
  function ofBlob(id: number, key: string): PictureValues {
    return { pictureId: id, pictureUrl: links.toPicture(key) };
  }

  /** The columns to store for a sent picture. Bytes that equal the present picture of `user` keep that blob. */
  async function valuesOf(
    principal: Principal,
    picture: RequestedPicture,
    { user, isFaulty }: { user: User | undefined; isFaulty: boolean },
  ): Promise<PictureValues> {
    if (picture.kind === 'address') return { pictureId: null, pictureUrl: picture.url };
    if (picture.kind === 'blob') {
      const blob = await findBlobFacts(db.read, picture.id);
      if (blob === undefined) throw invalidField('/picture', 'not_found', 'is no blob of yours that is free');
      if (!blob.isPicture) throw notPicture('/picture');
      return ofBlob(picture.id, blob.key);
    }
    const digest = createHash('sha256').update(picture.bytes).digest('hex');
    if (user !== undefined && user.pictureId !== null) {
      const present = await findBlobFacts(db.read, user.pictureId);
      if (present?.digest === digest) return ofBlob(user.pictureId, present.key);
    }
    if (!(await isPicture(picture.bytes))) throw notPicture('/picture');
    if (isFaulty) return { pictureId: null, pictureUrl: null };
    const bytesMax = picture.bytes.length;
    const upload = { name: 'picture', bytes: Readable.from([picture.bytes]), bytesMax, digest };
    const { id, key } = await uploads.keep(principal, upload);
    return ofBlob(id, key);
  }

  return {
    /**
     * Creates the reader of a sent picture, for use before the transaction that changes the user. It stores the bytes
     * as an unused upload, unless the body has faults. `ref` names the user who may already have the picture.
     */
    reader:
      (principal: Principal, ref: Ref | undefined) =>
      async (picture: RequestedPicture, { isFaulty }: { isFaulty: boolean }): Promise<PictureValues> => {
        const user = ref === undefined ? undefined : await findUser(db.read, ref);
        return await valuesOf(principal, picture, { user, isFaulty });
      },

    /** A user in full, with the blob of the picture. */
    async rendered(read: Read, user: User, caller: Pick<Principal, 'form'>): Promise<Json> {
      const rendered = renderWhole(caller, user);
      if (user.pictureId === null) return rendered;
      const picture = (await renderedBlobs(read, links, [user.pictureId])).get(user.pictureId);
      return picture === undefined ? rendered : json(`${rendered.slice(0, -1)},"picture":${picture}}`);
    },

    /** Rewrites the stored addresses of pictures when the public address of the server has changed since its last start. */
    async readdress(publicUrl: string): Promise<void> {
      const base = `${publicUrl}/pictures/`;
      await db.write(async (tx) => {
        for (const statement of readdressPictures)
          await tx.run(statement, { publicUrl, base, tail: pictureTailCharacters });
      });
    },
  };
}
