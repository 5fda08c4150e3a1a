import { originOf } from '../kernel/web-address.ts';

/**
 * What a setting is, and the kinds of values that settings have. A kind parses the text of a setting, and throws an Error with
 * the rule, worded to follow the name of the setting.
 */

/** A fragment of JSON Schema (draft 7). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A kind of value. */
export type Kind<T> = {
  /** The allowed values, in a few words. */
  readonly values: string;
  /** The JSON Schema of the value in the configuration file. */
  readonly schema: JsonSchema;
  /** Whether the text has parts separated by commas, which the configuration file may have as a list. */
  readonly isList?: boolean;
  /** Throws an Error with the rule that is broken. */
  readonly parse: (text: string) => T;
};

/** One setting: everything that readers, help and documentation know about it. */
export type Setting<T> = {
  /** Its name in the environment, `CONFAB_<NAME>`; the flag `--<name>` and the key `<name>` of the file follow from it. */
  readonly variable: string;
  readonly sentence: string;
  readonly kind: Kind<unknown>;
  /** The text that stands for an absent one. */
  readonly default?: string;
  /** Whether its value is never shown. Except for `CONFAB_SECRETS_KEY`, it can also be read from a file that `CONFAB_<NAME>_FILE` names. */
  readonly isSecret?: boolean;
  /** Whether the configuration file cannot have it. */
  readonly isOutsideFile?: boolean;
  /** The value of the flag without an argument; other flags need a value. */
  readonly bareFlag?: string;
  /** Parses the text of the setting or, without one, its default; undefined when there is neither. */
  readonly parse: (text: string | undefined) => T;
};

type Described<T> = { readonly kind: Kind<T> } & Omit<Setting<T>, 'variable' | 'parse' | 'kind' | 'default'>;

/** Describes a setting. Without a default its value can be undefined. */
export function setting<T>(
  variable: string,
  described: Described<T> & { readonly default: string },
): Setting<T>;
export function setting<T>(variable: string, described: Described<T>): Setting<T | undefined>;
export function setting<T>(
  variable: string,
  described: Described<T> & { readonly default?: string },
): Setting<T | undefined> {
  const parse = (value: string | undefined) => {
    const text = value ?? described.default;
    return text === undefined ? undefined : described.kind.parse(text);
  };
  return { variable, ...described, parse };
}

/** Any text; `parse` may refuse it or turn it into something else. */
export function text(values: string): Kind<string>;
export function text<T>(values: string, parse: (text: string) => T): Kind<T>;
export function text(values: string, parse: (text: string) => unknown = (value) => value): Kind<unknown> {
  return { values, schema: { type: ['string', 'number'] }, parse };
}

/** Parts separated by commas. */
export function list(values: string): Kind<string>;
export function list<T>(values: string, parse: (text: string) => T): Kind<T>;
export function list(values: string, parse: (text: string) => unknown = (value) => value): Kind<unknown> {
  const items = { type: ['string', 'integer'] };
  const schema = { anyOf: [items, { type: 'array', items }] };
  return { values: `${values}, comma separated`, schema, isList: true, parse };
}

/** One of several words. */
export function oneOf<const T extends string>(values: readonly T[]): Kind<T> {
  return {
    values: values.join(', '),
    schema: { enum: values },
    parse(text) {
      const value = values.find((known) => known === text);
      if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`);
      return value;
    },
  };
}

/** `yes` or `no`. */
export const yesOrNo = oneOf(['yes', 'no']);

/** Where metrics are served: an address of their own, `key` for the address of the server, or `off`. */
export const metricsPlace = text(
  'key, off, or a port or address such as `9464` or `10.0.0.5:9464`',
  (text): 'key' | 'off' | { host: string; port: number } => {
    if (text === 'key' || text === 'off') return text;
    const [, literal, host = literal, digits = ''] =
      /^(?:(?:\[([^\]]+)\]|([^:]+)):)?([0-9]+)$/.exec(text) ?? [];
    if (digits === '' || Number(digits) > 65_535)
      throw new Error('must be key, off, a port, or an address with a port such as 10.0.0.5:9464');
    return { host: host ?? '127.0.0.1', port: Number(digits) };
  },
);

/** A whole number in a range, both ends included. */
export function between(min: number, max: number): Kind<number> {
  return {
    values: `${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    parse(text) {
      const value = Number(text);
      if (!/^[0-9]+$/.test(text) || value < min || value > max)
        throw new Error(`must be a whole number, ${min} to ${max}`);
      return value;
    },
  };
}

/** A whole number in a range, or a word that stands for none: its value is undefined. */
export function wordOr(word: string, [min, max]: readonly [number, number]): Kind<number | undefined> {
  const { values, schema, parse } = between(min, max);
  return {
    values: `${word}, ${values}`,
    schema: { anyOf: [{ const: word }, schema] },
    parse(text) {
      if (text === word) return undefined;
      if (!/^[0-9]+$/.test(text)) throw new Error(`must be ${word} or a whole number, ${min} to ${max}`);
      return parse(text);
    },
  };
}

/** Origins. The address bar of a browser gives one with a slash at its end, which is left out. */
export const origins = list('origins such as https://app.example.com', (text) =>
  text
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '')
    .map((written) => {
      const origin = originOf(written);
      if (origin === undefined)
        throw new Error(`has "${written}", which is not an origin such as https://app.example.com`);
      return origin;
    }),
);

/** An http or https address; its value is without a trailing slash. */
export function httpAddress(values = 'an http or https address'): Kind<string> {
  return text(values, (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (
      url === undefined ||
      !['http:', 'https:'].includes(url.protocol) ||
      url.search !== '' ||
      url.hash !== ''
    )
      throw new Error('must be an http or https address without query or fragment');
    return text.replace(/\/+$/, '');
  });
}

/** An address at which people can be reached. */
export const contactAddress: Kind<string> = text('an address `mailto:…` or `https:…`', (text) => {
  const isAddress = /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text) && URL.canParse(text);
  if (!isAddress) throw new Error('must be an address that begins with mailto: or https://');
  return text;
});

/** The name of a bucket. */
export const bucketName = text('the name of a bucket that exists', (text) => {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text))
    throw new Error('must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens');
  return text;
});

/** The address of a PostgreSQL database. */
export const databaseUrl = text('an address `postgres://user:secret@host:5432/name`', (text) => {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol !== 'postgres:' && protocol !== 'postgresql:')
    throw new Error('must be an address that begins with postgres://');
  return text;
});

/** A version of two or three numbers. */
export const versionText = text('two or three numbers with dots', (text) => {
  if (!/^[0-9]+(?:\.[0-9]+){1,2}$/.test(text)) throw new Error('must be a version such as 21.1.2');
  return text;
});

/** The beginning of the name of a header. */
export const headerPrefix = text('the beginning of a header name', (text) => {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,40}$/.test(text)) throw new Error('must be the beginning of a header name');
  return text;
});
