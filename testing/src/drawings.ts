import sharp, { type Sharp } from 'sharp';

/** A picture of uniform colour, as a camera or a program would write it. */
export function picture(width: number, height: number, background = '#c04020'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** The bytes of a picture. */
export async function encoded(made: Sharp): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await made.toBuffer());
}
