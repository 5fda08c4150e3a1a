import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { notFound, Problem } from '../../kernel/problem.ts';

/**
 * Addresses that authorise themselves. A browser loads images, films and downloads without a credential, so the
 * address carries a signature over what it gives away: the key of the blob, the name it is saved under, and the end
 * of its life. Who has the address has the file until then, or until what the file hangs on is put in the trash.
 */

// An address is the same for a quarter of its life, so that a browser has its copy under the address a page shows it
// with: for six hours by default.
const rounds = 4;

/** What an address gives away. */
export type Linked = { readonly key: string; readonly name: string };

/** What of a blob is served: its bytes, or something small made of them. */
export type BlobForm = 'original' | 'thumbnail' | 'preview';

const folders = { original: 'blobs', thumbnail: 'thumbnails', preview: 'previews' } as const;

/** The proof that an address carries. */
export type Proof = { readonly expires: string; readonly signature: string };

/** Makes and checks the addresses of blobs. */
export type BlobLinks = {
  /** The address of a blob, good for `lifeMs` to a quarter more. */
  to(blob: Linked, form?: BlobForm): string;
  /** Throws `not_found` for an address that was not made here, `link_expired` for one whose time is over. */
  verify(blob: Linked, proof: Proof, form?: BlobForm): void;
  /**
   * The address of a person's picture. It has no end, because a page that stays open keeps showing it and because it
   * is stored with the person; it dies when the person gets another picture.
   */
  toPicture(key: string): string;
  /** Throws `not_found` for an address of a picture that was not made here. */
  verifyPicture(key: string, signature: string): void;
};

/** The characters of the address of a picture from its last `/pictures/` on: a key and a signature, both of one length. */
export const pictureTailCharacters = '/pictures/?signature='.length + 32 + 43;

/**
 * Addresses signed with `secret`, beneath the address that clients know this server by. `lifeMs` is their shortest life in
 * milliseconds. Addresses made with a longer one expire as if they had been made with this one, so that an operator who
 * shortens it ends those that are known.
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
  // A name holds no line break and a key is hexadecimal, so the parts cannot be told to begin or end elsewhere.
  function sign(blob: Linked, expires: string, form: BlobForm): string {
    const prefix = form === 'original' ? '' : `${form}\n`;
    return hmac(`${prefix}${blob.key}\n${expires}\n${blob.name}`);
  }
  const roundMs = lifeMs / rounds;
  function assertSigned(sent: string, due: string): void {
    const [sentBytes, dueBytes] = [Buffer.from(sent), Buffer.from(due)];
    if (sentBytes.length !== dueBytes.length || !timingSafeEqual(sentBytes, dueBytes)) throw notFound('file');
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
      // One round more than is given out, because the clocks of nodes differ.
      if (leftMs <= 0 || leftMs > lifeMs + 2 * roundMs)
        throw new Problem('link_expired', 'Ask for the object again: it carries a fresh address.');
    },
    toPicture: (key) => `${publicUrl()}/pictures/${key}?signature=${hmac(`picture\n${key}`)}`,
    verifyPicture(key, signature) {
      assertSigned(signature, hmac(`picture\n${key}`));
    },
  };
}
