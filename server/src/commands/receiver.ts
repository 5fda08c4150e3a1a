import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import { verify, WebhookVerificationError } from 'confab-client/webhooks';
import { beginningOf } from 'confab-contract/values/excerpt.ts';
import { timestamp } from 'confab-contract/values/time.ts';
import { systemClock } from '../kernel/clock.ts';
import { CommandError, exitMisused } from '../kernel/command-error.ts';
import { createServer, type IncomingMessage, type ServerResponse } from '../kernel/node-http.ts';
import { addJson, note, type OutputOptions, print, show } from './command.ts';

/**
 * Commands for authors of receivers: `listen` is a receiver that verifies and prints, `verify` checks a captured request.
 * Both use the module that receivers import.
 */

/** Far more than any delivery. */
const bodyBytesMax = 4 * 1024 * 1024;

type Secrets = { readonly secret?: readonly string[]; readonly secretFile?: readonly string[] };
type ListenFlags = Secrets &
  OutputOptions & {
    readonly port: number;
    readonly host: string;
    readonly forward?: string;
    readonly body?: true;
  };
type VerifyFlags = Secrets &
  OutputOptions & {
    readonly body?: string;
    readonly headers?: string;
    readonly tolerance?: number;
  };
type Headers = { readonly [name: string]: string | readonly string[] | undefined };

function readFile(path: string): Buffer {
  try {
    return readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    throw new CommandError(`${path}: ${(error as Error).message}`, { exitCode: exitMisused, cause: error });
  }
}

function secretsOf({ secret = [], secretFile = [] }: Secrets): string[] {
  return [
    ...secret,
    ...secretFile.map((path) =>
      readFile(path)
        .toString('utf8')
        .replace(/\r?\n$/, ''),
    ),
  ];
}

/** The value of one of Confab's own headers, with any prefix. */
function ownHeader(headers: Headers, suffix: string): string | undefined {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase().endsWith(suffix))?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** The result for a request without faults. */
type RequestReport = { readonly isTrusted: boolean; readonly said: string };

/** The state by which a receiver detects gaps and repetitions. */
class Memory {
  readonly #guids = new Set<string>();
  readonly #sequences = new Map<string, number>();

  /** Remarks on a verified request. */
  remark(headers: Headers): string {
    const guid = String(headers['webhook-id'] ?? '');
    const hook = ownHeader(headers, '-hook-id') ?? '';
    const sequence = Number(ownHeader(headers, '-sequence'));
    const isRepeated = this.#guids.has(guid);
    this.#guids.add(guid);
    const last = this.#sequences.get(hook);
    if (sequence > 0) this.#sequences.set(hook, Math.max(last ?? 0, sequence));
    if (isRepeated) return ', came before';
    if (last === undefined || !(sequence > last + 1)) return '';
    return `, ${sequence - last - 1} before it have not come yet`;
  }
}

function judge(
  { headers, body }: { headers: Headers; body: Buffer },
  secrets: readonly string[],
  toleranceSeconds: number | undefined,
): RequestReport {
  if (secrets.length === 0) return { isTrusted: true, said: 'not verified, no secret was given' };
  try {
    const { action } = verify({
      headers,
      body,
      secrets,
      ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
    });
    return { isTrusted: true, said: `${action} verified` };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { isTrusted: false, said: `REFUSED (${error.code}): ${error.message}` };
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= bodyBytesMax) chunks.push(chunk);
  }
  return size > bodyBytesMax ? undefined : Buffer.concat(chunks);
}

// Headers of the connection, which are not forwarded.
const ofConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/** Forwards a request unchanged; returns the response. */
async function forward(
  url: string,
  { headers, body }: { headers: Headers; body: Buffer },
): Promise<{ status: number; text: string }> {
  const passed = Object.entries(headers).filter(
    (entry): entry is [string, string] => !ofConnection.has(entry[0]) && typeof entry[1] === 'string',
  );
  try {
    const answer = await fetch(url, { method: 'POST', headers: passed, body, redirect: 'manual' });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    const { message, cause } = error as Error;
    return { status: 502, text: `${url}: ${cause instanceof Error ? cause.message : message}` };
  }
}

/** The printed form of a received request. */
type Facts = {
  readonly at: string;
  readonly webhook_id: string;
  readonly sequence: string;
  readonly attempt: string;
  readonly result: string;
  readonly is_accepted: boolean;
  readonly forwarded?: number;
  readonly body?: string;
};

/** Prints a line about a request, and its body on another; with `--json` one line for both. */
function report(facts: Facts, { json }: OutputOptions): void {
  if (json === true) {
    print(JSON.stringify(facts));
    return;
  }
  const words = [
    facts.at,
    facts.webhook_id || 'no webhook-id',
    `sequence ${facts.sequence || 'none'}`,
    `attempt ${facts.attempt || 'none'}`,
    facts.result,
    ...(facts.forwarded === undefined ? [] : [`forwarded: ${facts.forwarded}`]),
  ];
  print(words.join('  '));
  if (facts.body !== undefined) print(facts.body);
}

