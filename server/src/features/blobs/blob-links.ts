import { createHmac } from 'node:crypto';
import { notFound, Problem } from 'confab-contract/problem.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isSameSignature } from '../../kernel/signatures.ts';

/**
 * Signed addresses of blobs. A browser loads images, videos and downloads without a credential, so an address carries a
 * signature over the key of the blob, its file name and the expiry of the address. Anyone with the address can load the
 * file until it expires, or until the item that the file belongs to is in the trash.
 */

// An address stays the same for a quarter of its life (six hours by default), so that browsers can cache the file.
const rounds = 4;

/** The file that an address leads to. */
export type LinkTarget = { readonly key: string; readonly name: string };

/** The forms in which a blob is served: its bytes, or a smaller picture made from them. */
export type BlobForm = 'original' | 'thumbnail' | 'preview';

const folders = { original: 'blobs', thumbnail: 'thumbnails', preview: 'previews' } as const;

/** The expiry of an address, in Unix seconds, and its signature. */
export type LinkSignature = { readonly expires: string; readonly signature: string };

/** Creates and checks the addresses of blobs. */
export type BlobLinks = {
  /** The address of a blob, valid for `lifeMs` to a quarter more. */
  to(blob: LinkTarget, form?: BlobForm): string;
  /** Throws `not_found` for an address that this server did not create, `link_expired` for an expired one. */
  verify(blob: LinkTarget, signature: LinkSignature, form?: BlobForm): void;
  /**
   * The address of a user's picture. It does not expire, because a page that stays open keeps showing it and because it
   * is stored with the user; it stops working once the user has another picture.
   */
  toPicture(key: string): string;
  /** Throws `not_found` for an address of a picture that this server did not create. */
  verifyPicture(key: string, signature: string): void;
};

/** The length of a picture's address from its last `/pictures/` on: a key and a signature, both of fixed length. */
export const pictureTailCharacters = '/pictures/?signature='.length + 32 + 43;

/**
 * Addresses signed with `secret`, below the public address of this server. `lifeMs` is their shortest life in
 * milliseconds. It also applies to addresses that were created with a longer life, so an operator who
 * shortens it ends existing addresses.
 */
export function createBlobLinks({
  secret,
  publicUrl,
  clock,
  lifeMs,
}: {
  secret: string;
  publicUrl: () => string;
  lifeMs: number;
  clock: Clock;
}): BlobLinks {
  function hmac(text: string): string {
    return createHmac('sha256', secret).update(text).digest('base64url');
  }
  // A name has no line break and a key is hexadecimal, so different parts never give the same text.
  function sign(blob: LinkTarget, expires: string, form: BlobForm): string {
    const prefix = form === 'original' ? '' : `${form}\n`;
    return hmac(`${prefix}${blob.key}\n${expires}\n${blob.name}`);
  }
  const roundMs = lifeMs / rounds;
  function assertSigned(signature: string, due: string): void {
    if (!isSameSignature(signature, due)) throw notFound('file');
  }
  return {
    to(blob, form = 'original') {
      const end = Math.floor(clock.now() / roundMs) * roundMs + roundMs + lifeMs;
      const expires = String(end / 1000);
      return `${publicUrl()}/${folders[form]}/${blob.key}/${encodeURIComponent(blob.name)}?expires=${expires}&signature=${sign(blob, expires, form)}`;
    },
    verify(blob, { expires, signature }, form = 'original') {
      assertSigned(signature, sign(blob, expires, form));
      const leftMs = Number(expires) * 1000 - clock.now();
      // One period more than the life of any address, because the clocks of nodes differ.
      if (leftMs <= 0 || leftMs > lifeMs + 2 * roundMs)
        throw new Problem('link_expired', 'Ask for the object again: it carries a fresh address.');
    },
    toPicture: (key) => `${publicUrl()}/pictures/${key}?signature=${hmac(`picture\n${key}`)}`,
    verifyPicture(key, signature) {
      assertSigned(signature, hmac(`picture\n${key}`));
    },
  };
}
