import type { IncomingHttpHeaders } from 'node:http';

/** The known preferences that a client sends in the header `Prefer` (RFC 7240). */

/** Whether faults are refused that are put right silently otherwise. */
export function isStrict(headers: IncomingHttpHeaders): boolean {
  return prefers(headers, /(?:^|[,;\s])handling\s*=\s*(?:strict|"strict")(?=[,;\s]|$)/i);
}

/** Whether the client wants no body where a change has succeeded. */
export function isMinimal(headers: IncomingHttpHeaders): boolean {
  return prefers(headers, /(?:^|[,;\s])return\s*=\s*(?:minimal|"minimal")(?=[,;\s]|$)/i);
}

function prefers({ prefer }: IncomingHttpHeaders, pattern: RegExp): boolean {
  return prefer !== undefined && pattern.test(String(prefer));
}
