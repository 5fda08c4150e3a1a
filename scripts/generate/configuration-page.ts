import { flagOf, settings } from '../../src/config.ts';
import { clientLimits } from '../../src/http/client-limits.ts';
import { type Rates, rateKinds, ratesText } from '../../src/kernel/rate-limits.ts';

const limits = clientLimits;
const mebibyte = 1024 * 1024;

/** Each limit: its subject, its value and what happens beyond it. */
const limitRows: readonly (readonly [string, string, string])[] = [
  ['Time for the headers of a request', seconds(limits.headersMs), '408, the connection is closed'],
  ['Time for a whole request', seconds(limits.requestMs), '408, the connection is closed'],
  [
    'Time without a byte of an answer being read',
    `${seconds(limits.unreadMs)} to ${seconds(2 * limits.unreadMs)}`,
    'the connection is cut',
  ],
  ['Idle time of a connection', seconds(limits.idleMs), 'the connection is closed'],
  [
    'Connections of one address on which no request is being answered',
    String(limits.waitingPerAddressMax),
    'the one that has waited longest is cut',
  ],
  [
    'Unread bytes of answers to one user',
    `${limits.unreadUserBytesMax / mebibyte} MiB`,
    'the answer that has waited longest is cut',
  ],
  [
    'Unread bytes of answers to all callers',
    `${limits.unreadBytesMax / mebibyte} MiB`,
    'the caller with the most loses the answer that has waited longest',
  ],
  [
    'Live connections and event streams of one user on a node',
    String(limits.livePerUserMax),
    '429 `too_many_connections` with `Retry-After`',
  ],
];

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

/** The reference of settings as Markdown. */
export function configurationPage(): string {
  const rows = Object.values(settings).map(({ variable, sentence, values, parse }) => {
    const cells = [
      `\`${variable}\``,
      `\`--${flagOf(variable)}\``,
      values,
      defaultOf(parse(undefined)),
      sentence,
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return `${[
    '<!-- Made by `npm run generate` from src/config.ts. -->',
    '',
    '# Configuration',
    '',
    'Every setting is an environment variable and a flag of `confab serve`; the flag wins. An empty variable counts as',
    'not set. A variable that begins with `CONFAB_` and is not listed here stops the start, so that a typing mistake is',
    'noticed. The other commands take those that say where the store and its keys are, such as `--data-dir`.',
    '',
    '| Variable | Flag | Values | Default | What it does |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    'The log is written to stderr, one JSON object a line. What a command answers, such as the address a server listens',
    'on or a new key, is written to stdout.',
    '',
    '## Limits on clients',
    '',
    'These are no settings: they protect the server from clients that keep it waiting, and no client that works as it',
    'should comes near them. Behind a proxy all clients have the address of the proxy; the limit on an address leaves',
    'room for that.',
    '',
    '| What | Limit | Beyond it |',
    '|---|---|---|',
    ...limitRows.map(([what, limit, beyond]) => `| ${what} | ${limit} | ${beyond} |`),
    '',
    'The log says `a connection was cut` and why.',
  ].join('\n')}\n`;
}

function defaultOf(value: unknown): string {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return 'none';
  return `\`${isRates(value) ? ratesText(value) : String(value)}\``;
}

function isRates(value: unknown): value is Rates {
  return typeof value === 'object' && value !== null && rateKinds.some((kind) => kind in value);
}
