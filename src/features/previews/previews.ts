import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { notFound } from '../../kernel/problem.ts';
import type { Linked, Proof } from '../blobs/blob-links.ts';
import type { BlobStore, ByteRange, DerivedForm, Making } from '../blobs/blob-store.ts';
import { type Blobs, readStored, type Served, type ServedBytes, servedBytes } from '../blobs/blobs.ts';
import { decodedMax, isShrinkable, previewFormatOf } from '../blobs/file-kinds.ts';
import { codeFragment, textEnd, textPreviewBytesMax } from './text-preview.ts';

/**
 * What a client shows of a file: a smaller picture, or the beginning of a text. Something small is made of a blob when
 * it is asked for first and kept beside the blob. A picture that cannot be decoded is kept as refused, so that however
 * often a page asks for it, a decoder sees it once for each size.
 */

/** Makes pictures smaller, outside of this process. */
export type PictureMaker = {
  /**
   * Writes a picture of at most `sideMax` pixels on its longest side to `target`, or answers that the one at `source` is
   * none that can be read, or larger than `sourceMax` (in pixels). Throws `too_busy` when too many wait. `source` brings
   * the picture to this machine; it is called when the turn of the job has come, so one picture at a time takes room.
   */
  shrink(job: {
    source: () => Promise<string>;
    target: string;
    sideMax: number;
    sourceMax: { readonly pixels: number; readonly side: number };
  }): Promise<'made' | 'refused'>;
};

type PictureForm = Extract<DerivedForm, 'thumbnail' | 'preview' | 'picture'>;

/** The longest side of each, in pixels: twice of what existing clients show, for dense screens. */
const sidesMax: { readonly [F in PictureForm]: number } = { thumbnail: 512, preview: 2048, picture: 256 };

/** What of a blob is needed to show it. */
type Shown = Awaited<ReturnType<Blobs['findLinked']>>;

/** What the previews feature does. */
export type Previews = ReturnType<typeof createPreviews>;

/** The previews feature: what is shown of files without their being saved. */
export function createPreviews({
  blobs,
  store,
  pictures,
}: {
  blobs: Blobs;
  store: BlobStore;
  pictures: PictureMaker;
}) {
  // What is being made at the moment; whoever asks for it meanwhile waits for the same.
  const making = new Map<string, Promise<void>>();

  /** The bytes of a blob from one place to another. */
  async function piece(key: string, range: ByteRange): Promise<Uint8Array> {
    return await buffer(await readStored(store, { key }, range));
  }

  /** A derived file, made if it is not there yet; throws `not_found` when nothing can be made. */
  async function derived(
    key: string,
    form: DerivedForm,
    { make, mediaType }: { make: Making; mediaType: string },
  ): Promise<Pick<Served, 'size' | 'tag' | 'mediaType'> & ServedBytes> {
    const stored = { key, form };
    let size = await store.sizeOf(stored);
    if (size === undefined) {
      const place = `${key}.${form}`;
      const work = making.get(place) ?? store.derive(key, form, make).finally(() => making.delete(place));
      making.set(place, work);
      await work;
      size = await store.sizeOf(stored);
    }
    if (size === undefined || size === 0) throw notFound('file');
    return { size, mediaType, tag: `"${key}-${form}"`, ...servedBytes(store, stored, mediaType) };
  }

  async function picture(blob: Shown, name: string, form: PictureForm): Promise<Served> {
    if (!isShrinkable(blob)) throw notFound('file');
    const job = { sideMax: sidesMax[form], sourceMax: decodedMax };
    const make: Making = async ({ source, target }) =>
      (await pictures.shrink({ ...job, source, target })) === 'made';
    const file = await derived(blob.key, form, { make, mediaType: 'image/webp' });
    return { ...file, name: `${name}.webp`, isInline: true };
  }

  /** The beginning of a text as it is. */
  async function text(blob: Shown, name: string): Promise<Served> {
    const size = await textEnd((range) => piece(blob.key, range), blob.size);
    return {
      name,
      mediaType: 'text/plain',
      size,
      tag: `"${blob.key}-text"`,
      isInline: true,
      read: async (range) => await readStored(store, { key: blob.key }, range),
    };
  }

  async function code(blob: Shown, name: string): Promise<Served> {
    const end = Math.min(blob.size, textPreviewBytesMax) - 1;
    const make: Making = async ({ target }) => {
      const bytes = end < 0 ? new Uint8Array() : await piece(blob.key, { start: 0, end });
      await writeFile(target, codeFragment(bytes));
      return true;
    };
    const file = await derived(blob.key, 'code', { make, mediaType: 'text/plain' });
    return { ...file, name, isInline: true };
  }

  return {
    /** The small picture behind an address; throws `not_found` or `link_expired`. */
    async findThumbnail(linked: Linked, proof: Proof): Promise<Served> {
      return await picture(await blobs.findLinked(linked, proof, 'thumbnail'), linked.name, 'thumbnail');
    },

    /** What is shown of a file behind an address; throws `not_found` or `link_expired`. */
    async findPreview(linked: Linked, proof: Proof): Promise<Served> {
      const blob = await blobs.findLinked(linked, proof, 'preview');
      const format = previewFormatOf({ ...blob, name: linked.name });
      if (format === 'text') return await text(blob, linked.name);
      if (format === 'code') return await code(blob, linked.name);
      if (format === 'image') return await picture(blob, linked.name, 'preview');
      throw notFound('file');
    },

    /** The picture of a person behind an address; throws `not_found`. */
    async findPicture(key: string, signature: string): Promise<Served> {
      return await picture(await blobs.findPicture(key, signature), 'picture', 'picture');
    },
  };
}
