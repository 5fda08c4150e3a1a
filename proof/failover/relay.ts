import { connect, createServer, type Socket } from 'node:net';

/** Where something listens. */
export type Address = { readonly host: string; readonly port: number };

/**
 * A network between two machines that can be cut: it passes connections on. While it is cut nothing passes and nothing
 * is refused, as on a network that drops packets; connections that were open go on when it is whole again.
 */
export type Relay = Disposable & {
  readonly at: Address;
  cut(): void;
  mend(): void;
};

/** Starts a relay on a free port of `host`, which passes connections on to `target`. */
export async function startRelay(host: string, target: Address): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  const server = createServer({ pauseOnConnect: true }, (near) => {
    const far = connect(target.port, target.host);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on('drain', () => {
        if (!isCut) from.resume();
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (isCut) from.pause();
      else from.resume();
    }
  });
  await new Promise<void>((listening) => server.listen(0, host, listening));
  const { port } = server.address() as { port: number };
  return {
    at: { host, port },
    cut() {
      isCut = true;
      for (const socket of [...pairs].flat()) socket.pause();
    },
    mend() {
      isCut = false;
      for (const socket of [...pairs].flat()) socket.resume();
    },
    [Symbol.dispose]() {
      server.close();
      for (const socket of [...pairs].flat()) socket.destroy();
    },
  };
}
