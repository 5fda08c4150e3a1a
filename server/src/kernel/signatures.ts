import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs texts with a secret for one purpose, so that what is signed for one is worth nothing for another. */
export function signerFor(secret: string, purpose: string): (parts: readonly string[]) => string {
  return (parts) =>
    createHmac('sha256', secret)
      .update([purpose, ...parts].join('\n'))
      .digest('base64url');
}

/** Whether a signature from outside is the expected one. The time that it takes does not tell where they differ. */
export function isSameSignature(actual: string, expected: string): boolean {
  const [sent, due] = [Buffer.from(actual), Buffer.from(expected)];
  return sent.length === due.length && timingSafeEqual(sent, due);
}
