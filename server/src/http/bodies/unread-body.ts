import type { IncomingMessage } from 'node:http';
import { Problem } from 'confab-contract/problem.ts';
import { startTimer } from '../../kernel/timer.ts';

/**
 * How many bytes of a refused body are read before the response. A client that is still sending does not read, so a
 * response that closes the connection would be lost, and a proxy would report the broken connection instead. Longer
 * bodies are cut anyway.
 */
const droppedBytesMax = 64 * 1024 * 1024;

/**
 * How long a client that is refused may send nothing, in milliseconds. Then it waits for the response: it declared more
 * than it sends before it knows that the server wants it.
 */
const silenceMs = 500;

const drops = new WeakMap<IncomingMessage, Promise<void>>();

/**
 * Reads the rest of the body of a request and drops it, once for each request. Resolves at its end, when the client stops
 * sending, or at a size limit. The time limit of the whole request applies (`ClientLimits.requestMs`).
 */
export async function dropBody(raw: IncomingMessage): Promise<void> {
  const drop = drops.get(raw) ?? readToEnd(raw);
  drops.set(raw, drop);
  await drop;
}

async function readToEnd(raw: IncomingMessage): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return;
  let dropped = 0;
  let isOver = false;
  let silence: ReturnType<typeof startTimer> | undefined;
  await new Promise<void>((resolve) => {
    const waitForMore = () => {
      silence?.stop();
      silence = startTimer(silenceMs, resolve);
    };
    waitForMore();
    raw.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > droppedBytesMax) resolve();
      // What comes after the silence is dropped as well, but the response has gone.
      else if (!isOver) waitForMore();
    });
    raw.on('end', resolve);
    raw.on('close', resolve);
    raw.resume();
  });
  isOver = true;
  silence?.stop();
}

/** Whether a status refuses a body whose rest is not parsed, so that its connection is closed. */
export function isOfUnreadBody(status: number): boolean {
  return status === 413 || status === 415;
}

/** Drops the rest of the body of a request that `error` refuses. */
export async function dropRefused(raw: IncomingMessage, error: unknown): Promise<void> {
  if (error instanceof Problem && isOfUnreadBody(error.status)) await dropBody(raw);
}
