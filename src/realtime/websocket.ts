import { WebSocket, WebSocketServer } from 'ws';
import type { Upgrade } from '../http/upgrades.ts';
import type { Log } from '../kernel/log.ts';
import { pieceBytesMax, type Wire, type WireEvents } from './wire.ts';

/** Takes sockets over as WebSockets; `open` gets each as a wire and answers who listens to it. */
export function createWebSockets({ log }: { log: Log }) {
  // Uncompressed: a compressor for each connection takes more memory than everything else of it together.
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: pieceBytesMax,
  });

  return {
    accept({ request, socket, head }: Upgrade, open: (wire: Wire) => WireEvents): void {
      server.handleUpgrade(request, socket, head, (webSocket) => {
        listen(webSocket, open(wireOf(webSocket)), log);
      });
    },
  };
}

function wireOf(webSocket: WebSocket): Wire {
  return {
    // A socket that is going down takes nothing more, and that is no error.
    send: (records) => {
      if (webSocket.readyState === WebSocket.OPEN) webSocket.send(records, { binary: false });
    },
    waitingBytes: () => webSocket.bufferedAmount,
    probe: () => {
      if (webSocket.readyState === WebSocket.OPEN) webSocket.ping();
    },
    end: () => webSocket.close(1000),
    cut: () => webSocket.terminate(),
  };
}

function listen(webSocket: WebSocket, events: WireEvents, log: Log): void {
  webSocket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) events.onFault('Only text is spoken here.');
    else events.onText(data.toString('utf8'));
  });
  webSocket.on('pong', () => events.onSign());
  webSocket.on('close', () => events.onGone());
  // What the library refuses (a piece that is too large, bytes that are no UTF-8) it answers with a close of its own.
  webSocket.on('error', (error) => {
    log.debug({ err: error }, 'a WebSocket was not used as it should be');
    events.onEnd();
  });
}
