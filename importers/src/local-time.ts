/**
 * Dates of exports that have no zone, in the zone of the server that wrote them. `Intl` knows the rules of each zone;
 * `Temporal` is missing in Node 24, which the server still supports.
 */

/** The milliseconds in which a zone has one change at most. */
const dayMs = 86_400_000;

/** Whether a text names a time zone, as the IANA database spells it or with other letter case. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0) !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The time at which the clocks of a zone show what those of UTC show at `shownAt`, both in milliseconds. Of an hour that
 * comes twice it is the first; one that is left out is counted from the hour before, so that half past two becomes half
 * past three. Throws `RangeError` for an unknown zone.
 */
export function timeInZone(shownAt: number, timeZone: string): number {
  const [before, after] = [shownAt - dayMs, shownAt + dayMs].map((at) => shownAt - offsetAt(at, timeZone));
  if (before === undefined || after === undefined) return shownAt;
  const isAfter =
    before + offsetAt(before, timeZone) !== shownAt && after + offsetAt(after, timeZone) === shownAt;
  return isAfter ? after : before;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How many milliseconds the clocks of a zone are ahead of UTC. */
function offsetAt(at: number, timeZone: string): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const seconds = Math.floor(at / 1000) * 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) - seconds;
}
