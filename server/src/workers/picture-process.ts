import { writeFile } from 'node:fs/promises';
import type Sharp from 'sharp';

/**
 * A process that shrinks pictures, one at a time, for the server that started it. An exploit or crash of a decoder
 * reaches only this process, which has no environment, no connection and no store.
 */

/** A job: the picture to make, and the picture to make it from. */
export type PictureJob = {
  readonly source: string;
  readonly target: string;
  /** The longest side of the result in pixels; a smaller picture keeps its size. */
  readonly sideMax: number;
  /** A picture of more pixels, or with a longer side, is refused before it is decoded. */
  readonly sourceMax: { readonly pixels: number; readonly side: number };
};

/**
 * A message of the process: whether it can begin, that a job is done, why a picture was refused, or that the result
 * could not be stored, with the code of the operating system.
 */
export type PictureReply =
  | { readonly state: 'ready' }
  | { readonly state: 'unable'; readonly reason: string }
  | { readonly state: 'made' }
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'unkept'; readonly code: string };

// Quality 80 at the least effort: a thumbnail of a photograph has about 20 KB and takes a quarter of the usual time.
const webp = { quality: 80, effort: 1 } as const;

function reply(message: PictureReply): void {
  process.send?.(message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function shrink(
  sharp: typeof Sharp,
  { source, target, sideMax, sourceMax }: PictureJob,
): Promise<PictureReply> {
  let picture: Uint8Array;
  try {
    // The first frame of an animation. Metadata is removed by default, after its rotation is applied.
    const decoder = sharp(source, {
      limitInputPixels: sourceMax.pixels,
      failOn: 'error',
      sequentialRead: true,
      pages: 1,
    });
    const { width, height } = await decoder.metadata();
    if (Math.max(width, height) > sourceMax.side)
      return { state: 'refused', reason: 'a side exceeds the limit' };
    picture = await decoder
      .autoOrient()
      .resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true })
      .webp(webp)
      .toBuffer();
  } catch (error) {
    return { state: 'refused', reason: messageOf(error) };
  }
  // Written separately from decoding, so that a full disk is never mistaken for an unreadable picture.
  try {
    await writeFile(target, picture);
  } catch (error) {
    return { state: 'unkept', code: String((error as NodeJS.ErrnoException).code) };
  }
  return { state: 'made' };
}

/** The library, reduced to what is needed. */
async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  // Only these four decoders: browsers show their formats, and they are fuzzed continuously. Never SVG or PDF.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegFile',
      'VipsForeignLoadPngFile',
      'VipsForeignLoadWebpFile',
      'VipsForeignLoadNsgifFile',
    ],
  });
  return sharp;
}

process.on('disconnect', () => process.exit());
loadSharp().then(
  (sharp) => {
    process.on('message', (job: PictureJob) => void shrink(sharp, job).then(reply));
    reply({ state: 'ready' });
  },
  (error: unknown) => reply({ state: 'unable', reason: messageOf(error).split('\n')[0] ?? '' }),
);
