import { notFound } from 'confab-contract/problem.ts';
import { idOf, isOwnedBy, type TimedLookup } from '../lookup.ts';
import type { BlobRow } from './blob.sql.ts';
import { blobById } from './blob-access.store.ts';

declare const readable: unique symbol;

/** A blob that the caller may see: their own, or any with an API key. */
export type ReadableBlob = { readonly blob: BlobRow; readonly [readable]: true };

/** The right on blobs; it throws `not_found`. */
export const blobAccess = {
  async read({ read, caller, ref, at }: TimedLookup): Promise<ReadableBlob> {
    const blob = await read.get(blobById, { id: idOf(ref), now: at });
    if (blob === undefined || !isOwnedBy(caller, blob)) throw notFound('blob');
    return { blob } as ReadableBlob;
  },
};
