import { connect, type Socket } from 'node:net';

/** Readers of a page without a credential, as sockets: each hears of changes, and then reads the list of comments. */

/** What browsers send with each request. */
const browserHeaders = [
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Accept: */*',
  'Accept-Language: en-GB,en;q=0.9,de;q=0.8',
  'Origin: https://blog.example',
  'Referer: https://blog.example/',
  'Sec-Fetch-Dest: empty',
  'Sec-Fetch-Mode: cors',
  'Sec-Fetch-Site: cross-site',
].join('\r\n');
/** How many readers have one address of this machine: a server closes idle connections of one address beyond 1,024. */
const readersOfAddress = 500;
const openedAtOnce = 50;

type Server = { readonly host: string; readonly port: number };

/** A change that readers were told of, since when, by `performance.now()`. */
export type Telling = {
  readonly since: number;
  /** When each reader had heard of it. */
  readonly heardAt: number[];
  /** How long the list took that each of them read then. */
  readonly readMs: number[];
  /** When the last of them had it. */
  lastReadAt: number;
};

/** The head of a GET request. */
export function headOf({ host, port }: Server, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n${browserHeaders}\r\n\r\n`;
}

/** Opens readers of an app one batch after the other; what they hear belongs to the telling that `telling` returns. */
export function createLookers(
  server: Server,
  { path, read, telling }: { path: string; read: () => Promise<number>; telling: () => Telling | undefined },
) {
  const sockets: Socket[] = [];
  const head = headOf(server, path);
  let closed = 0;

  async function readAfter(delayMs: number, told: Telling): Promise<void> {
    setTimeout(async () => {
      told.readMs.push(await read());
      told.lastReadAt = performance.now();
    }, delayMs);
  }

  /** Reads the list at a random time within that which the message names, as clients do. */
  function hear(text: string): void {
    const told = telling();
    if (told === undefined || !text.includes('event: changed')) return;
    told.heardAt.push(performance.now());
    const withinMs = Number(/"within_ms":(\d+)/.exec(text)?.[1] ?? 0);
    void readAfter(Math.random() * withinMs, told);
  }

  function openOne(): Promise<void> {
    const localAddress = `127.0.1.${1 + Math.floor(sockets.length / readersOfAddress)}`;
    const socket = connect({ ...server, localAddress });
    sockets.push(socket);
    socket.write(head);
    socket.on('error', () => undefined);
    return new Promise((resolve, reject) => {
      socket.once('close', () => {
        closed += 1;
        reject(new Error('a reader was closed'));
      });
      socket.once('data', (first: Buffer) => {
        const status = first.toString('latin1').slice(0, 12);
        if (status !== 'HTTP/1.1 200') return reject(new Error(`a reader was refused: ${first}`));
        socket.on('data', (data: Buffer) => hear(data.toString('latin1')));
        resolve();
      });
    });
  }

  return {
    /** How many are open. */
    count: () => sockets.length - closed,

    async openUntil(count: number): Promise<void> {
      while (sockets.length < count)
        await Promise.all(Array.from({ length: Math.min(openedAtOnce, count - sockets.length) }, openOne));
    },

    close(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Reads one path over a few connections, as a proxy does for many readers; each read returns how long it took. */
export function createReads(server: Server, { path, connections }: { path: string; connections: number }) {
  const head = headOf(server, path);
  const free: Socket[] = [];
  const sockets: Socket[] = [];
  const waiting: ((socket: Socket) => void)[] = [];

  function release(socket: Socket): void {
    const next = waiting.shift();
    if (next === undefined) free.push(socket);
    else next(socket);
  }

  function open(): Socket {
    const socket = connect({ ...server, localAddress: '127.0.2.1' });
    sockets.push(socket);
    return socket.on('error', () => undefined);
  }

  function take(): Socket | Promise<Socket> {
    const socket = free.pop();
    if (socket !== undefined) return socket;
    if (sockets.length < connections) return open();
    return new Promise((resolve) => waiting.push(resolve));
  }

  return {
    async read(): Promise<number> {
      const begunAt = performance.now();
      const socket = await take();
      socket.write(head);
      await wholeAnswer(socket);
      release(socket);
      return performance.now() - begunAt;
    },

    close(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Resolves when an answer with a length has arrived. Throws where it is no 200. */
function wholeAnswer(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytesLeft = Number.NaN;
    socket.on('data', function take(data: Buffer) {
      if (Number.isNaN(bytesLeft)) {
        const text = data.toString('latin1');
        const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1];
        if (!text.startsWith('HTTP/1.1 200') || length === undefined)
          return reject(new Error(`a list was refused: ${text.slice(0, 300)}`));
        bytesLeft = Number(length) + text.indexOf('\r\n\r\n') + 4;
      }
      bytesLeft -= data.length;
      if (bytesLeft > 0) return;
      socket.off('data', take);
      resolve();
    });
  });
}
