import type { Api } from './api.ts';

/**
 * Hears that something has changed, in an app or for a user. What has changed is read where everything is read, so nothing is
 * missed as long as it is read whenever a connection opens and after each message. A connection is open only while the page is
 * shown; a page that is left or hidden closes it, so that it can be kept by the browser and costs the server nothing.
 */

/** The server sends something every 15 seconds; a connection that is silent for longer is lost. */
const silenceMs = 45_000;
/** The first pause after a connection was lost, in milliseconds. Each further failure doubles it, up to the longest. */
const firstPauseMs = 1000;
const longestPauseMs = 60_000;
/** The most connections of a page. Without HTTP/2 a browser has six to a server, of which calls need some. */
const streamsMax = 3;
let streams = 0;

/**
 * Calls `changed` when a connection opens, with what comes over it where one of the messages is `news`, and with nothing when
 * it has ended, until the returned function is called.
 */
export function watchStream(
  api: Pick<Api, 'send'>,
  { path, news }: { readonly path: string; readonly news: RegExp },
  changed: (messages?: readonly string[]) => void,
): () => void {
  let ending: AbortController | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  async function open(): Promise<void> {
    clearTimeout(pause);
    if (ending !== undefined || document.visibilityState === 'hidden') return;
    const connection = new AbortController();
    ending = connection;
    const end = await connect(connection).catch(() => undefined);
    if (ending !== connection) return;
    ending = undefined;
    // The app is closed, or there is none yet: a page that is shown again asks again.
    if ([204, 401, 403, 404].includes(end?.status ?? 0)) return;
    // Where there is no place for another connection, the list is read after each pause.
    if (end?.status === 429) changed();
    const afterMs = Number(end?.headers.get('retry-after')) * 1000;
    failures += 1;
    const backOffMs = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
    // Not all clients of a server that has restarted come back at once.
    pause = setTimeout(open, (afterMs || backOffMs) * (0.5 + Math.random()));
  }

  /** Resolves when the connection has ended, to the refusal where there was none. */
  async function connect(connection: AbortController): Promise<Response | undefined> {
    if (streams === streamsMax) return new Response(null, { status: 429 });
    streams += 1;
    const slow = setTimeout(() => connection.abort(), silenceMs);
    try {
      const response = await api.send(path, { signal: connection.signal });
      clearTimeout(slow);
      if (!response.ok || response.body === null) return response;
      await hear(response.body as ReadableStream<BufferSource>, connection);
      return undefined;
    } finally {
      clearTimeout(slow);
      streams -= 1;
    }
  }

  async function hear(body: ReadableStream<BufferSource>, connection: AbortController): Promise<void> {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let silence: ReturnType<typeof setTimeout> | undefined;
    let rest = '';
    changed();
    try {
      for (;;) {
        clearTimeout(silence);
        silence = setTimeout(() => connection.abort(), silenceMs);
        const { value, done } = await reader.read();
        if (done) return;
        failures = 0;
        const messages = (rest + value).split('\n\n');
        rest = messages.pop() ?? '';
        if (messages.some((message) => news.test(message))) changed(messages);
      }
    } finally {
      clearTimeout(silence);
      changed([]);
    }
  }

  function close(): void {
    clearTimeout(pause);
    const open = ending;
    ending = undefined;
    open?.abort();
  }

  const follow = ({ type }: Event) => {
    // What was begun before there was a network again may never be answered.
    if (type === 'online' || document.visibilityState === 'hidden') close();
    void open();
  };
  const leaving = new AbortController();
  const { signal } = leaving;
  for (const event of ['visibilitychange', 'online', 'pageshow']) addEventListener(event, follow, { signal });
  addEventListener('pagehide', close, { signal });
  void open();
  return () => {
    leaving.abort();
    close();
  };
}
