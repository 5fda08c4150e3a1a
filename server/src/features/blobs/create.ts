import { randomBytes } from 'node:crypto';
import { blobOperations, type ExternalBlobCreate } from 'confab-contract/blobs.ts';
import type { BlobRow } from '../../access/blob/blob.sql.ts';
import { handler } from '../../binding/handler.ts';
import { append } from '../../events/events.ts';
import type { Input } from '../../kernel/input.ts';
import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import { renderBlob } from './blob-json.ts';
import type { BlobLinks } from './blob-links.ts';
import { insertBlob } from './blobs.store.ts';
import { unusedMsMax } from './blobs.ts';
import { externalBlobOf, externalReaders } from './external-blob.ts';
import type { UploadQuota } from './upload-quota.ts';
import type { Upload, Uploads } from './uploads.ts';

type Parts = { readonly uploads: Uploads; readonly links: BlobLinks };

/** Keeps the file of a form; returns the blob as JSON. */
function keeper(caller: Principal, { uploads, links }: Parts) {
  return async (file: Omit<Upload, 'digest' | 'remade'>): Promise<Json> =>
    renderBlob(await uploads.keep(caller, { ...file, digest: null }), links);
}

/** Lets a visitor send a picture, and returns what keeps it. */
type Admit = (
  caller: Principal,
  clientAddress: string | undefined,
) => Promise<(file: Omit<Upload, 'digest' | 'remade'>) => Promise<BlobRow>>;

/** Stores an upload; of visitors only pictures, which are made again. */
export const createBlob = handler(
  blobOperations.createBlob,
  async (
    { caller, receive, raw },
    // Passed in, because what visitors may do is built on uploads.
    { commentPictures, ...parts }: Parts & { readonly commentPictures: { readonly admit: Admit } },
  ) => {
    if (caller.kind !== 'visitor') return await receive(keeper(caller, parts));
    const keep = await commentPictures.admit(caller, raw.clientAddress);
    return await receive(async (file) => renderBlob(await keep(file), parts.links));
  },
);

/** Stores the upload of an export, which may be larger than others. */
export const createImportBlob = handler(
  blobOperations.createImportBlob,
  async ({ caller, receive }, parts: Parts) => await receive(keeper(caller, parts)),
);

const prepareExternal = (input: Input<ExternalBlobCreate>) => input.read(externalReaders).map(externalBlobOf);

/** Adds a link to a file stored elsewhere. */
export const createExternalBlob = handler(
  blobOperations.createExternalBlob,
  prepareExternal,
  async (
    { tx, caller, body, at },
    parts: {
      links: BlobLinks;
      quota: UploadQuota;
      /** Passed in, because users have blobs as pictures, and features must not import each other in a circle. */
      actorOf: (caller: Principal) => { id: number; json: Json };
    },
  ) => {
    await parts.quota.assertRoom(tx, caller, 0);
    const values = { ...body, key: randomBytes(16).toString('hex') };
    const userId = caller.user.id;
    const creation = { createdAt: at, createdById: userId, expiresAt: at + unusedMsMax };
    const id = await tx.insert(insertBlob, { ...values, ...creation, digest: null, isOfVisitor: 0 });
    const blob = renderBlob({ ...values, id }, parts.links);
    await append(tx, {
      action: 'blob_linked',
      actor: parts.actorOf(caller),
      appId: null,
      userId,
      entity: { id, json: blob },
      at,
    });
    return blob;
  },
);
