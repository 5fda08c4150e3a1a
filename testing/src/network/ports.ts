import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that Linux (32768 and above), macOS and Windows (49152 and above) give to connections. */
const [lowest, highest] = [20_000, 32_000];

/** Whether a server could listen on the port. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return await promise;
}

/**
 * A free port of this machine. A server that stops and listens on it again finds it free: the system does not
 * give it to a connection meanwhile, as can happen with a port that the system chooses for a server.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}
