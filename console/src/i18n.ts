import { createStore } from './store.ts';

/**
 * The languages of the console. Each message stands in all of them next to each other, in `messages.ts` of the shell and
 * of each view. What the server says, such as a problem, is in English.
 */

/** The languages by their codes, with their own names. */
export const languages = { en: 'English', de: 'Deutsch', ar: 'العربية' } as const;
/** One of them. */
export type Language = keyof typeof languages;

/** A message by the category of its number, as `Intl.PluralRules` has them. */
type Plural = { readonly other: string } & { readonly [C in Intl.LDMLPluralRule]?: string };
type Texts = { readonly [name: string]: string | Plural };
type Values = { readonly [name: string]: string | number };

/** Every catalogue that was made; a test compares their languages. */
export const catalogues: { readonly [L in Language]: Texts }[] = [];

const cookie = 'confab-language';

/** The language that the reader chose, else the first of the browser that there is, else English. */
function firstLanguage(): Language {
  const chosen = typeof document === 'undefined' ? '' : document.cookie;
  const wanted = [new RegExp(`${cookie}=(\\w+)`).exec(chosen)?.[1] ?? '', ...navigator.languages];
  const known = wanted.map((tag) => tag.slice(0, 2)).find((code) => Object.hasOwn(languages, code));
  return (known ?? 'en') as Language;
}

/** The language of the page. */
export const language = createStore<Language>(firstLanguage());

/** Chooses a language, for this browser. */
export function chooseLanguage(chosen: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: what it keeps is no secret, and the page needs it before it asks anything
  document.cookie = `${cookie}=${chosen}; Path=/console; Max-Age=31536000; SameSite=Strict`;
  language.set(chosen);
}

/** The direction in which the language is written. */
export function direction(): 'ltr' | 'rtl' {
  return language.get() === 'ar' ? 'rtl' : 'ltr';
}

/**
 * Declares messages in all languages, and returns the function that gives one in the language of the page. `{name}` in a
 * message is replaced; `count` selects the form of one with several.
 */
export function messages<T extends Texts>(texts: {
  readonly en: T;
  readonly de: { readonly [N in keyof T]: string | Plural };
  readonly ar: { readonly [N in keyof T]: string | Plural };
}): (name: keyof T & string, values?: Values) => string {
  catalogues.push(texts);
  return (name, values = {}) => {
    const code = language.get();
    const found: string | Plural = texts[code][name] ?? texts.en[name] ?? name;
    const text =
      typeof found === 'string' ? found : (found[rules(code).select(Number(values.count))] ?? found.other);
    return text.replace(/\{(\w+)\}/g, (_, key: string) => {
      const value = values[key] ?? '';
      return typeof value === 'number' ? formatNumber(value) : value;
    });
  };
}

const kept = new Map<string, object>();

/** What `make` makes for the language of the page, made once. */
function inLanguage<T extends object>(name: string, make: (code: Language) => T): T {
  const code = language.get();
  const key = `${code} ${name}`;
  const known = kept.get(key) ?? make(code);
  kept.set(key, known);
  return known as T;
}

function rules(code: Language): Intl.PluralRules {
  return inLanguage('plural', () => new Intl.PluralRules(code));
}

/** A number in the language of the page. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return inLanguage(
    `number ${JSON.stringify(options)}`,
    (code) => new Intl.NumberFormat(code, options),
  ).format(value);
}

/** A number of bytes. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const unit = units[power] ?? 'byte';
  return formatNumber(bytes / 1000 ** power, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  });
}

/** A number of seconds as milliseconds or seconds, whichever reads better. */
export function formatDuration(seconds: number): string {
  const isShort = seconds < 1;
  return formatNumber(isShort ? seconds * 1000 : seconds, {
    style: 'unit',
    unit: isShort ? 'millisecond' : 'second',
    unitDisplay: 'short',
    maximumFractionDigits: seconds < 0.01 ? 1 : isShort ? 0 : 1,
  });
}

/** A time of the interface in the zone of the reader. */
export function formatTime(
  time: string | number | Date,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
): string {
  return inLanguage(
    `time ${JSON.stringify(options)}`,
    (code) => new Intl.DateTimeFormat(code, options),
  ).format(new Date(time));
}

/** A text of the server, with the times in it in the zone and the language of the reader. */
export function withLocalTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) => formatTime(time));
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** How long ago a time is, or how long it takes until then. */
export function formatAgo(time: string | number | Date): string {
  const seconds = (new Date(time).getTime() - Date.now()) / 1000;
  const format = inLanguage('relative', (code) => new Intl.RelativeTimeFormat(code, { numeric: 'auto' }));
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? (['second', 1] as const);
  return format.format(Math.round(seconds / size), unit);
}
