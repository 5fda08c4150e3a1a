import { timingSafeEqual } from 'node:crypto';

/** Whether a signature from outside is the expected one. The time that it takes does not tell where they differ. */
export function isSameSignature(actual: string, expected: string): boolean {
  const [sent, due] = [Buffer.from(actual), Buffer.from(expected)];
  return sent.length === due.length && timingSafeEqual(sent, due);
}
