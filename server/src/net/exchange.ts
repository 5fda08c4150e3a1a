import type { Dispatcher } from 'undici';

/**
 * One request and its response over a dispatcher of undici, with callbacks: signals, races and streams for each request
 * cost more than the exchange itself. An exchange ends once, with whatever comes first: the end of the response, the
 * size limit of its body, an error, the deadline or the caller's signal. Later callbacks of undici are ignored.
 */

/** The request, and how much of the response is read. */
export type Exchange = {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  /** The most bytes of the response body that are kept; the socket is closed when more arrive. */
  readonly bodyBytesMax: number;
  /** From the call to the last byte, in milliseconds, including the wait for a socket and 1xx responses. */
  readonly timeoutMs: number;
  /** Aborts the exchange. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Gets the bytes of the response body as they arrive, with its status; none is kept then. Returning false ends the
   * exchange. It must not throw.
   */
  readonly onData?: ((statusCode: number, chunk: Buffer) => boolean) | undefined;
};

/** A response as received: headers by lower-case name, the body in any encoding. */
export type Received = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Whether the body had more bytes than were kept. */
  readonly truncated: boolean;
};

/** The deadline of an exchange passed before its response was complete. */
export class DeadlinePassed extends Error {
  constructor() {
    super('No complete answer before the deadline.');
    this.name = 'DeadlinePassed';
  }
}

/**
 * Sends a request and reads its response within the limits.
 *
 * @throws DeadlinePassed, the reason of the signal, or an error of undici.
 */
export function exchange(dispatcher: Dispatcher, url: URL, request: Exchange): Promise<Received> {
  return new Promise((fulfil, reject) => {
    const { method, headers, body } = request;
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers, body },
      new AnswerReader(request, { fulfil, reject }),
    );
  });
}

/**
 * The exchanges under one signal. They share a listener, which is there while any of them runs: adding and removing one
 * for each exchange costs more than the set.
 */
class SignalledExchanges {
  static readonly #bySignal = new WeakMap<AbortSignal, SignalledExchanges>();
  readonly #signal: AbortSignal;
  readonly #readers = new Set<AnswerReader>();

  static of(signal: AbortSignal): SignalledExchanges {
    const known = SignalledExchanges.#bySignal.get(signal);
    if (known !== undefined) return known;
    const made = new SignalledExchanges(signal);
    SignalledExchanges.#bySignal.set(signal, made);
    return made;
  }

  private constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(reader: AnswerReader): void {
    if (this.#readers.size === 0) this.#signal.addEventListener('abort', this);
    this.#readers.add(reader);
  }

  delete(reader: AnswerReader): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0) this.#signal.removeEventListener('abort', this);
  }

  /** Called by the signal. */
  handleEvent(): void {
    for (const reader of [...this.#readers]) reader.cut(this.#signal.reason);
  }
}

type Ends = { readonly fulfil: (received: Received) => void; readonly reject: (error: unknown) => void };

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #ends: Ends;
  readonly #bytesMax: number;
  readonly #signalled: SignalledExchanges | undefined;
  readonly #onData: Exchange['onData'];
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #statusCode = 0;
  #headers: Received['headers'] = {};
  #controller: Dispatcher.DispatchController | undefined;
  #isEnded = false;

  constructor({ bodyBytesMax, timeoutMs, signal, onData }: Exchange, ends: Ends) {
    this.#ends = ends;
    this.#bytesMax = bodyBytesMax;
    this.#onData = onData;
    // Unlike that of `AbortSignal.timeout` it keeps the process alive.
    this.#timer = setTimeout(() => this.cut(new DeadlinePassed()), timeoutMs);
    this.#signalled = signal === undefined ? undefined : SignalledExchanges.of(signal);
    this.#signalled?.add(this);
  }

  // Called when a socket is available, and again with another one if that closes before anything was sent.
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isEnded) controller.abort(new DeadlinePassed());
    else this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: Received['headers']): void {
    // An informational response is overwritten by the final one.
    this.#statusCode = statusCode;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isEnded) return;
    this.#bytes += chunk.length;
    if (this.#onData === undefined) this.#chunks.push(chunk);
    const isWanted = this.#onData?.(this.#statusCode, chunk) ?? true;
    if (isWanted && this.#bytes <= this.#bytesMax) return;
    this.#finish();
    controller.abort(new Error('The answer is longer than is kept.'));
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#end()) this.#ends.reject(error);
  }

  #finish(): void {
    if (!this.#end()) return;
    const body = Buffer.concat(this.#chunks, Math.min(this.#bytes, this.#bytesMax));
    const [statusCode, headers] = [this.#statusCode, this.#headers];
    this.#ends.fulfil({ statusCode, headers, body, truncated: this.#bytes > this.#bytesMax });
  }

  /** Ends early; a request that still waits for a socket is aborted when it gets one. */
  cut(reason: unknown): void {
    if (!this.#end()) return;
    this.#ends.reject(reason);
    this.#controller?.abort(new Error('The exchange was given up.'));
  }

  /** Returns whether this call ended the exchange. */
  #end(): boolean {
    if (this.#isEnded) return false;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#signalled?.delete(this);
    return true;
  }
}
