/** Times as people say them, by `Intl` in the language of the page. */

const steps = [
  ['minute', 60],
  ['hour', 60],
  ['day', 24],
  ['week', 7],
] as const;
/** Older times are said as a date. */
const weeksMax = 4;

type Formats = {
  readonly relative: Intl.RelativeTimeFormat;
  readonly date: Intl.DateTimeFormat;
  readonly whole: Intl.DateTimeFormat;
};

const formats: Record<string, Formats> = {};

function formatsOf(language: string): Formats {
  formats[language] ??= {
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
    date: new Intl.DateTimeFormat(language, { dateStyle: 'medium' }),
    whole: new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }),
  };
  return formats[language];
}

/** A time as "5 minutes ago", or as a date where it is older than four weeks; undefined in the last minute and in the future. */
export function relativeTime(at: string, now: number, language: string): string | undefined {
  const { relative, date } = formatsOf(language);
  let amount = (now - Date.parse(at)) / 1000;
  if (amount < 60) return undefined;
  let unit: (typeof steps)[number][0] = 'minute';
  for (const [next, size] of steps) {
    if (amount < size) break;
    amount /= size;
    unit = next;
  }
  if (unit === 'week' && amount > weeksMax) return date.format(Date.parse(at));
  return relative.format(-Math.floor(amount), unit);
}

/** A time with its day and hour. */
export function wholeTime(at: string, language: string): string {
  return formatsOf(language).whole.format(Date.parse(at));
}
