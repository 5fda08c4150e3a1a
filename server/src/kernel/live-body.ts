import type { ServerResponse } from 'node:http';

/** A text for many live bodies, in the form in which it is sent, which is made once. */
export type LiveMessage = { readonly text: string; readonly chunk: Buffer };

/** Makes a message: a chunk as HTTP/1.1 has it (RFC 9112, section 7.1). */
export function liveMessage(text: string): LiveMessage {
  return { text, chunk: Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`) };
}

/**
 * A body of short messages that goes on for as long as its client stays. There may be thousands, and a stream of Node that is
 * piped into a response takes more memory than the connection itself. So this one writes to the connection, and keeps
 * nothing but what came before its response has begun.
 */
export class LiveBody {
  readonly #gone: () => void;
  #response: ServerResponse | undefined;
  #first = '';
  #isOver = false;

  /** `gone` is called once, when the client has gone or the body was ended or destroyed. */
  constructor(gone: () => void) {
    this.#gone = gone;
  }

  /** Whether it takes no more messages. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The bytes that wait for the client. */
  get waitingBytes(): number {
    return this.#response?.writableLength ?? this.#first.length;
  }

  push({ text, chunk }: LiveMessage): void {
    const response = this.#response;
    if (this.#isOver) return;
    if (response === undefined) this.#first += text;
    // The response to an earlier request of the connection is still being sent, or the client speaks HTTP/1.0.
    else if (response.socket === null || !response.chunkedEncoding) response.write(text);
    else response.socket.write(chunk);
  }

  /** Ends it after what was pushed. */
  end(): void {
    this.#response?.end();
    this.#finish();
  }

  /** Cuts the connection. */
  destroy(): void {
    this.#response?.destroy();
    this.#finish();
  }

  /** Sends what was pushed, behind the head of the response, and everything else from now on. */
  start(response: ServerResponse): void {
    if (this.#first !== '') response.write(this.#first);
    else response.flushHeaders();
    this.#first = '';
    if (this.#isOver) return void response.end();
    this.#response = response;
    response.once('close', () => this.#finish());
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#gone();
  }
}
