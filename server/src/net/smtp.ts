import { Readable } from 'node:stream';

/**
 * Sends messages to the mail server of the operator. Its address is a setting and not something that a client wrote, so
 * no guard checks it.
 */

/** How long the server has to accept a connection and to greet, and how long it may be silent, in milliseconds. */
const connectMs = 10_000;
const silentMs = 60_000;

/** A message with the two addresses of its envelope, without names. */
export type Outgoing = {
  readonly from: string;
  readonly to: string;
  readonly message: Buffer;
  /**
   * Runs when the server has the whole message and has not been told that it ends. The server keeps nothing of a message
   * without an end, so where this throws, or the process dies before this is done, nothing has been sent.
   */
  readonly commit: () => Promise<void>;
};

/** How a message that was not sent failed. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Whether the server refuses this message or its recipient, and not merely at present. */
  readonly isRefusal: boolean;
  /**
   * Whether the server answered about this message or its recipient, so that others may be sent. What it says about the
   * sender holds for every message, and 421 says that it closes the connection (RFC 5321, section 3.8).
   */
  readonly isAnswer: boolean;
  /** Whether the message had been committed, and the server did not say that it refused it. */
  readonly isUnknown: boolean;

  constructor(message: string, { cause, isCommitted }: { cause: unknown; isCommitted: boolean }) {
    super(message, { cause });
    const {
      code,
      command,
      responseCode = 0,
    } = cause as {
      code?: string;
      command?: string;
      responseCode?: number;
    };
    // An address that cannot be written in an envelope is refused before the server sees it.
    const isUnwritable = code === 'EENVELOPE' && responseCode === 0;
    const isReply = responseCode >= 400;
    this.isAnswer = isUnwritable || (isReply && responseCode !== 421 && command !== 'MAIL FROM');
    this.isRefusal = this.isAnswer && (isUnwritable || responseCode >= 500);
    this.isUnknown = isCommitted && !isReply && !isUnwritable;
  }
}

/** A connection to a mail server, logged in where its address has credentials. */
export type MailConnection = {
  /** Sends one message at a time. Throws a `MailError`. */
  send(outgoing: Outgoing): Promise<void>;
  /** Ends the connection. */
  close(): void;
};

/** Connects to the server of an address `smtp://` or `smtps://`. Throws an Error when it cannot be reached or refuses. */
export async function connectToMailServer(url: string): Promise<MailConnection> {
  // Loaded with the first message, because few servers send any.
  const [{ parseConnectionUrl }, { default: SMTPConnection }] = await Promise.all([
    import('nodemailer/lib/shared'),
    import('nodemailer/lib/smtp-connection'),
  ]);
  const { auth, ...options } = parseConnectionUrl(url);
  const connection = new SMTPConnection({
    ...options,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silentMs,
  });
  let fail: (error: unknown) => void = () => {};
  connection.on('error', (error) => fail(error));
  connection.on('end', () => fail(new Error('the mail server closed the connection')));
  const within = async (work: (done: (error: unknown) => void) => void) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    fail = reject;
    work((error) => (error ? reject(error) : resolve()));
    await promise;
  };
  try {
    await within((done) => connection.connect(done));
    if (auth !== undefined) await within((done) => connection.login(auth, done));
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    async send({ from, to, message, commit }) {
      let isCommitted = false;
      const body = Readable.from(
        (async function* () {
          yield message;
          await commit();
          isCommitted = true;
        })(),
      );
      try {
        await within((done) => connection.send({ from, to: [to] }, body, done));
      } catch (error) {
        throw new MailError('the mail server did not take a message', { cause: error, isCommitted });
      }
    },
    close() {
      fail = () => {};
      connection.quit();
    },
  };
}
