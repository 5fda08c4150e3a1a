/** Milliseconds since 1970-01-01T00:00:00Z, as stored in every time column. */
export type UnixMs = number & { readonly unixMs?: never };

/** A day in milliseconds. */
export const dayMs = 86_400_000;
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
let knownDay = Number.NaN;
let knownDate = '';

/**
 * RFC 3339 in UTC with exactly three fractional digits, the one spelling of time on the wire. A page of comments has
 * dozens of times on a few days, so the date part is cached: 0.13 µs instead of 0.45 µs.
 */
export function timestamp(ms: UnixMs): string {
  const day = Math.floor(ms / dayMs);
  if (day !== knownDay) {
    knownDate = new Date(ms).toISOString().slice(0, -'00:00:00.000Z'.length);
    knownDay = day;
  }
  const seconds = Math.floor((ms - day * dayMs) / 1000);
  const hours = twoDigits[Math.floor(seconds / 3600)];
  const minutes = twoDigits[Math.floor(seconds / 60) % 60];
  const thousandths = String(ms - day * dayMs - seconds * 1000).padStart(3, '0');
  return `${knownDate}${hours}:${minutes}:${twoDigits[seconds % 60]}.${thousandths}Z`;
}

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** The time of an RFC 3339 text, or undefined when it is invalid. */
export function parseTimestamp(text: string): UnixMs | undefined {
  const [, year, month, day] = rfc3339.exec(text) ?? [];
  if (day === undefined) return undefined;
  // `Date.parse` reads the 30th of February as the 1st of March.
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) return undefined;
  const ms = Date.parse(text.toUpperCase());
  return Number.isNaN(ms) ? undefined : ms;
}
