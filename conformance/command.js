/** The command `confab-conformance`. */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checks, run } from './index.js';
import { CannotRun } from './outcome.js';
import { htmlReport } from './report/html.js';
import { tapEnd, tapResult, tapStart } from './report/tap.js';

const conforms = 0;
const hasFindings = 1;
const couldNotRun = 2;

const areas = [...new Set(checks.map(({ area }) => area))];

const usage = `usage: confab-conformance --url https://… --key KEY [options]

Asks a server whether it implements the specification, and removes what it has made there.

  --url URL                 the address of the server, without /api
  --key KEY                 an API key with every right; or the variable CONFORMANCE_KEY
  --only AREAS              comma separated, also ids of single checks: ${areas.join(', ')}
  --specification-only      leaves out what the specification does not say and Confab has decided
  --token TOKEN             an access token of a user; by default made as Confab makes it
  --second-token TOKEN      one of another user
  --weak-key KEY            an API key that may only read, for what it is refused
  --post ID, --file ID      a post and a file to comment on; by default made as Confab makes them
  --receiver-host HOST      where the receiver of webhooks listens; 127.0.0.1 by default
  --receiver-port PORT      its port; a free one by default
  --receiver-url URL        the address under which the server reaches the receiver, if it is another
  --timeout SECONDS         for an answer; 10 by default
  --patience SECONDS        for a delivery; 30 by default
  --json FILE               writes the report as JSON
  --html FILE               writes the report as a page
  --list                    lists the checks with their sentences and asks nothing

Exit codes: 0 the server conforms, 1 there are findings, 2 the checks could not run to their end.`;

const text = /** @type {const} */ ({ type: 'string' });
const flag = /** @type {const} */ ({ type: 'boolean' });

const known = {
  url: text,
  key: text,
  only: text,
  'specification-only': flag,
  token: text,
  'second-token': text,
  'weak-key': text,
  post: text,
  file: text,
  'receiver-host': text,
  'receiver-port': text,
  'receiver-url': text,
  timeout: text,
  patience: text,
  json: text,
  html: text,
  list: flag,
  help: flag,
};

/**
 * Runs the command; returns its exit code.
 * @param {string[]} args
 */
export async function main(args) {
  try {
    const { values } = parseArgs({ args, options: known });
    if (values.help) {
      console.log(usage);
      return conforms;
    }
    if (values.list) {
      for (const { id, quote } of checks)
        console.log(
          `${id}\n  ${quote.isDecision ? 'Decision' : 'Specification'} (${quote.section}): ${quote.text}`,
        );
      return conforms;
    }
    return await check(values);
  } catch (error) {
    const { code, message } = /** @type {Error & { code?: string }} */ (error);
    if (code?.startsWith('ERR_PARSE_ARGS_')) console.error(`confab-conformance: ${message}\n\n${usage}`);
    else if (error instanceof CannotRun || code?.startsWith('E'))
      console.error(`confab-conformance: ${message}`);
    else throw error;
    return couldNotRun;
  }
}

/** @param {Record<string, string | boolean | undefined>} values */
async function check(values) {
  const given = (/** @type {string} */ name) => /** @type {string | undefined} */ (values[name]);
  const key = given('key') ?? process.env.CONFORMANCE_KEY;
  const url = given('url');
  if (url === undefined || !URL.canParse(url))
    throw new CannotRun('--url is needed: the address of the server');
  if (key === undefined) throw new CannotRun('--key is needed: an API key of the server');
  const stop = new AbortController();
  const interrupt = () => {
    console.error('confab-conformance: removing what was made; press again to leave at once');
    process.once('SIGINT', () => process.exit(couldNotRun));
    stop.abort();
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  let number = 0;
  const report = await run({
    ...{ url, key },
    only: given('only')?.split(','),
    isSpecificationOnly: values['specification-only'] === true,
    token: given('token'),
    secondToken: given('second-token'),
    weakKey: given('weak-key'),
    post: numberOf(values, 'post'),
    file: numberOf(values, 'file'),
    receiverHost: given('receiver-host'),
    receiverPort: numberOf(values, 'receiver-port'),
    receiverUrl: given('receiver-url')?.replace(/\/+$/, ''),
    timeoutMs: milliseconds(numberOf(values, 'timeout')),
    patienceMs: milliseconds(numberOf(values, 'patience')),
    signal: stop.signal,
    onStart: (count) => console.log(tapStart(count)),
    onResult: (result) => {
      number += 1;
      console.log(tapResult(result, number));
    },
  });
  process.removeListener('SIGINT', interrupt).removeListener('SIGTERM', interrupt);
  console.log(tapEnd(report));
  const jsonFile = given('json');
  const htmlFile = given('html');
  if (jsonFile !== undefined) writeFileSync(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (htmlFile !== undefined) writeFileSync(htmlFile, htmlReport(report));
  if (!report.isComplete) return couldNotRun;
  return report.failed > 0 ? hasFindings : conforms;
}

/** @param {Record<string, string | boolean | undefined>} values @param {string} name */
function numberOf(values, name) {
  const value = values[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!(number >= 0)) throw new CannotRun(`--${name} is "${String(value)}": it must be a number`);
  return number;
}

/** @param {number | undefined} seconds */
function milliseconds(seconds) {
  return seconds === undefined ? undefined : seconds * 1000;
}
