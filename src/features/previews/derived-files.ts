import { notFound } from '../../kernel/problem.ts';
import type { BlobStorage, DerivedForm, MakeDerived } from '../../storage/storage.ts';
import { type Served, type ServedBytes, servedBytes } from '../downloads/downloads.ts';

/** A file derived from a blob, ready to be served. */
export type Derived = Pick<Served, 'size' | 'tag' | 'mediaType'> & ServedBytes;

/** How to create one. */
export type Recipe = { readonly form: DerivedForm; readonly mediaType: string; readonly make: MakeDerived };

/**
 * Creates the function that finds the file derived from the blob `key`. The file is created if it does not exist; a
 * concurrent second request waits for the first. Throws `not_found` when it cannot be created.
 */
export function createDerivedFiles(storage: BlobStorage): (key: string, recipe: Recipe) => Promise<Derived> {
  const making = new Map<string, Promise<void>>();
  return async (key, { form, mediaType, make }) => {
    const stored = { key, form };
    let size = await storage.sizeOf(stored);
    if (size === undefined) {
      const place = `${key}.${form}`;
      const work = making.get(place) ?? storage.derive(key, form, make).finally(() => making.delete(place));
      making.set(place, work);
      await work;
      size = await storage.sizeOf(stored);
    }
    if (size === undefined || size === 0) throw notFound('file');
    return { size, mediaType, tag: `"${key}-${form}"`, ...servedBytes(storage, stored, mediaType) };
  };
}
