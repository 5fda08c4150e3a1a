import { WebSocket, WebSocketServer } from 'ws';
import type { Upgrade } from '../http/upgrades.ts';
import type { Log } from '../kernel/log.ts';
import { pieceBytesMax, type Wire, type WireEvents } from './wire.ts';

/** Takes over sockets as WebSockets; `open` gets the wire of each and returns its handlers. */
export function createWebSockets({ log }: { log: Log }) {
  // No compression: a compressor for each connection takes more memory than the rest of the connection.
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
    // Sending on a closing socket is not an error; the record is dropped.
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
  webSocket.on('pong', () => events.onAlive());
  webSocket.on('close', () => events.onGone());
  // The library itself closes the connection after a message that is too large or is not UTF-8.
  webSocket.on('error', (error) => {
    log.debug({ err: error }, 'a WebSocket client broke the protocol');
    events.onEnd();
  });
}
