import { invalidField, type Problem } from 'confab-contract/problem.ts';
import { decodedMax, isShrinkable } from './file-kinds.ts';
import { detectMediaType, sampleBytesMax } from './media-type.ts';
import { pictureBytesMax, readPictureSize } from './picture-size.ts';

/** Media types and facts come from the name and the first bytes of a file, never from what its uploader declares. */

/** The kind of a file. */
export type Media = {
  readonly mediaType: string;
  /** In pixels, as a viewer shows the picture; null for anything but a picture. */
  readonly width: number | null;
  readonly height: number | null;
};

/** How many bytes of a file are needed to detect what it is. */
export const headBytesMax = pictureBytesMax;

/** Detects what a file is. `head` has its first `headBytesMax` bytes, or all of a smaller file. */
export async function readMedia(head: Uint8Array, name: string): Promise<Media> {
  const mediaType = await detectMediaType(head.subarray(0, sampleBytesMax), name);
  const size = readPictureSize(head, mediaType);
  return { mediaType, width: size?.width ?? null, height: size?.height ?? null };
}

/** Whether the bytes are a picture that can be shrunk. */
export async function isPicture(head: Uint8Array): Promise<boolean> {
  return isShrinkable({ ...(await readMedia(head, 'picture')), provider: null });
}

/** The 422 for bytes that are no picture that can be shrunk. */
export function notPicture(pointer: string): Problem {
  const most = `${decodedMax.pixels / 1_000_000} megapixels and ${decodedMax.side} pixels a side`;
  return invalidField(pointer, 'not_picture', `must be a PNG, JPEG, GIF or WebP of at most ${most}`);
}
