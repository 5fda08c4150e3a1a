import { Readable } from 'node:stream';
import { invalidField, Problem } from 'confab-contract/problem.ts';
import type { BlobRow } from '../../access/blob/blob.sql.ts';
import type { Principal } from '../../kernel/principal.ts';
import { countCaller, type RateLimits } from '../../kernel/rate-limits.ts';
import type { Upload, Uploads } from '../blobs/uploads.ts';
import { decodedMax } from '../media/file-kinds.ts';
import { extensionOf } from '../media/file-name.ts';
import type { PictureMaker } from '../previews/previews.ts';
import { includesVisitor, type VisitorKinds } from './ways.ts';

/**
 * Pictures that visitors send for their comments. Of what arrives nothing is kept but a picture that another process has
 * drawn from it, so no bytes of a stranger are served, and no place where a photograph was taken.
 */

/** The most bytes of a picture of a visitor: photographs of phones have fewer. */
const sentBytesMax = 10 * 1024 * 1024;
/** The longest side of what is kept, in pixels: that of a preview, beyond which no client shows more. */
const sideMax = 2048;

/** A file of a visitor as it arrives. */
type VisitorUpload = Omit<Upload, 'digest' | 'remade'>;

/** Takes the pictures of visitors. */
export type CommentPictures = {
  /**
   * Lets a visitor send one picture, and counts it before any byte is read. Returns what keeps it. Throws
   * `validation_failed` for a visitor who may not, and `rate_limited`.
   */
  admit(
    caller: Principal,
    clientAddress: string | undefined,
  ): Promise<(input: VisitorUpload) => Promise<BlobRow>>;
};

/** Creates that part. `bytesMax` is for all pictures on the server together. */
export function createCommentPictures({
  which,
  bytesMax,
  uploads,
  pictureMaker,
  rateLimits,
}: {
  readonly which: VisitorKinds;
  readonly bytesMax: number;
  readonly uploads: Uploads;
  readonly pictureMaker: PictureMaker;
  readonly rateLimits: RateLimits;
}): CommentPictures {
  const make: NonNullable<Upload['remade']>['make'] = async ({ source, target }) =>
    (await pictureMaker.shrink({ source, target, sideMax, sourceMax: decodedMax })) === 'made';
  return {
    async admit(caller, clientAddress) {
      if (!includesVisitor(which, caller.user))
        throw invalidField('/blob', 'not_allowed', 'cannot be sent, because you may add no pictures');
      await countCaller(rateLimits, 'picture', { principal: caller, clientAddress });
      return async ({ name, bytes, bytesMax: announced }) =>
        await uploads.keep(caller, {
          name: webpName(name),
          bytes: Readable.from(limited(bytes)),
          bytesMax: Math.min(announced, sentBytesMax),
          digest: null,
          remade: { make, totalBytesMax: bytesMax },
        });
    },
  };
}

/** The name of what is kept: the format is that of its bytes. */
function webpName(name: string): string {
  const extension = extensionOf(name);
  const stem = extension === '' ? name : name.slice(0, -extension.length - 1);
  return `${stem === '' ? 'picture' : stem}.webp`;
}

/** The bytes of a picture; fails on the first one beyond the limit. */
async function* limited(bytes: Readable): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > sentBytesMax) {
      const message = `must have at most ${sentBytesMax} bytes`;
      const errors = [{ pointer: '/blob', code: 'too_long', message }];
      throw new Problem('body_too_large', `blob: ${message}`, { errors });
    }
    yield chunk;
  }
}
