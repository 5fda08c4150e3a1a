/** Milliseconds since 1970-01-01T00:00:00Z, as stored in every time column. */
export type UnixMs = number & { readonly unixMs?: never };

/** The time of day, injected so that tests can move it. */
export type Clock = { now(): UnixMs };

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 in UTC with exactly three fractional digits, the one spelling of time on the wire. */
export function timestamp(ms: UnixMs): string {
  return new Date(ms).toISOString();
}
