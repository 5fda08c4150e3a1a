import { BlockList, isIP } from 'node:net';
import {
  defaultRates,
  type RateCaller,
  type RateKind,
  type Rates,
  rateKinds,
  rateMax,
  ratesText,
} from '../kernel/rate-limits.ts';
import { between, list, type Setting, setting, wordOr } from './values.ts';

/** The settings of rate limits, and of the proxies behind which addresses are counted. */

/** Rates such as `write=300,search=off`; kinds that are not named keep their default. */
function ratesOf(role: RateCaller, text: string): Rates {
  const defaults = defaultRates[role];
  if (text === 'off') return {};
  const changed: { [K in RateKind]?: number } = { ...defaults };
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=').map((word) => word.trim());
    const kind = rateKinds.find((known) => known === name && defaults[known] !== undefined);
    if (kind === undefined)
      throw new Error(`must name kinds among ${Object.keys(defaults).join(', ')}, such as read=100`);
    const number = Number(value);
    if (value === 'off') delete changed[kind];
    else if (!/^[0-9]+$/.test(value) || number < 1 || number > rateMax)
      throw new Error(`must give ${kind} a whole number, 1 to ${rateMax}, or off`);
    else changed[kind] = number;
  }
  return changed;
}

function rateSetting(variable: string, role: RateCaller, sentence: string): Setting<Rates> {
  const kind = list('off, or kinds with a number or off, such as `write=300,search=off`', (text) =>
    ratesOf(role, text),
  );
  return setting(variable, { kind, default: ratesText(defaultRates[role]), sentence });
}

function storageSetting(variable: string, sentence: string): Setting<number | undefined> {
  const mib = wordOr('off', [1, 1_000_000_000]);
  const parse = (text: string) => {
    const value = mib.parse(text);
    return value === undefined ? undefined : value * 1024 * 1024;
  };
  return setting(variable, { kind: { ...mib, parse }, default: 'off', sentence });
}

/** Networks and addresses; none for `none`. */
const networks = list('none, or addresses and networks such as 10.0.0.0/8', (text) => {
  const blocks = new BlockList();
  if (text === 'none') return blocks;
  for (const part of text.split(',')) {
    const [address = '', bits] = part.trim().split('/');
    const version = isIP(address);
    const most = version === 6 ? 128 : 32;
    if (version === 0 || (bits !== undefined && (!/^[0-9]+$/.test(bits) || Number(bits) > most)))
      throw new Error(`has "${part.trim()}", which is neither an address nor a network such as 10.0.0.0/8`);
    blocks.addSubnet(address, bits === undefined ? most : Number(bits), version === 6 ? 'ipv6' : 'ipv4');
  }
  return blocks;
});

/** Settings of `config/config.ts`. */
export const limitSettings = {
  limitsPerson: rateSetting(
    'CONFAB_LIMITS_PERSON',
    'person',
    'How many requests of each kind a person may send in a minute. Kinds that are not named keep their default.',
  ),
  limitsModerator: rateSetting(
    'CONFAB_LIMITS_MODERATOR',
    'moderator',
    'The same for users with the role `moderator`.',
  ),
  limitsKey: rateSetting('CONFAB_LIMITS_KEY', 'key', 'The same for an API key, whoever it acts for.'),
  limitsAddress: rateSetting(
    'CONFAB_LIMITS_ADDRESS',
    'address',
    'The same for the address of a client, for IPv6 its first 64 bits, and how many unknown credentials it may send in ten minutes.',
  ),
  storagePersonBytes: storageSetting(
    'CONFAB_STORAGE_PERSON_MIB',
    'How many MiB the files of a person may have together that comments, posts, messages and files use; API keys may add any number.',
  ),
  storageAppBytes: storageSetting(
    'CONFAB_STORAGE_APP_MIB',
    'How many MiB the files and attachments of an app may have together, earlier versions included.',
  ),
  visitorStreams: setting('CONFAB_VISITOR_STREAMS', {
    kind: between(0, 100_000),
    sentence:
      'How many readers without a credential a node tells of changes at a time ([docs/visitors.md](visitors.md#live-updates)); further ones read again each minute. Each takes 20 kB of memory and a file descriptor. By default 10000, or fewer where the node has less than 1 GB of memory, so that they take a fifth of it at most.',
  }),
  trustedProxies: setting('CONFAB_TRUSTED_PROXIES', {
    kind: networks,
    sentence:
      'The proxies in front of the server, which add the address of the client to `X-Forwarded-For`; `none` if there are none. Without this setting, the header is ignored, and internal addresses are not limited, because one of them may be a proxy ([docs/proxy.md](proxy.md)).',
  }),
};
