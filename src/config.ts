/** How one setting is read: from `CONFAB_<NAME>` or from the flag `--<name>` of `confab serve`, which wins. */
type Setting<T> = {
  readonly variable: string;
  readonly sentence: string;
  readonly isSecret?: boolean;
  /** Throws an Error that says what is wrong; `undefined` is the setting left out. */
  readonly parse: (text: string | undefined) => T;
};

function setting<T>(
  variable: string,
  sentence: string,
  parse: (text: string | undefined) => T,
  options: { isSecret?: boolean } = {},
): Setting<T> {
  return { variable, sentence, parse, ...options };
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

function oneOf<T extends string>(values: readonly T[], fallback: T): (text: string | undefined) => T {
  return (text) => {
    if (text === undefined) return fallback;
    const value = values.find((known) => known === text);
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return value;
  };
}

function port(text: string | undefined): number {
  if (text === undefined) return 8080;
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value > 65_535) throw new Error('must be a port, 0 to 65535');
  return value;
}

function origins(text: string | undefined): string[] {
  const list = (text ?? '').split(',').map((origin) => origin.trim());
  return list
    .filter((origin) => origin !== '')
    .map((origin) => {
      if (!URL.canParse(origin) || new URL(origin).origin !== origin)
        throw new Error(`"${origin}" is not an origin such as https://app.example.com`);
      return origin;
    });
}

function publicUrl(text: string | undefined): string | undefined {
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

function headerPrefix(text: string | undefined): string {
  const prefix = text ?? 'X-Weavy';
  if (!/^[A-Za-z][A-Za-z0-9-]{0,40}$/.test(prefix)) throw new Error('must be the beginning of a header name');
  return prefix;
}

/** Every setting, in the order of the reference. */
export const settings = {
  host: setting('CONFAB_HOST', 'The address to listen on.', (text) => text ?? '127.0.0.1'),
  port: setting('CONFAB_PORT', 'The port to listen on; 0 takes any that is free.', port),
  dataDir: setting('CONFAB_DATA_DIR', 'The folder of everything that is kept.', (text) => text ?? './data'),
  publicUrl: setting(
    'CONFAB_PUBLIC_URL',
    'The address clients reach this server at, for the links in its answers; by default where it listens.',
    publicUrl,
  ),
  apiKey: setting('CONFAB_API_KEY', 'An API key to accept, made elsewhere.', (text) => text, {
    isSecret: true,
  }),
  egressAllow: setting(
    'CONFAB_EGRESS_ALLOW',
    'Internal addresses that webhooks may call: CIDRs, addresses and exact host names, comma separated.',
    (text) => text ?? '',
  ),
  corsOrigins: setting(
    'CONFAB_CORS_ORIGINS',
    'Exact origins that browsers may call from, comma separated.',
    origins,
  ),
  webhookHeaderPrefix: setting(
    'CONFAB_WEBHOOK_HEADER_PREFIX',
    'The beginning of the names of the headers -Delivery, -Trigger and -Signature.',
    headerPrefix,
  ),
  logLevel: setting('CONFAB_LOG_LEVEL', 'What is logged.', oneOf(logLevels, 'info')),
};

type Settings = typeof settings;

/** The configuration: read once, never changed. */
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['parse']> };

/** The flag of a setting: `CONFAB_DATA_DIR` is `data-dir`. */
export function flagOf(variable: string): string {
  return variable.slice('CONFAB_'.length).toLowerCase().replaceAll('_', '-');
}

/** The number of edits between two words, for naming what was probably meant. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const above = previous[j] ?? 0;
      const diagonal = previous[j - 1] ?? 0;
      row.push(Math.min(above + 1, (row[j - 1] ?? 0) + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

function refuseUnknown(environment: NodeJS.ProcessEnv): void {
  const known = Object.values(settings).map(({ variable }) => variable);
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('CONFAB_') || known.includes(name)) continue;
    const nearest = known.toSorted((a, b) => distance(name, a) - distance(name, b))[0];
    throw new Error(`${name} is no setting of Confab; did you mean ${nearest}?`);
  }
}

/** Reads the configuration; throws an Error that names the setting that is wrong or unknown. */
export function readConfig(flags: { readonly [flag: string]: string | undefined } = {}): Config {
  return configFrom(process.env, flags);
}

/** The same from a given environment. */
export function configFrom(
  environment: NodeJS.ProcessEnv,
  flags: { readonly [flag: string]: string | undefined } = {},
): Config {
  refuseUnknown(environment);
  const config: Record<string, unknown> = {};
  for (const [name, { variable, parse }] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const flag = flagOf(variable);
    const text = flags[flag] ?? (environment[variable] === '' ? undefined : environment[variable]);
    try {
      config[name] = parse(text);
    } catch (error) {
      const where = flags[flag] === undefined ? variable : `--${flag}`;
      throw new Error(`${where} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  return Object.freeze(config) as Config;
}
