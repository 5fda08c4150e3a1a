import { BlockList, isIP } from 'node:net';
import { between, type Setting, setting } from './config-values.ts';
import {
  defaultRates,
  type RateCaller,
  type RateKind,
  type Rates,
  rateKinds,
  rateMax,
} from './kernel/rate-limits.ts';

/** The settings of rate limits, and of the proxies behind which addresses are counted. */

/** Rates such as `write=300,search=off`; kinds that are not named keep their default. */
function rates(role: RateCaller): (text: string | undefined) => Rates {
  const defaults = defaultRates[role];
  return (text) => {
    if (text === undefined) return defaults;
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
  };
}

function rateSetting(variable: string, role: RateCaller, sentence: string): Setting<Rates> {
  const values = 'off, or kinds with a number or off, such as `write=300,search=off`';
  return setting(variable, { sentence, values }, rates(role));
}

function storageSetting(variable: string, sentence: string): Setting<number | undefined> {
  const mib = between(1, 1_000_000_000, 1);
  return setting(variable, { sentence, values: 'off, 1 to 1000000000' }, (text) =>
    text === undefined || text === 'off' ? undefined : mib(text) * 1024 * 1024,
  );
}

/** Networks and addresses, comma separated; none for `none`, undefined when absent. */
function networks(text: string | undefined): BlockList | undefined {
  if (text === undefined) return undefined;
  const list = new BlockList();
  if (text === 'none') return list;
  for (const part of text.split(',')) {
    const [address = '', bits] = part.trim().split('/');
    const version = isIP(address);
    const most = version === 6 ? 128 : 32;
    if (version === 0 || (bits !== undefined && (!/^[0-9]+$/.test(bits) || Number(bits) > most)))
      throw new Error(`"${part.trim()}" is neither an address nor a network such as 10.0.0.0/8`);
    list.addSubnet(address, bits === undefined ? most : Number(bits), version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Settings of `config.ts`. */
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
  trustedProxies: setting(
    'CONFAB_TRUSTED_PROXIES',
    {
      sentence:
        'The proxies in front of the server, which add the address of the client to `X-Forwarded-For`; `none` where there is none. Without this setting the header is ignored, and internal addresses are not limited, because one of them may be a proxy ([docs/proxy.md](proxy.md)).',
      values: 'none, or addresses and networks such as 10.0.0.0/8, comma separated',
    },
    networks,
  ),
};
