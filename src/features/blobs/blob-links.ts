import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import { notFound, Problem } from '../../kernel/problem.ts';

/**
 * Addresses that authorise themselves. A browser loads images, films and downloads without a credential, so the
 * address carries a signature over what it gives away: the key of the blob, the name it is saved under, and the end
 * of its life. Who has the address has the file until then, or until what the file hangs on is put in the trash.
 */

// An address is the same for six hours, so that a browser has its copy under the address a page shows it with.
const roundMs = 6 * 3_600_000;
/** The shortest life of an address; the longest is six hours more. */
const lifeMsMin = 24 * 3_600_000;

/** What an address gives away. */
export type Linked = { readonly key: string; readonly name: string };

/** Makes and checks the addresses of blobs. */
export type BlobLinks = {
  /** The address of a blob, good for 24 to 30 hours. */
  to(blob: Linked): string;
  /** Throws `not_found` for an address that was not made here, `link_expired` for one whose time is over. */
  verify(blob: Linked, proof: { expires: string; signature: string }): void;
};

/** Addresses signed with `secret`, beneath the address that clients know this server by. */
export function createBlobLinks({
  secret,
  publicUrl,
  clock,
}: {
  secret: string;
  publicUrl: () => string;
  clock: Clock;
}): BlobLinks {
  // A name holds no line break, so the parts cannot be told to end elsewhere.
  function sign(blob: Linked, expires: string): string {
    return createHmac('sha256', secret).update(`${blob.key}\n${expires}\n${blob.name}`).digest('base64url');
  }

  return {
    to(blob) {
      const end = Math.floor(clock.now() / roundMs) * roundMs + roundMs + lifeMsMin;
      const expires = String(end / 1000);
      return `${publicUrl()}/blobs/${blob.key}/${encodeURIComponent(blob.name)}?expires=${expires}&signature=${sign(blob, expires)}`;
    },
    verify(blob, { expires, signature }) {
      const due = Buffer.from(sign(blob, expires));
      const sent = Buffer.from(signature);
      if (sent.length !== due.length || !timingSafeEqual(sent, due)) throw notFound('file');
      if (Number(expires) * 1000 <= clock.now())
        throw new Problem('link_expired', 'Ask for the object again: it carries a fresh address.');
    },
  };
}
