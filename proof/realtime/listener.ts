import { WebSocket } from 'ws';

/** The byte that ends a record of the hub protocol. */
const end = '\x1e';
/** How long opening and subscribing may take. */
const openMsMax = 60_000;

/** A received event: its position and its comment, in the order of arrival. */
export type Arrival = {
  readonly position: number;
  readonly commentId: number;
  /** The time of arrival, in the time of `performance.now()`. */
  readonly at: number;
};

/** A connection to the hub that records the comments it receives. */
export type Listener = {
  readonly appIds: readonly number[];
  readonly arrivals: Arrival[];
  readonly isOpen: () => boolean;
  close(): void;
};

/** Opens a connection and resolves when the server has confirmed its subscriptions to the comments of the apps. */
export async function openListener(url: string, token: string, appIds: readonly number[]): Promise<Listener> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/hubs/rtm?access_token=${token}`);
  const arrivals: Arrival[] = [];
  let confirmed = 0;
  await new Promise<void>((resolve, reject) => {
    const late = AbortSignal.timeout(openMsMax);
    late.addEventListener('abort', () => reject(new Error('a connection was not opened in time')));
    socket.once('error', reject);
    socket.once('close', (code) => reject(new Error(`the server closed a connection with ${code}`)));
    socket.once('open', () => {
      const calls = appIds.map((id, index) => ({
        type: 1,
        target: 'Subscribe',
        arguments: [`a${id}:comment_created`],
        invocationId: String(index),
      }));
      const records = [{ protocol: 'json', version: 1 }, ...calls];
      socket.send(records.map((record) => JSON.stringify(record) + end).join(''));
    });
    socket.on('message', (data: Buffer) => {
      const at = performance.now();
      for (const record of data.toString('utf8').split(end)) {
        if (record.startsWith('{"type":3')) confirmed += 1;
        else if (record.startsWith('{"type":1')) arrivals.push(arrivalOf(record, at));
      }
      if (confirmed === appIds.length) resolve();
    });
  });
  // Pings keep it open; a quiet client only has to answer them.
  socket.on('ping', () => undefined);
  return {
    appIds,
    arrivals,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: () => socket.terminate(),
  };
}

/** Reads the two numbers that matter without parsing the whole event, which would cost more than receiving it. */
function arrivalOf(record: string, at: number): Arrival {
  const position = /"arguments":\[\{"id":(\d+),"action":"comment_created"/.exec(record)?.[1];
  const commentId = /"comment":\{"id":(\d+),/.exec(record)?.[1];
  if (position === undefined || commentId === undefined) throw new Error(`what is this: ${record}`);
  return { position: Number(position), commentId: Number(commentId), at };
}
