import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createEgress, type Egress, type EgressOptions } from 'confab-server/src/net/egress.ts';
import { ResolveError, type Resolver } from 'confab-server/src/net/resolver.ts';
import { parseEgressRules } from 'confab-server/src/net/rules.ts';

/** The address of the receivers that the tests permit. */
export const RECEIVER = '127.0.0.2';

/** Represents every internal address: loopback, so forbidden, and never permitted by a test. */
export const CANARY = '127.0.0.9';

/** A server that is listening; `connections` holds every socket it accepted. */
export type Listening = { readonly port: number; readonly connections: readonly Socket[] };

/** Starts `server` until the end of the test, on a free port unless one is given. */
export async function listen(
  t: TestContext,
  server: Server,
  { host = RECEIVER, port = 0 }: { host?: string; port?: number } = {},
): Promise<Listening> {
  const connections: Socket[] = [];
  server.on('connection', (socket) => {
    connections.push(socket);
    // The client resets sockets in many tests, which is not an error of the server.
    socket.on('error', () => undefined);
  });
  server.listen(port, host);
  await once(server, 'listening');
  t.after(async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of connections) socket.destroy();
    await closed;
  });
  return { port: (server.address() as AddressInfo).port, connections };
}

/** A resolver that returns the responses of `names` in turn and repeats the last; it counts the queries. */
export function fakeResolver(
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
): Resolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: (host) => {
      const turn = asked.filter((name) => name === host).length;
      asked.push(host);
      const answers = names[host] ?? [];
      const answer = answers[Math.min(turn, answers.length - 1)];
      return answer === undefined
        ? Promise.reject(new ResolveError('dns_not_found'))
        : Promise.resolve([...answer]);
    },
  };
}

/** A resolver whose servers never respond, so that the caller gives up. */
export const silentResolver: Resolver = {
  resolve: (_host, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new ResolveError('dns_timeout')));
    }),
};

/** An egress client that permits only the receiver's address; it is closed at the end of the test. */
export function openEgress(
  t: TestContext,
  options: Partial<EgressOptions> & { readonly allowed?: string } = {},
): Egress {
  const { allowed = RECEIVER, ...rest } = options;
  const egress = createEgress({
    rules: parseEgressRules({ allow: allowed }),
    resolver: fakeResolver({}),
    ...rest,
  });
  t.after(() => egress.close());
  return egress;
}

/** A request whose content does not matter. */
export const ANY_POST = { headers: { 'content-type': 'application/json' }, body: '{}' } as const;

/** Waits until a server's socket is closed, by a reset or otherwise. */
export async function untilClosed(socket: Socket | undefined): Promise<void> {
  if (socket === undefined || socket.closed) return;
  await new Promise((resolve) => socket.once('close', resolve));
}
