import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { notFound } from 'confab-contract/problem.ts';
import type { BlobRow } from '../../access/blob/blob.sql.ts';
import type { BlobStorage, ByteRange, DerivedForm, MakeDerived } from '../../storage/storage.ts';
import type { LinkSignature, LinkTarget } from '../blobs/blob-links.ts';
import { type Downloads, readStored, type Served } from '../downloads/downloads.ts';
import { decodedMax, isShrinkable, previewFormatOf } from '../media/file-kinds.ts';
import { createDerivedFiles } from './derived-files.ts';
import { codeFragment, textEnd, textPreviewBytesMax } from './text-preview.ts';

/**
 * Previews are what a client shows of a file: a smaller picture, or the beginning of a text. A preview is created at
 * its first request and stored alongside the blob. A picture that cannot be decoded is recorded as such, so the decoder
 * tries it only once for each size, however often a page requests it.
 */

/** Shrinks pictures, outside of this process. */
export type PictureMaker = {
  /**
   * Writes a picture of at most `sideMax` pixels on its longest side to `target`. Returns `refused` when `source`
   * cannot be read as a picture or is larger than `sourceMax` (in pixels). Throws `too_busy` when too many jobs wait.
   * `source` fetches the picture to this machine. It is called when the job starts, so only one picture at a time takes
   * room.
   */
  shrink(job: {
    source: () => Promise<string>;
    target: string;
    sideMax: number;
    sourceMax: { readonly pixels: number; readonly side: number };
  }): Promise<'made' | 'refused'>;
};

type PictureForm = Extract<DerivedForm, 'thumbnail' | 'preview' | 'picture'>;

/** The longest side of each, in pixels: twice the size that existing clients show, for dense screens. */
const sidesMax: { readonly [F in PictureForm]: number } = { thumbnail: 512, preview: 2048, picture: 256 };

/** Finds and creates previews. */
export type Previews = ReturnType<typeof createPreviews>;

/** Creates the lookup of previews behind signed addresses. */
export function createPreviews({
  downloads,
  storage,
  pictures,
}: {
  downloads: Downloads;
  storage: BlobStorage;
  pictures: PictureMaker;
}) {
  const derived = createDerivedFiles(storage);

  async function picture(blob: BlobRow, name: string, form: PictureForm): Promise<Served> {
    if (!isShrinkable(blob)) throw notFound('file');
    const job = { sideMax: sidesMax[form], sourceMax: decodedMax };
    const make: MakeDerived = async ({ source, target }) =>
      (await pictures.shrink({ ...job, source, target })) === 'made';
    const file = await derived(blob.key, { form, mediaType: 'image/webp', make });
    return { ...file, name: `${name}.webp`, isInline: true };
  }

  async function code(blob: BlobRow, name: string): Promise<Served> {
    const end = Math.min(blob.size, textPreviewBytesMax) - 1;
    const make: MakeDerived = async ({ target }) => {
      const bytes = end < 0 ? new Uint8Array() : await piece(storage, blob.key, { start: 0, end });
      await writeFile(target, codeFragment(bytes));
      return true;
    };
    const file = await derived(blob.key, { form: 'code', mediaType: 'text/plain', make });
    return { ...file, name, isInline: true };
  }

  return {
    /** The small picture behind an address; throws `not_found` or `link_expired`. */
    async findThumbnail(linked: LinkTarget, proof: LinkSignature): Promise<Served> {
      return await picture(await downloads.findLinked(linked, proof, 'thumbnail'), linked.name, 'thumbnail');
    },

    /** The preview behind an address; throws `not_found` or `link_expired`. */
    async findPreview(linked: LinkTarget, proof: LinkSignature): Promise<Served> {
      const blob = await downloads.findLinked(linked, proof, 'preview');
      const format = previewFormatOf({ ...blob, name: linked.name });
      if (format === 'text') return await text(storage, blob, linked.name);
      if (format === 'code') return await code(blob, linked.name);
      if (format === 'image') return await picture(blob, linked.name, 'preview');
      throw notFound('file');
    },

    /** The picture of a user behind an address; throws `not_found`. */
    async findPicture(key: string, signature: string): Promise<Served> {
      return await picture(await downloads.findPicture(key, signature), 'picture', 'picture');
    },
  };
}

/** The beginning of a text, unchanged. */
async function text(storage: BlobStorage, { key, size }: BlobRow, name: string): Promise<Served> {
  return {
    name,
    mediaType: 'text/plain',
    size: await textEnd((range) => piece(storage, key, range), size),
    tag: `"${key}-text"`,
    isInline: true,
    read: async (range) => await readStored(storage, { key }, range),
  };
}

async function piece(storage: BlobStorage, key: string, range: ByteRange): Promise<Uint8Array> {
  return await buffer(await readStored(storage, { key }, range));
}
