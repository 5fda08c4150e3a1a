import { readFileSync } from 'node:fs';
import { jwtSettings } from './config-jwt.ts';
import { limitSettings } from './config-limits.ts';
import { mailSettings } from './config-mail.ts';
import { moderationSettings } from './config-moderation.ts';
import { refuseTogether } from './config-together.ts';
import {
  between,
  bucketName,
  databaseUrl,
  headerPrefix,
  metricsPlace,
  oneOf,
  origins,
  port,
  publicUrl,
  type Setting,
  setting,
  versionText,
} from './config-values.ts';
import { nearestOf } from './kernel/nearest.ts';
import { readKeys } from './kernel/secret-box.ts';

/** The version of this program, from package.json. */
export const version: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;

const demoAudiences = ['off', 'here', 'everyone'] as const;
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Every setting, in the order of the reference. */
export const settings = {
  host: setting(
    'CONFAB_HOST',
    { sentence: 'The address to listen on.', values: 'an address or host name of this machine' },
    (text) => text ?? '127.0.0.1',
  ),
  port: setting(
    'CONFAB_PORT',
    { sentence: 'The port to listen on; 0 takes any that is free.', values: '0 to 65535' },
    port,
  ),
  dataDir: setting(
    'CONFAB_DATA_DIR',
    { sentence: 'The folder of everything that is kept.', values: 'a path' },
    (text) => text ?? './data',
  ),
  databaseUrl: setting(
    'CONFAB_DATABASE_URL',
    {
      sentence:
        'The PostgreSQL database of several nodes; by default one node keeps a file in the data folder.',
      values: 'an address `postgres://user:secret@host:5432/name`',
      isSecret: true,
    },
    databaseUrl,
  ),
  databaseReplicaUrl: setting(
    'CONFAB_DATABASE_REPLICA_URL',
    {
      sentence:
        'A replica of that database (streaming replication, hot standby), from which lists are read that decide nothing about access. They are never older for it: what the replica lacks at the moment is read from the database itself.',
      values: 'an address `postgres://user:secret@host:5432/name`',
      isSecret: true,
    },
    databaseUrl,
  ),
  databaseConnections: setting(
    'CONFAB_DATABASE_CONNECTIONS',
    {
      sentence:
        'The most connections of a node that read from PostgreSQL, and as many again from a replica; two more write and listen, and two more are for long lists.',
      values: '1 to 200',
    },
    between(1, 200, 10),
  ),
  databasePrepare: setting(
    'CONFAB_DATABASE_PREPARE',
    {
      sentence:
        'Whether statements are prepared on the connections to PostgreSQL: `no` is for a pooler that gives each transaction another connection. Nodes then hear nothing of each other and find what is new by looking.',
      values: 'yes, no',
    },
    oneOf(['yes', 'no'] as const, 'yes'),
  ),
  s3Bucket: setting(
    'CONFAB_S3_BUCKET',
    {
      sentence:
        'The bucket that files are kept in, at Amazon S3 or any store that speaks its protocol; by default they are in the data folder.',
      values: 'the name of a bucket that exists',
    },
    bucketName,
  ),
  s3Endpoint: setting(
    'CONFAB_S3_ENDPOINT',
    {
      sentence: 'The address of the store of the bucket; by default that of Amazon.',
      values: 'an http or https address',
    },
    publicUrl,
  ),
  s3Region: setting(
    'CONFAB_S3_REGION',
    {
      sentence:
        'The region of the bucket. With an address of a store of your own the default is `us-east-1`.',
      values: 'a region such as eu-north-1',
    },
    (text) => text,
  ),
  s3AccessKeyId: setting(
    'CONFAB_S3_ACCESS_KEY_ID',
    {
      sentence:
        'The key that reads and writes the bucket. By default the role of the machine, or the variables `AWS_…`.',
      values: 'an access key id',
    },
    (text) => text,
  ),
  s3SecretAccessKey: setting(
    'CONFAB_S3_SECRET_ACCESS_KEY',
    {
      sentence:
        'The secret of that key. As a flag it can be seen in the list of processes: prefer the variable.',
      values: 'a secret access key',
      isSecret: true,
    },
    (text) => text,
  ),
  s3PathStyle: setting(
    'CONFAB_S3_PATH_STYLE',
    {
      sentence:
        'Whether the bucket is named in the path of its address instead of in the host; by default `yes` with an address of a store, `no` at Amazon.',
      values: 'yes, no',
    },
    (text) => (text === undefined ? undefined : oneOf(['yes', 'no'] as const, 'yes')(text)),
  ),
  s3PublicEndpoint: setting(
    'CONFAB_S3_PUBLIC_ENDPOINT',
    {
      sentence:
        'The address at which browsers reach the store of the bucket. With it they load pictures, films and sound from there, by addresses that end within an hour; by default all files come from Confab.',
      values: 'an http or https address of another origin than Confab',
    },
    publicUrl,
  ),
  publicUrl: setting(
    'CONFAB_PUBLIC_URL',
    {
      sentence:
        'The address clients reach this server at, for the links in its answers; by default where it listens, and `localhost` when that is every address of the machine.',
      values: 'an http or https address',
    },
    publicUrl,
  ),
  apiKey: setting(
    'CONFAB_API_KEY',
    {
      sentence:
        'An API key to accept, made elsewhere. As a flag it can be seen in the list of processes: prefer the variable.',
      values: 'a key `wys_…`',
      isSecret: true,
    },
    (text) => text,
  ),
  ...jwtSettings,
  secretsKey: setting(
    'CONFAB_SECRETS_KEY',
    {
      sentence:
        'The keys that secrets of webhooks are sealed with in the store, for nodes without a common data folder: the first seals, all open. By default the file of keys has them. As a flag it can be seen in the list of processes: prefer the variable.',
      values: 'keys of 32 bytes in base64 or hex, comma separated',
      isSecret: true,
    },
    (text) => (text === undefined ? undefined : readKeys(text)),
  ),
  secretsKeyFile: setting(
    'CONFAB_SECRETS_KEY_FILE',
    {
      sentence:
        'The file of these keys, one a line; by default `secrets.key` in the data folder, which is made for the first secret.',
      values: 'a path',
    },
    (text) => text,
  ),
  egressAllow: setting(
    'CONFAB_EGRESS_ALLOW',
    {
      sentence: 'Internal addresses that webhooks may call and embeds may be fetched from.',
      values: 'CIDRs, addresses and exact host names, comma separated',
    },
    (text) => text ?? '',
  ),
  egressNat64: setting(
    'CONFAB_EGRESS_NAT64',
    {
      sentence:
        'The prefixes of NAT64 gateways in the network. An address in one is judged as the IPv4 address that it carries; by default none may be called.',
      values: 'IPv6 prefixes such as 64:ff9b::/96, comma separated',
    },
    (text) => text ?? '',
  ),
  egressPorts: setting(
    'CONFAB_EGRESS_PORTS',
    {
      sentence:
        'The only ports that webhooks and embeds may use at hosts that CONFAB_EGRESS_ALLOW does not list. By default 80, 443 and those from 1024 on that belong to no service such as a database.',
      values: 'ports, comma separated',
    },
    (text) => text ?? '',
  ),
  webhookHttpsOnly: setting(
    'CONFAB_WEBHOOK_HTTPS_ONLY',
    { sentence: 'Whether webhooks may call https addresses alone.', values: 'yes, no' },
    oneOf(['yes', 'no'] as const, 'no'),
  ),
  people: setting(
    'CONFAB_PEOPLE',
    {
      sentence:
        'Which users of their directory a user can list, autocomplete and act on: all, or only those with whom the user shares an app. API keys see every user.',
      values: 'all, shared',
    },
    oneOf(['all', 'shared'] as const, 'all'),
  ),
  pages: setting(
    'CONFAB_PAGES',
    { sentence: 'Who may make pages: `open` is any user, `keys` is API keys alone.', values: 'open, keys' },
    oneOf(['open', 'keys'] as const, 'open'),
  ),
  corsOrigins: setting(
    'CONFAB_CORS_ORIGINS',
    {
      sentence: 'Exact origins that browsers may call from.',
      values: 'origins such as https://app.example.com, comma separated',
    },
    origins,
  ),
  webhookHeaderPrefix: setting(
    'CONFAB_WEBHOOK_HEADER_PREFIX',
    {
      sentence: 'The beginning of the names of the headers -Delivery, -Trigger and -Signature.',
      values: 'the beginning of a header name',
    },
    headerPrefix,
  ),
  webhookStripeSignature: setting(
    'CONFAB_WEBHOOK_STRIPE_SIGNATURE',
    {
      sentence:
        'Whether deliveries carry the header Stripe-Signature as well, for receivers that verify it already.',
      values: 'yes, no',
    },
    oneOf(['yes', 'no'] as const, 'no'),
  ),
  webhookBodyDays: setting(
    'CONFAB_WEBHOOK_BODY_DAYS',
    {
      sentence: 'How many days what receivers answered is kept with the attempts of deliveries.',
      values: '1 to 36500',
    },
    between(1, 36_500, 30),
  ),
  webhookDeliveryDays: setting(
    'CONFAB_WEBHOOK_DELIVERY_DAYS',
    {
      sentence:
        'How many days a delivery is kept after its last attempt, and how many it waits for a receiver that does not come back.',
      values: '7 to 36500',
    },
    between(7, 36_500, 90),
  ),
  webhookDisableDays: setting(
    'CONFAB_WEBHOOK_DISABLE_DAYS',
    {
      sentence:
        'After how many days of nothing but failures a webhook is disabled; by default never: it is paused, and goes on by itself when its receiver is back.',
      values: 'never, 5 to 365',
    },
    (text) => (text === undefined || text === 'never' ? undefined : between(5, 365, 5)(text)),
  ),
  ...mailSettings,
  ...moderationSettings,
  clientVersion: setting(
    'CONFAB_CLIENT_VERSION',
    {
      sentence:
        'What /version answers: the version of the interface that existing clients expect. They warn when its first number is not theirs.',
      values: 'two or three numbers with dots',
    },
    versionText,
  ),
  diskFreeMib: setting(
    'CONFAB_DISK_FREE_MIB',
    {
      sentence:
        'The free space of the data folder in MiB below which /readyz answers that the server is not ready.',
      values: '0 to 1000000000',
    },
    between(0, 1_000_000_000, 200),
  ),
  stopSeconds: setting(
    'CONFAB_STOP_SECONDS',
    {
      sentence: 'How many seconds running requests have to end when the server is told to stop.',
      values: '1 to 3600',
    },
    between(1, 3600, 25),
  ),
  ...limitSettings,
  uploadQuotaMib: setting(
    'CONFAB_UPLOAD_QUOTA_MIB',
    {
      sentence:
        'How many MiB of uploads a user may have that no comment, post or file uses yet; each is removed after a day. API keys may have any number.',
      values: '1 to 1000000',
    },
    between(1, 1_000_000, 1024),
  ),
  fileLinkMinutes: setting(
    'CONFAB_FILE_LINK_MINUTES',
    {
      sentence:
        'How many minutes the signed address of a file works at least, and at most a quarter more. Anyone who has seen an address can use it for that long after losing access. With a short time, a page that stays open longer shows no more pictures until it reads the file again, and browsers load each picture anew more often.',
      values: '4 to 1440',
    },
    between(4, 1440, 1440),
  ),
  demo: setting(
    'CONFAB_DEMO',
    {
      sentence:
        'Serves /demo, on which two sample users talk. It gives their access tokens to every client: with `here`, every client on this machine; with `everyone`, every client that reaches the server. The flag alone is `here`.',
      values: demoAudiences.join(', '),
      bareFlag: 'here',
    },
    oneOf(demoAudiences, 'off'),
  ),
  jitsiUrl: setting(
    'CONFAB_JITSI_URL',
    {
      sentence: 'The Jitsi server on which video meetings take place; it needs no account.',
      values: 'an http or https address',
    },
    (text) => publicUrl(text) ?? 'https://meet.jit.si',
  ),
  metrics: setting(
    'CONFAB_METRICS',
    {
      sentence:
        'Where metrics in the format of Prometheus are served: with `key` at /metrics of the server, for API keys with the scope `read`; or without a key at /metrics of a port of their own, on 127.0.0.1 unless an address is given ([docs/monitoring.md](monitoring.md)).',
      values: 'key, off, or a port or address such as `9464` or `10.0.0.5:9464`',
    },
    metricsPlace,
  ),
  logLevel: setting(
    'CONFAB_LOG_LEVEL',
    { sentence: 'The least important lines that are logged.', values: logLevels.join(', ') },
    oneOf(logLevels, 'info'),
  ),
};

type Settings = typeof settings;

/** The configuration: read once, never changed. */
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['parse']> };

/** The flag of a setting: `CONFAB_DATA_DIR` is `data-dir`. */
export function flagOf(variable: string): string {
  return variable.slice('CONFAB_'.length).toLowerCase().replaceAll('_', '-');
}

function refuseUnknown(environment: NodeJS.ProcessEnv): void {
  const known = Object.values(settings).map(({ variable }) => variable);
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('CONFAB_') || known.includes(name)) continue;
    const nearest = nearestOf(name, known);
    throw new Error(`${name} is no setting of Confab; did you mean ${nearest}?`);
  }
}

/** Reads the configuration; throws an Error that names the invalid or unknown setting. */
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
  const given = Object.entries(settings).filter(([name]) => config[name] !== undefined);
  refuseTogether(
    config as Config,
    given.map(([, { variable }]) => variable),
  );
  return Object.freeze(config) as Config;
}

/** Whether npm, or a program like it, started this process: `npm start`, `npx confab`. */
export function isStartedByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}
