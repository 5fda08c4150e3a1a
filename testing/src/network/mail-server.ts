import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { use } from '../server.ts';

/** A message that the server took. */
export type Mail = {
  readonly to: string;
  readonly headers: ReadonlyMap<string, string>;
  /** The plain text and the HTML, decoded. */
  readonly text: string;
  readonly html: string;
};

/** What the server answers to the sender, to the recipient or at the end of a message: takes it, or refuses with a code. */
export type MailReply =
  | {
      readonly at: 'sender' | 'recipient' | 'end';
      readonly code: number;
      /** The end of the recipients that it is about; by default all are. */
      readonly to?: string;
    }
  | undefined;

/** A real mail server on loopback that keeps what it took. */
export type MailServer = {
  readonly url: string;
  readonly mails: readonly Mail[];
  /** How many messages it has refused. */
  refusals(): number;
  /** Whether nobody is connected. */
  isIdle(): boolean;
  /** Sets what it answers from now on. */
  reply(reply: MailReply): void;
  close(): Promise<void>;
};

/** Starts a mail server. Without `secret` anybody may send. */
export async function startMailServer(secret?: string): Promise<MailServer> {
  const mails: Mail[] = [];
  let present: MailReply;
  let refusals = 0;
  const refusal = (at: 'sender' | 'recipient' | 'end', to = '') => {
    if (present?.at !== at || !to.endsWith(present.to ?? '')) return null;
    refusals += 1;
    return Object.assign(new Error('no'), { responseCode: present.code });
  };
  const options: SMTPServerOptions = {
    disabledCommands: ['STARTTLS'],
    authOptional: secret === undefined,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === secret ? done(null, { user: username }) : done(new Error('a wrong password')),
    onMailFrom: (_address, _session, done) => done(refusal('sender')),
    onRcptTo: ({ address }, _session, done) => done(refusal('recipient', address)),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        const error = refusal('end', to);
        if (error === null) mails.push(parse(Buffer.concat(chunks).toString('latin1'), to));
        done(error);
      });
    },
  };
  const server = new SMTPServer(options);
  // A client that dies in the middle of a message.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const credentials = secret === undefined ? '' : `confab:${secret}@`;
  return {
    url: `smtp://${credentials}127.0.0.1:${port}`,
    mails,
    refusals: () => refusals,
    isIdle: () => server.connections.size === 0,
    reply(reply) {
      present = reply;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A mail server for the tests of a file. */
export function useMailServer(): MailServer {
  const server = use(() => startMailServer());
  after(() => server.close());
  return server;
}

/** The headers of a block, unfolded, with their names in lower case. */
function headersOf(block: string): Map<string, string> {
  const lines = block.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function split(part: string): [string, string] {
  const end = part.indexOf('\r\n\r\n');
  return [part.slice(0, end), part.slice(end + 4)];
}

function decode(headers: Map<string, string>, body: string): string {
  const encoding = headers.get('content-transfer-encoding');
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString();
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

function parse(message: string, to: string): Mail {
  const [head, body] = split(message);
  const headers = headersOf(head);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const parts = body.split(`--${boundary}`).slice(1, -1);
  const decoded = parts.map((part) => {
    const [partHead, partBody] = split(part.replace(/^\r\n/, ''));
    const partHeaders = headersOf(partHead);
    return { type: partHeaders.get('content-type') ?? '', body: decode(partHeaders, partBody) };
  });
  const bodyOf = (type: string) => decoded.find((part) => part.type.startsWith(type))?.body ?? '';
  return { to, headers, text: bodyOf('text/plain'), html: bodyOf('text/html') };
}
