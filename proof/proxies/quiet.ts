import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { startConfab } from 'confab-testing/harness/confab-process.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { freePort } from 'confab-testing/network/ports.ts';
import { poll } from 'confab-testing/poll.ts';
import { readStream } from './check-live.ts';
import type { ProxyName } from './page.ts';
import { startProxy } from './proxy.ts';
import { visit } from './visitor.ts';
import type { Ground } from './world.ts';

/** How long nothing happens: longer than the 60 s after which a proxy closes idle connections, shorter than the 72 s of Confab. */
const quietMs = 68_000;

/** A connection that passes bytes on, and notes which end closed it first. */
type Relay = {
  readonly host: string;
  readonly closedByProxy: () => number;
  readonly closedByServer: () => number;
  close(): void;
};

async function startRelay(target: string): Promise<Relay> {
  const url = new URL(`http://${target}`);
  let [byProxy, byServer] = [0, 0];
  const sockets = new Set<Socket>();
  const server: Server = createServer((incoming) => {
    const outgoing = connect(Number(url.port), url.hostname);
    let isClosed = false;
    const note = (isProxy: boolean) => () => {
      if (!isClosed && isProxy) byProxy += 1;
      if (!isClosed && !isProxy) byServer += 1;
      isClosed = true;
    };
    incoming.once('end', note(true));
    incoming.once('close', note(true));
    outgoing.once('end', note(false));
    outgoing.once('close', note(false));
    incoming.once('close', () => sockets.delete(incoming));
    for (const socket of [incoming, outgoing]) socket.on('error', () => undefined);
    sockets.add(incoming);
    incoming.pipe(outgoing).pipe(incoming);
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    host: `127.0.0.1:${port}`,
    closedByProxy: () => byProxy,
    closedByServer: () => byServer,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** What a minute without traffic showed: `idle` of idle connections to the server, `poll` of long polling. */
export type Quiet = { readonly idle: string; readonly poll: string; readonly live: string };

/**
 * Leaves live connections alone for more than a minute. They stay open and pass an event on afterwards, long polling is
 * answered by the server, and the proxy closes its idle connections before the server does.
 */
export async function checkQuiet(name: ProxyName, { folder, certificate }: Ground): Promise<Quiet> {
  const server = await startConfab({ folder: join(folder, `${name}-quiet`) });
  const relay = await startRelay(new URL(server.url).host);
  const port = await freePort();
  const proxy = await startProxy(name, { folder, certificate, port, nodes: [relay.host] });
  const direct = new Client(server);
  const appId = await direct.create('/api/apps', { type: 'comments', uid: 'room', access: 'read' });
  const token = await issueToken(direct, 'ada');
  const channel = `a${appId}:comment_created`;
  const lives = await Promise.all(
    (['WebSockets', 'ServerSentEvents', 'LongPolling'] as const).map(async (carrier) => {
      const live = await connectLive(proxy, token, { carrier });
      await live.subscribe(channel);
      return live;
    }),
  );
  const stream = await readStream(proxy.url, token);
  await Promise.all(Array.from({ length: 10 }, () => visit(proxy.url, { path: '/version' })));
  const polled = timePoll(proxy.url, token);
  const alreadyClosed = relay.closedByProxy();
  await pause(quietMs);
  const closed = relay.closedByProxy() - alreadyClosed;
  assert.equal(relay.closedByServer(), 0, 'the server was the first to close a connection');
  assert.ok(closed > 0, 'the proxy keeps idle connections for longer than the server');
  const id = await direct.create(`/api/apps/${appId}/comments`, { text: 'after the pause' });
  for (const live of lives) await live.waitFor(channel, (event) => event.comment.id === id);
  assert.ok(lives.every(({ state }) => !state.closed && state.reconnects === 0));
  await poll('the event in the stream', () => (stream.commentIds.includes(id) ? true : undefined));
  const seconds = await polled;
  for (const live of lives) await live.stop();
  await stream.close();
  await direct.close();
  await proxy.stop();
  relay.close();
  await server.stop();
  return {
    idle: `${closed} closed by the proxy, 0 by Confab`,
    poll: `answered after ${seconds.toFixed(0)} s`,
    live: `${lives.length + 1} open after ${quietMs / 1000} s`,
  };
}

/** The seconds until a poll of a quiet connection is answered. Throws where the proxy ends it. */
async function timePoll(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const begun = await visit(url, { method: 'POST', path: '/hubs/rtm/negotiate?negotiateVersion=1', headers });
  const path = `/hubs/rtm?id=${JSON.parse(begun.body.toString('utf8')).connectionToken}`;
  await visit(url, { path, headers });
  await visit(url, {
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'text/plain' },
    body: Buffer.from('{"protocol":"json","version":1}\x1e'),
  });
  await visit(url, { path, headers });
  const startedAt = performance.now();
  const { status } = await visit(url, { path, headers });
  assert.equal(status, 200);
  return (performance.now() - startedAt) / 1000;
}
