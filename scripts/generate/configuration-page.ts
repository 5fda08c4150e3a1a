import { flagOf, settings } from '../../src/config.ts';

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
  ].join('\n')}\n`;
}

function defaultOf(value: unknown): string {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return 'none';
  return `\`${String(value)}\``;
}
