import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The way to a database as if it were on another machine. */
export type Distance = {
  readonly port: number;
  /** How long everything takes in each direction, in milliseconds; at least, because timers are late. */
  delayMs: number;
  /** How many transactions have been committed over it. */
  readonly commits: () => number;
  close(): void;
};

/** The message of PostgreSQL's protocol that asks for a commit. */
const commit = Buffer.from('Q\0\0\0\x0bcommit\0');

/** Listens on a port of this machine and passes everything on to the socket of a PostgreSQL, and back. */
export async function startDistance(socketPath: string): Promise<Distance> {
  let commits = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(socketPath);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
    }
    near.on('data', (bytes: Buffer) => {
      for (let at = bytes.indexOf(commit); at !== -1; at = bytes.indexOf(commit, at + 1)) commits += 1;
    });
    passOn(near, far);
    passOn(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  /** Passes on in order whatever comes, each piece as late as it would be, and as many as are under way. */
  function passOn(from: Socket, to: Socket): void {
    const underWay: { readonly at: number; readonly bytes: Buffer | undefined }[] = [];
    const arrive = (): void => {
      const now = performance.now();
      for (let [first] = underWay; first !== undefined && first.at <= now; [first] = underWay) {
        underWay.shift();
        if (first.bytes === undefined) to.destroy();
        else to.write(first.bytes);
      }
      const [next] = underWay;
      if (next !== undefined) setTimeout(arrive, next.at - now);
    };
    const leave = (bytes: Buffer | undefined): void => {
      underWay.push({ at: performance.now() + distance.delayMs, bytes });
      if (distance.delayMs === 0) arrive();
      else if (underWay.length === 1) setTimeout(arrive, distance.delayMs);
    };
    from.on('data', leave);
    from.on('close', () => leave(undefined));
  }

  const distance: Distance = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    commits: () => commits,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return distance;
}