async function listen(flags: ListenFlags): Promise<void> {
  const secrets = secretsOf(flags);
  const memory = new Memory();

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (request.method !== 'POST' || body === undefined) {
      response.writeHead(body === undefined ? 413 : 405, { allow: 'POST' }).end();
      return;
    }
    const received = { headers: request.headers, body };
    const { isTrusted, said } = judge(received, secrets, undefined);
    const facts = {
      at: timestamp(systemClock.now()),
      webhook_id: String(request.headers['webhook-id'] ?? ''),
      sequence: ownHeader(request.headers, '-sequence') ?? '',
      attempt: ownHeader(request.headers, '-attempt') ?? '',
      result: said + (isTrusted ? memory.remark(request.headers) : ''),
      is_accepted: isTrusted,
    };
    if (!isTrusted) {
      report(facts, flags);
      response.writeHead(401, { 'content-type': 'text/plain; charset=utf-8' }).end(`${said}\n`);
      return;
    }
    const passed = flags.forward === undefined ? undefined : await forward(flags.forward, received);
    report(
      {
        ...facts,
        ...(passed !== undefined && { forwarded: passed.status }),
        ...(flags.body === true && { body: body.toString('utf8') }),
      },
      flags,
    );
    response.writeHead(passed?.status ?? 204).end(passed?.text);
  }

  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => {
      note(`confab: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new CommandError(error.message, { cause: error })));
    server.listen(flags.port, flags.host, resolve);
  });
  const { address, port } = server.address() as AddressInfo;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;
  print(flags.json === true ? JSON.stringify({ listens_on: url }) : `Listens on ${url}`);
  if (secrets.length === 0) note('Without --secret or --secret-file nothing is verified.');
}

/** A request in a file: an optional request line, headers, an empty line, the body. */
function parseRequest(bytes: Buffer): { headers: Headers; body: Buffer } {
  const end = /\r?\n\r?\n/.exec(bytes.toString('latin1'));
  if (end === null)
    throw new CommandError(
      'there is no empty line between headers and body; --headers and --body take them apart',
      {
        exitCode: exitMisused,
      },
    );
  return {
    headers: parseHeaders(bytes.subarray(0, end.index)),
    body: bytes.subarray(end.index + end[0].length),
  };
}

function parseHeaders(bytes: Buffer): Headers {
  const lines = bytes
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !/^[A-Z]+ \S+ HTTP\/[\d.]+$/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1)
        throw new CommandError(`"${beginningOf(line, 60)}" is no header`, { exitCode: exitMisused });
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function captured(flags: VerifyFlags): { headers: Headers; body: Buffer } {
  if (flags.headers === undefined) return parseRequest(readFile(flags.body ?? '-'));
  return { headers: parseHeaders(readFile(flags.headers)), body: readFile(flags.body ?? '-') };
}

function verifyCaptured(flags: VerifyFlags): void {
  const secrets = secretsOf(flags);
  if (secrets.length === 0)
    throw new CommandError('give the secret with --secret or --secret-file', { exitCode: exitMisused });
  const { headers, body } = captured(flags);
  const tolerance = flags.tolerance ?? Number.POSITIVE_INFINITY;
  const { isTrusted, said } = judge({ headers, body }, secrets, tolerance);
  if (isTrusted) {
    const signedAt = Number(headers['webhook-timestamp']) * 1000;
    const id = String(headers['webhook-id']);
    const signed = timestamp(signedAt);
    show({ webhook_id: id, signed_at: signed, result: said }, flags, () => [
      `${said}: ${id}, signed at ${signed}`,
    ]);
    return;
  }
  // Editors and shells add a line break at the end of a file.
  const bare = body.subarray(0, body.length - (body.at(-2) === 0x0d ? 2 : 1));
  const isBroken = body.at(-1) === 0x0a && judge({ headers, body: bare }, secrets, tolerance).isTrusted;
  throw new CommandError(
    isBroken ? `${said}. It fits without the line break at the end of the body, which was added` : said,
  );
}

function between(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]{1,9}$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`It must be a whole number, ${min} to ${max}.`);
    return value;
  };
}

function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function addSecrets(command: Command): Command {
  return addJson(command)
    .option(
      '--secret <secret>',
      'the secret of the webhook; repeat it for a second one. Other users can see it in the list of processes',
      collected,
    )
    .option('--secret-file <path>', 'a file with the secret', collected);
}

/** Adds `listen` and `verify` to the command `confab webhook`. */
export function addReceiverCommands(webhook: Command): void {
  addSecrets(
    webhook
      .command('listen')
      .description(
        'Receive deliveries on this machine, verify each, print a line about it (with --json an object on a line), and respond with 204, or 401 if verification fails.',
      ),
  )
    .option('--port <port>', 'the port to listen on; 0 takes any free port', between(0, 65_535), 9000)
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option('--forward <url>', 'forward verified deliveries to this address, and return its response')
    .option('--body', 'print the body as well')
    .action((flags: ListenFlags) => listen(flags));

  addSecrets(
    webhook
      .command('verify')
      .description(
        'Verify a captured request: headers, an empty line and the body, from standard input or --body.',
      ),
  )
    .option(
      '--headers <path>',
      'a file with the headers, one on each line; the other input is then only the body',
    )
    .option('--body <path>', 'the file to read instead of standard input')
    .option(
      '--tolerance <seconds>',
      'how old the request may be; by default any age',
      between(0, 999_999_999),
    )
    .action((flags: VerifyFlags) => verifyCaptured(flags));
}
