/** The longest side of a picture that is sent, in pixels: twice what others see. */
const sidePixels = 512;

/**
 * A picture as the server takes it, a `data:` address, from a file of any size. It is drawn anew, so a photograph of many
 * megabytes becomes small, and the place where it was taken stays on this device. Rejects for a file that is no picture.
 */
export async function pictureOf(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, sidePixels / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  // What browsers cannot write as WebP they write as PNG.
  return canvas.toDataURL('image/webp', 0.9);
}
