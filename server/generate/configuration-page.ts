import { settings } from '../src/config/config.ts';
import { fileVariableOf, flagOf, type Settings } from '../src/config/sources.ts';
import { clientLimits } from '../src/http/limits/client-limits.ts';

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
  [
    'Streams of `GET /api/apps/{app}/changes` without a credential on a node: of one address, and in all',
    `${limits.visitorWatchesPerAddressMax}, and \`CONFAB_VISITOR_STREAMS\``,
    '429 `too_many_connections` with `Retry-After`',
  ],
];

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

/** The reference of settings as Markdown. */
export function configurationPage(): string {
  const rows = Object.values(settings as Settings).map((one) => {
    const cells = [
      `\`${one.variable}\``,
      `\`--${flagOf(one.variable)}\``,
      one.kind.values,
      one.default === undefined || one.default === '' ? 'none' : `\`${one.default}\``,
      one.sentence,
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const secrets = Object.values(settings as Settings).flatMap((one) => fileVariableOf(one) ?? []);
  return `<!-- Made by \`npm run generate\` from server/src/config/config.ts. -->

# Configuration

Every setting is an environment variable, a flag of \`confab serve\` and a key of a configuration file. A flag wins over
the environment, which wins over the file. The key is the flag without the two hyphens: \`CONFAB_DATA_DIR\`,
\`--data-dir\` and \`data-dir\` are one setting. An empty value counts as not set. A variable that begins with
\`CONFAB_\`, or a key of the file, that is not listed here stops the start, so that a typing mistake is noticed. The
other commands take the flags that say where the store and its keys are, such as \`--data-dir\`.

## The file

Confab reads the file that \`--config\` or \`CONFAB_CONFIG\` names, and otherwise \`confab.yaml\` in the folder it is
started in, if there is one. All commands read it. Paths in it start at that folder too, as in the environment.

\`\`\`yaml
# yaml-language-server: $schema=./confab.schema.json
host: 0.0.0.0
public-url: https://confab.example.com
data-dir: /var/lib/confab
cors-origins:
  - https://www.example.com
  - https://app.example.com
smtp-url-file: /run/secrets/smtp-url
mail-from: Product <no-reply@example.com>
\`\`\`

A value is one line of text as in the environment, without units; \`yes\`, \`no\` and \`off\` need no quotes. A comma
separated value can be a YAML list. \`confab config schema\` prints the JSON Schema of the file, with which editors
complete and check it; the package has it as \`confab-server/confab.schema.json\`.

\`\`\`sh
confab config schema > confab.schema.json
confab config
\`\`\`

\`confab config\` takes the flags of \`confab serve\` and prints the settings in effect and their sources, without
secrets. If a setting is wrong, it names the first one and exits with 2. With \`--json\` it prints them as JSON.

## Secrets

Each secret can be in a file of its own, as Docker, Kubernetes and systemd provide them. These variables name the file,
and so do the flags and keys that are derived from them:

${secrets.map((variable) => `- \`${variable}\``).join('\n')}

A line break at the end of the file does not count. Everyone who can log in can see flags in the list of processes:
prefer a file or the environment. The server warns of a file with a secret that every user of the machine can read,
except in \`/run/secrets\`, which no other user of the machine sees.

## Settings

| Variable | Flag | Values | Default | Meaning |
|---|---|---|---|---|
${rows.join('\n')}

The log is written to stderr, one JSON object on each line. The result of a command, such as the address that a server
listens on or a new key, is written to stdout.

## Limits on clients

These are no settings: they protect the server from clients that keep it waiting, and no client that works as it
should comes near them. Behind a proxy all clients have the address of the proxy; the limit on an address leaves
room for that.

| What | Limit | Beyond it |
|---|---|---|
${limitRows.map(([what, limit, beyond]) => `| ${what} | ${limit} | ${beyond} |`).join('\n')}

The log says \`a connection was cut\` and why.
`;
}
