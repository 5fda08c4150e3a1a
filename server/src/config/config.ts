import { readFileSync } from 'node:fs';
import { readKeys } from '../kernel/secret-box.ts';
import type { Sampling } from '../kernel/traces.ts';
import { backupSettings } from './backup.ts';
import { jwtSettings } from './jwt.ts';
import { limitSettings } from './limits.ts';
import { mailSettings } from './mail.ts';
import { moderationSettings } from './moderation.ts';
import { programSettings } from './programs.ts';
import { signInSettings } from './sign-in.ts';
import { type Flags, flagOf, type Gathered, gatherSettings, type Places, type Settings } from './sources.ts';
import { refuseTogether } from './together.ts';
import {
  between,
  bucketName,
  contactAddress,
  databaseUrl,
  headerPrefix,
  httpAddress,
  list,
  metricsPlace,
  oneOf,
  origins,
  setting,
  text,
  versionText,
  wordOr,
  yesOrNo,
} from './values.ts';

/** The version of this program, from package.json. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;

/** Every setting, in the order of the reference. */
export const settings = {
  configFile: setting('CONFAB_CONFIG', {
    kind: text('a path'),
    isOutsideFile: true,
    sentence: 'The file of settings; by default `confab.yaml` in the working folder, if there is one.',
  }),
  host: setting('CONFAB_HOST', {
    kind: text('an address or host name of this machine'),
    default: '127.0.0.1',
    sentence: 'The address to listen on.',
  }),
  port: setting('CONFAB_PORT', {
    kind: between(0, 65_535),
    default: '8080',
    sentence: 'The port to listen on; 0 takes any free port.',
  }),
  dataDir: setting('CONFAB_DATA_DIR', {
    kind: text('a path'),
    default: './data',
    sentence: 'The folder for all data.',
  }),
  databaseUrl: setting('CONFAB_DATABASE_URL', {
    kind: databaseUrl,
    sentence:
      'The PostgreSQL database, which several nodes can share. By default one node keeps a SQLite file in the data folder.',
    isSecret: true,
  }),
  databaseReplicaUrl: setting('CONFAB_DATABASE_REPLICA_URL', {
    kind: databaseUrl,
    sentence:
      'A replica of that database (streaming replication, hot standby). Confab reads lists from it after it has checked access on the database itself. Lists are never stale: if the replica is behind, the database is read.',
    isSecret: true,
  }),
  databaseConnections: setting('CONFAB_DATABASE_CONNECTIONS', {
    kind: between(1, 200),
    default: '10',
    sentence:
      'The most connections of a node that read from PostgreSQL; as many again read from a replica. Two more connections write and listen, and two more are for long lists.',
  }),
  databasePrepare: setting('CONFAB_DATABASE_PREPARE', {
    kind: yesOrNo,
    default: 'yes',
    sentence:
      'Whether statements are prepared on the connections to PostgreSQL. Set `no` for a pooler in transaction mode. Nodes then cannot notify each other, and find changes by polling.',
  }),
  s3Bucket: setting('CONFAB_S3_BUCKET', {
    kind: bucketName,
    sentence:
      'The bucket for uploaded files, at Amazon S3 or any compatible store. By default files are in the data folder.',
  }),
  s3Endpoint: setting('CONFAB_S3_ENDPOINT', {
    kind: httpAddress(),
    sentence: 'The address of the S3-compatible store; by default the address of Amazon S3.',
  }),
  s3Region: setting('CONFAB_S3_REGION', {
    kind: text('a region such as eu-north-1'),
    sentence: 'The region of the bucket. The default is `us-east-1` if CONFAB_S3_ENDPOINT is set.',
  }),
  s3AccessKeyId: setting('CONFAB_S3_ACCESS_KEY_ID', {
    kind: text('an access key id'),
    sentence:
      'The id of the access key for the bucket. By default the role of the machine, or the variables `AWS_…`, give access.',
  }),
  s3SecretAccessKey: setting('CONFAB_S3_SECRET_ACCESS_KEY', {
    kind: text('a secret access key'),
    sentence: 'The secret of that access key.',
    isSecret: true,
  }),
  s3PathStyle: setting('CONFAB_S3_PATH_STYLE', {
    kind: yesOrNo,
    sentence:
      'Whether the address has the name of the bucket in its path instead of its host. By default `yes` if CONFAB_S3_ENDPOINT is set, else `no`.',
  }),
  s3PublicEndpoint: setting('CONFAB_S3_PUBLIC_ENDPOINT', {
    kind: httpAddress('an http or https address of another origin than Confab'),
    sentence:
      'The address at which browsers reach the store. With it, browsers load pictures, films and sound from the store, at addresses that expire within an hour. By default all files come from Confab.',
  }),
  publicUrl: setting('CONFAB_PUBLIC_URL', {
    kind: httpAddress(),
    sentence:
      'The address at which clients reach this server; links in responses begin with it. By default the address that the server listens on, with `localhost` as the host if it listens on every address.',
  }),
  apiKey: setting('CONFAB_API_KEY', {
    kind: text('a key `wys_…`'),
    sentence: 'An API key that the server accepts, generated elsewhere.',
    isSecret: true,
  }),
  ...jwtSettings,
  secretsKey: setting('CONFAB_SECRETS_KEY', {
    kind: list('keys of 32 bytes in base64 or hex', readKeys),
    sentence:
      'The keys that seal the secrets of webhooks in the store, for nodes without a shared data folder. The first key seals; all keys open. By default the keys are in CONFAB_SECRETS_KEY_FILE.',
    isSecret: true,
  }),
  secretsKeyFile: setting('CONFAB_SECRETS_KEY_FILE', {
    kind: text('a path'),
    sentence:
      'The file with these keys, one on each line; by default `secrets.key` in the data folder, which the server creates for the first secret.',
  }),
  egressAllow: setting('CONFAB_EGRESS_ALLOW', {
    kind: list('CIDRs, addresses and exact host names'),
    default: '',
    sentence: 'Internal addresses that webhooks may call and embeds may be fetched from.',
  }),
  egressNat64: setting('CONFAB_EGRESS_NAT64', {
    kind: list('IPv6 prefixes such as 64:ff9b::/96'),
    default: '',
    sentence:
      'The prefixes of NAT64 gateways in the network. An address with such a prefix is checked as the IPv4 address that it contains; by default NAT64 addresses are refused.',
  }),
  egressPorts: setting('CONFAB_EGRESS_PORTS', {
    kind: list('ports'),
    default: '',
    sentence:
      'The only ports that webhooks and embeds may use at hosts that CONFAB_EGRESS_ALLOW does not list. By default 80, 443, and the ports from 1024 on except those of services such as databases.',
  }),
  webhookHttpsOnly: setting('CONFAB_WEBHOOK_HTTPS_ONLY', {
    kind: yesOrNo,
    default: 'no',
    sentence: 'Whether webhooks may call only https addresses.',
  }),
  people: setting('CONFAB_PEOPLE', {
    kind: oneOf(['all', 'shared']),
    default: 'all',
    sentence:
      'Which users of their directory a user can list, autocomplete and act on: all, or only those with whom the user shares an app. API keys see every user.',
  }),
  pages: setting('CONFAB_PAGES', {
    kind: oneOf(['open', 'keys']),
    default: 'open',
    sentence: 'Who may create pages: `open` is any user, `keys` is only API keys.',
  }),
  pagesVisitors: setting('CONFAB_PAGES_VISITORS', {
    kind: oneOf(['none', 'read', 'write']),
    default: 'none',
    sentence:
      'What people without a credential may do on pages that users or imports create from now on: nothing, read the comments, or also write some once they have signed in as visitors ([docs/visitors.md](visitors.md)). With `write`, they may also open the pages of the origins in `CONFAB_CORS_ORIGINS`. Pages of users with a directory are not for visitors.',
  }),
  pagesApproval: setting('CONFAB_PAGES_APPROVAL', {
    kind: oneOf(['none', 'rules', 'guests', 'newcomers', 'everything']),
    default: 'newcomers',
    sentence:
      'What a moderator approves before others see it, on pages that open from now on with `CONFAB_PAGES_VISITORS=write`: nothing, what [rules](keeping-a-community.md#rules) match, what guests write, what each user writes until a text of theirs is approved on a page of the site, or everything. It becomes the [approval](keeping-a-community.md#approval) of the app; pages that exist keep theirs.',
  }),
  commentsTyping: setting('CONFAB_COMMENTS_TYPING', {
    kind: yesOrNo,
    default: 'no',
    sentence:
      'Whether pages show who is writing a comment, to everyone who may read the comments ([docs/elements.md](elements.md#who-is-writing)).',
  }),
  commentsPresence: setting('CONFAB_COMMENTS_PRESENCE', {
    kind: yesOrNo,
    default: 'no',
    sentence:
      'Whether pages show how many people have the comments on the screen, to everyone who may read them: a number, no names ([docs/elements.md](elements.md#how-many-people-are-here)). Behind a proxy, it needs CONFAB_TRUSTED_PROXIES.',
  }),
  ...signInSettings,
  corsOrigins: setting('CONFAB_CORS_ORIGINS', {
    kind: origins,
    default: '',
    sentence: 'Origins that may call the API from a browser (CORS), spelled exactly.',
  }),
  ...programSettings,
  securityContact: setting('CONFAB_SECURITY_CONTACT', {
    kind: contactAddress,
    sentence:
      'Where to report a vulnerability of this server. The server publishes it at `/.well-known/security.txt` (RFC 9116); without this setting there is no such file.',
  }),
  webhookHeaderPrefix: setting('CONFAB_WEBHOOK_HEADER_PREFIX', {
    kind: headerPrefix,
    default: 'X-Weavy',
    sentence: 'The prefix of the names of the webhook headers -Delivery, -Trigger and -Signature.',
  }),
  webhookStripeSignature: setting('CONFAB_WEBHOOK_STRIPE_SIGNATURE', {
    kind: yesOrNo,
    default: 'no',
    sentence:
      'Whether deliveries also carry the header Stripe-Signature, for receivers that already verify it.',
  }),
  webhookBodyDays: setting('CONFAB_WEBHOOK_BODY_DAYS', {
    kind: between(1, 36_500),
    default: '30',
    sentence: 'How many days the responses of receivers are kept.',
  }),
  webhookDeliveryDays: setting('CONFAB_WEBHOOK_DELIVERY_DAYS', {
    kind: between(7, 36_500),
    default: '90',
    sentence:
      'How many days a delivery is kept after its last attempt, and how many days it waits for a receiver that does not respond.',
  }),
  eventDays: setting('CONFAB_EVENT_DAYS', {
    kind: wordOr('never', [7, 36_500]),
    default: 'never',
    sentence:
      'After how many days events leave the log; by default never. An event stays while one of its deliveries is kept, and until its notifications are made. A client that returns later gets 410 `position_gone`, because it has missed events.',
  }),
  trashDays: setting('CONFAB_TRASH_DAYS', {
    kind: wordOr('never', [1, 36_500]),
    default: 'never',
    sentence:
      'After how many days in the trash comments, posts, messages and files are deleted permanently; by default never.',
  }),
  webhookDisableDays: setting('CONFAB_WEBHOOK_DISABLE_DAYS', {
    kind: wordOr('never', [5, 365]),
    default: 'never',
    sentence:
      'After how many days of only failures a webhook is disabled. By default never: it is paused, and resumes by itself when its receiver responds again.',
  }),
  ...backupSettings,
  ...mailSettings,
  ...moderationSettings,
  clientVersion: setting('CONFAB_CLIENT_VERSION', {
    kind: versionText,
    default: '21.1.2',
    sentence:
      'The response of /version: the version of the interface that existing clients expect. They warn if it differs from theirs. A web component of a version that Confab works with, 20 or 21, gets its own instead.',
  }),
  kit: setting('CONFAB_KIT', {
    // YAML reads a version without quotes as a number.
    kind: { ...oneOf(['21', '32']), schema: { enum: ['21', '32', 21, 32] } },
    default: '32',
    sentence:
      'The version of the web components that pages get from addresses without a version, such as /uikit-web/weavy.esm.js, and from /embed.js ([docs/comments.md](comments.md#which-version)). The server has both under addresses with their version.',
  }),
  diskFreeMib: setting('CONFAB_DISK_FREE_MIB', {
    kind: between(0, 1_000_000_000),
    default: '200',
    sentence:
      'The least free space of the data folder in MiB. Below it, /readyz reports that the server is not ready, and the server accepts no files. Below half of it, a server with SQLite accepts no new comments, posts and messages either. Existing content can still be changed and deleted.',
  }),
  stopSeconds: setting('CONFAB_STOP_SECONDS', {
    kind: between(1, 3600),
    default: '25',
    sentence: 'How many seconds running requests have to finish when the server stops.',
  }),
  ...limitSettings,
  uploadQuotaMib: setting('CONFAB_UPLOAD_QUOTA_MIB', {
    kind: between(1, 1_000_000),
    default: '1024',
    sentence:
      'How many MiB of uploads a user may have that no comment, post or file uses yet. Each is removed after a day. API keys have no limit.',
  }),
  fileLinkMinutes: setting('CONFAB_FILE_LINK_MINUTES', {
    kind: between(4, 1440),
    default: '1440',
    sentence:
      'The least time that the signed address of a file works, in minutes; the most is a quarter longer. Anyone who has seen an address can use it for that long, even after losing access. With a short time, a page that stays open for longer shows no pictures until it requests its files again, and browsers load pictures again more often.',
  }),
  demo: setting('CONFAB_DEMO', {
    kind: oneOf(['off', 'here', 'everyone']),
    default: 'off',
    sentence:
      'Serves /demo, on which two sample users talk. The demo gives their access tokens to any client: with `here`, to any client on this machine; with `everyone`, to any client that reaches the server. The flag without a value means `here`.',
    bareFlag: 'here',
  }),
  jitsiUrl: setting('CONFAB_JITSI_URL', {
    kind: httpAddress(),
    default: 'https://meet.jit.si',
    sentence:
      'The Jitsi server on which video meetings take place, also those for which a client asks Zoom, Google or Microsoft; it needs no account.',
  }),
  metrics: setting('CONFAB_METRICS', {
    kind: metricsPlace,
    default: 'key',
    sentence:
      'Where Prometheus metrics are served. With `key`: at /metrics of the server, for API keys with the scope `read`. With a port: at /metrics of that port, without a key, on 127.0.0.1 unless an address is given ([docs/monitoring.md](monitoring.md)).',
  }),
  logLevel: setting('CONFAB_LOG_LEVEL', {
    kind: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    sentence: 'The lowest level of log lines that are written.',
  }),
};

