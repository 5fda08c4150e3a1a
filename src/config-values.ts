/**
 * What a setting is, and parsers for the text of settings. Each throws an Error with the rule, worded to follow the name of
 * the setting. `undefined` means that the setting is absent.
 */

/** How one setting is read: from `CONFAB_<NAME>` or from the flag `--<name>` of `confab serve`, which wins. */
export type Setting<T> = {
  readonly variable: string;
  readonly sentence: string;
  /** The allowed values, in a few words. */
  readonly values: string;
  readonly isSecret?: boolean;
  /** The value of the flag without an argument; other flags need a value. */
  readonly bareFlag?: string;
  /** Throws an Error with the rule that is broken; `undefined` means that the setting is absent. */
  readonly parse: (text: string | undefined) => T;
};

/** Describes a setting. */
export function setting<T>(
  variable: string,
  described: Omit<Setting<T>, 'variable' | 'parse'>,
  parse: (text: string | undefined) => T,
): Setting<T> {
  return { variable, ...described, parse };
}

/** One of several words; `fallback` when absent. */
export function oneOf<T extends string>(values: readonly T[], fallback: T): (text: string | undefined) => T {
  return (text) => {
    if (text === undefined) return fallback;
    const value = values.find((known) => known === text);
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return value;
  };
}

/** A port; 8080 when absent. */
export function port(text: string | undefined): number {
  if (text === undefined) return 8080;
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value > 65_535) throw new Error('must be a port, 0 to 65535');
  return value;
}

/** Where metrics are served: an address of their own, `key` for the address of the server, or `off`. */
export function metricsPlace(text: string | undefined): 'key' | 'off' | { host: string; port: number } {
  if (text === undefined || text === 'key') return 'key';
  if (text === 'off') return 'off';
  const [, literal, host = literal, digits = ''] =
    /^(?:(?:\[([^\]]+)\]|([^:]+)):)?([0-9]+)$/.exec(text) ?? [];
  if (digits === '' || Number(digits) > 65_535)
    throw new Error('must be key, off, a port, or an address with a port such as 10.0.0.5:9464');
  return { host: host ?? '127.0.0.1', port: Number(digits) };
}

/** An integer in a range, both ends included. */
export function between(min: number, max: number, fallback: number): (text: string | undefined) => number {
  return (text) => {
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value < min || value > max)
      throw new Error(`must be a whole number, ${min} to ${max}`);
    return value;
  };
}

/** Origins, comma separated. */
export function origins(text: string | undefined): string[] {
  const list = (text ?? '').split(',').map((origin) => origin.trim());
  return list
    .filter((origin) => origin !== '')
    .map((origin) => {
      if (!URL.canParse(origin) || new URL(origin).origin !== origin)
        throw new Error(`"${origin}" is not an origin such as https://app.example.com`);
      return origin;
    });
}

/** An http or https address without a trailing slash. */
export function publicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new Error('must be an http or https address without query or fragment');
  return text.replace(/\/+$/, '');
}

/** The name of a bucket. */
export function bucketName(text: string | undefined): string | undefined {
  if (text !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text))
    throw new Error('must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens');
  return text;
}

/** The address of a PostgreSQL database. */
export function databaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol !== 'postgres:' && protocol !== 'postgresql:')
    throw new Error('must be an address that begins with postgres://');
  return text;
}

/** A version of two or three numbers. */
export function versionText(text: string | undefined): string {
  const value = text ?? '21.1.2';
  if (!/^[0-9]+(?:\.[0-9]+){1,2}$/.test(value)) throw new Error('must be a version such as 21.1.2');
  return value;
}

/** The beginning of the name of a header. */
export function headerPrefix(text: string | undefined): string {
  const prefix = text ?? 'X-Weavy';
  if (!/^[A-Za-z][A-Za-z0-9-]{0,40}$/.test(prefix)) throw new Error('must be the beginning of a header name');
  return prefix;
}
