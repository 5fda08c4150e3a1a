import { notFound } from 'confab-contract/problem.ts';
import type { BlobStorage, DerivedForm, MakeDerived } from '../../storage/storage.ts';
import { type Served, type ServedBytes, servedBytes } from '../downloads/downloads.ts';

/** A file derived from a blob, ready to be served. */
export type Derived = Pick<Served, 'size' | 'tag' | 'mediaType'> & ServedBytes;

/** How to create one. */
export type Recipe = { readonly form: DerivedForm; readonly mediaType: string; readonly make: MakeDerived };

/**
 * Creates the function that finds the file derived from the blob `key`. The file is created if it does not exist.
 * Concurrent requests share one search, so it is created once. Throws `not_found` when it cannot be created.
 */
export function createDerivedFiles(storage: BlobStorage): (key: string, recipe: Recipe) => Promise<Derived> {
  const searches = new Map<string, Promise<number | undefined>>();

  /** The size of the file, which is 0 when it could not be created. */
  async function find(key: string, { form, make }: Recipe): Promise<number | undefined> {
    const size = await storage.sizeOf({ key, form });
    if (size !== undefined) return size;
    await storage.derive(key, form, make);
    return await storage.sizeOf({ key, form });
  }

  return async (key, recipe) => {
    const { form, mediaType } = recipe;
    const stored = { key, form };
    const place = `${key}.${form}`;
    const search = searches.get(place) ?? find(key, recipe).finally(() => searches.delete(place));
    searches.set(place, search);
    const size = await search;
    if (size === undefined || size === 0) throw notFound('file');
    return { size, mediaType, tag: `"${key}-${form}"`, ...servedBytes(storage, stored, mediaType) };
  };
}