type Table = typeof settings;

/** The configuration: read once, never changed. */
export type Config = { readonly [K in keyof Table]: ReturnType<Table[K]['parse']> };

/** A configuration, with the source of each value. */
export type Reading = Gathered & { readonly config: Config };

const gatheredOf = new WeakMap<Config, Gathered>();

type ShownSettings = {
  readonly file?: string;
  readonly settings: { readonly name: string; readonly value: string; readonly from: string }[];
};

/** The setting of a configuration as it is spelled where it stands; undefined where it stands nowhere. */
export function settingNameOf(config: Config, name: keyof Config): string | undefined {
  return gatheredOf.get(config)?.settings.get(name)?.spelled;
}

/** The settings of a configuration without secrets, each with its source. */
export function shownSettings(config: Config): ShownSettings {
  const { file, settings: found } = gatheredOf.get(config) ?? { file: undefined, settings: new Map() };
  const rows = Object.entries(settings as Settings).map(([name, one]) => {
    const value = found.get(name);
    const text = value?.text ?? (name === 'configFile' ? file : one.default) ?? '';
    return {
      name: flagOf(one.variable),
      value: one.isSecret === true && value !== undefined ? '(hidden)' : text,
      from: value?.spelled ?? (text === '' ? 'not set' : 'default'),
    };
  });
  return { ...(file === undefined ? {} : { file }), settings: rows };
}

