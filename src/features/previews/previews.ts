import { type FileHandle, writeFile } from 'node:fs/promises';
import { notFound } from '../../kernel/problem.ts';
import type { BlobFolder, DerivedForm } from '../blobs/blob-folder.ts';
import type { Linked, Proof } from '../blobs/blob-links.ts';
import { type Blobs, openBlob, type Served } from '../blobs/blobs.ts';
import { isShrinkable, picturePixelsMax, previewFormatOf } from '../blobs/file-kinds.ts';
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
   * none that can be read. Throws `too_busy` when too many wait.
   */
  shrink(job: {
    source: string;
    target: string;
    sideMax: number;
    pixelsMax: number;
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
  folder,
  pictures,
}: {
  blobs: Blobs;
  folder: BlobFolder;
  pictures: PictureMaker;
}) {
  // What is being made at the moment; whoever asks for it meanwhile waits for the same.
  const making = new Map<string, Promise<void>>();

  /** How many bytes a derived file has; undefined before it was made. */
  async function sizeOf(key: string, form: DerivedForm): Promise<number | undefined> {
    const file = await folder.openDerived(key, form);
    if (file === undefined) return undefined;
    try {
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  }

  async function open(key: string, form: DerivedForm): Promise<FileHandle> {
    const file = await folder.openDerived(key, form);
    if (file === undefined) throw notFound('file');
    return file;
  }

  /** A derived file, made if it is not there yet; throws `not_found` when nothing can be made. */
  async function derived(
    key: string,
    form: DerivedForm,
    make: (paths: { source: string; target: string }) => Promise<boolean>,
  ): Promise<Pick<Served, 'size' | 'tag' | 'open'>> {
    let size = await sizeOf(key, form);
    if (size === undefined) {
      const place = `${key}.${form}`;
      const work = making.get(place) ?? folder.derive(key, form, make).finally(() => making.delete(place));
      making.set(place, work);
      await work;
      size = await sizeOf(key, form);
    }
    if (size === undefined || size === 0) throw notFound('file');
    return { size, tag: `"${key}-${form}"`, open: async () => await open(key, form) };
  }

  async function picture(blob: Shown, name: string, form: PictureForm): Promise<Served> {
    if (!isShrinkable(blob)) throw notFound('file');
    const job = { sideMax: sidesMax[form], pixelsMax: picturePixelsMax };
    const file = await derived(
      blob.key,
      form,
      async (paths) => (await pictures.shrink({ ...job, ...paths })) === 'made',
    );
    return { ...file, name: `${name}.webp`, mediaType: 'image/webp', isInline: true };
  }

  /** The beginning of a text as it is. */
  async function text(blob: Shown, name: string): Promise<Served> {
    const file = await openBlob(folder, blob);
    let size: number;
    try {
      size = await textEnd(file, blob.size);
    } finally {
      await file.close();
    }
    return {
      name,
      mediaType: 'text/plain',
      size,
      tag: `"${blob.key}-text"`,
      isInline: true,
      open: async () => await openBlob(folder, blob),
    };
  }

  async function code(blob: Shown, name: string): Promise<Served> {
    const file = await derived(blob.key, 'code', async ({ target }) => {
      const source = await openBlob(folder, blob);
      try {
        const { buffer, bytesRead } = await source.read(Buffer.alloc(textPreviewBytesMax), {
          length: Math.min(blob.size, textPreviewBytesMax),
          position: 0,
        });
        await writeFile(target, codeFragment(buffer.subarray(0, bytesRead)));
      } finally {
        await source.close();
      }
      return true;
    });
    return { ...file, name, mediaType: 'text/plain', isInline: true };
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