/**
 * Reads the settings from flags, the environment of this process, and the file that one of them names or
 * `confab.yaml`. Throws an Error that names the invalid or unknown setting as it is spelled in its source.
 */
export function readSettings(flags: Flags = {}): Reading {
  return readFrom({ flags, environment: process.env, hasDefaultFile: true });
}

/** The configuration of a given environment, without the file `confab.yaml`; throws as `readSettings` does. */
export function configFrom(environment: NodeJS.ProcessEnv, flags: Flags = {}): Config {
  return readFrom({ flags, environment, hasDefaultFile: false }).config;
}

function readFrom(places: Places): Reading {
  const gathered = gatherSettings(settings, places);
  try {
    const parsed = Object.entries(settings as Settings).map(([name, { variable, parse }]) => {
      try {
        return [name, parse(gathered.settings.get(name)?.text)];
      } catch (error) {
        throw new Error(`${variable} ${messageOf(error)}`, { cause: error });
      }
    });
    const config = Object.freeze(Object.fromEntries(parsed)) as Config;
    refuseTogether(
      config,
      Object.entries(settings as Settings)
        .filter(([name]) => gathered.settings.has(name))
        .map(([, { variable }]) => variable),
    );
    gatheredOf.set(config, gathered);
    return { ...gathered, config };
  } catch (error) {
    throw new Error(gathered.respell(messageOf(error)), { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the standard OpenTelemetry variables name a collector of traces. */
export function isTraced(): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = process.env;
  return (all ?? '') !== '' || (traces ?? '') !== '';
}

/**
 * The samplers of OpenTelemetry: whether each follows the client, and the share of other requests that it
 * traces.
 */
const samplers: { readonly [name: string]: readonly [isByParent: boolean, ratio: number | undefined] } = {
  always_on: [false, 1],
  always_off: [false, 0],
  traceidratio: [false, undefined],
  parentbased_always_on: [true, 1],
  parentbased_always_off: [true, 0],
  parentbased_traceidratio: [true, undefined],
};

/**
 * Which requests are traced, by `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` (OpenTelemetry,
 * environment variables). Without them, one in twenty of the requests whose client does not decide is traced.
 * Throws an Error for other values.
 */
export function samplingOf(variables: NodeJS.ProcessEnv = process.env): Sampling {
  const { OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: argument = '' } = variables;
  const sampler = samplers[name === '' ? 'parentbased_traceidratio' : name];
  if (sampler === undefined)
    throw new Error(`OTEL_TRACES_SAMPLER is one of ${Object.keys(samplers).join(', ')}`);
  const [isByParent, fixed] = sampler;
  const standard = name === '' ? 0.05 : 1;
  const ratio = fixed ?? (argument === '' ? standard : Number(argument));
  if (!(ratio >= 0 && ratio <= 1)) throw new Error('OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1');
  return { isByParent, ratio };
}

/** Whether npm, or a program like it, started this process: `npm start`, `npx confab`. */
export function isStartedByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}

/** The flags and the environment that let another process in this folder read the same settings. */
export function settingsFor(config: Config): {
  readonly flags: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
} {
  const settings = [...(gatheredOf.get(config)?.settings.values() ?? [])];
  const spellings = settings.map(({ spelled, path, text }) => ({ spelled, value: path ?? text }));
  const inEnvironment = spellings.filter(({ spelled }) => spelled.startsWith('CONFAB_'));
  return {
    // Settings of the file are read from the file again.
    flags: spellings
      .filter(({ spelled }) => spelled.startsWith('--'))
      .map(({ spelled, value }) => `${spelled}=${value}`),
    environment: {
      ...othersEnvironment(),
      ...Object.fromEntries(inEnvironment.map(({ spelled, value }) => [spelled, value])),
    },
  };
}

/** The environment of this process without the settings of Confab, for a process with settings of its own. */
export function othersEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CONFAB_')));
}
