import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from 'confab-contract/problem.ts';
import type { Log } from '../kernel/log.ts';
import type { Principal } from '../kernel/principal.ts';
import { assertHttp, authorizationOf, pathOf, queryOf, readTarget, refuseUpgrade } from './connection.ts';
import type { Prove } from './request.ts';

/** A request to upgrade to a WebSocket, from an authenticated user. */
export type Upgrade = {
  readonly principal: Principal;
  readonly prove: Prove;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
};

/** Takes over a socket; throws a `Problem` to refuse it. */
export type UpgradeHandler = (upgrade: Upgrade) => Promise<void>;

/** The parameters of upgrades. */
type UpgradeOptions = {
  readonly authenticate: (
    authorization: string | undefined,
    request: IncomingMessage,
  ) => Promise<Pick<Upgrade, 'principal' | 'prove'>>;
  readonly log: Log;
  readonly publicUrl: () => string;
  /** How long a refused connection is kept, in milliseconds. */
  readonly refusedMs: number;
};

/** The paths at which a connection can become a WebSocket. Elsewhere the upgrade is ignored, as HTTP allows. */
export function createUpgrades({ authenticate, log, publicUrl, refusedMs }: UpgradeOptions) {
  const handlers = new Map<string, UpgradeHandler>();

  async function take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const onError = (error: Error) => log.debug({ err: error }, 'a socket broke before it was taken over');
    socket.on('error', onError);
    try {
      assertHttp(request);
      const handler = handlers.get(pathOf(request));
      if (handler === undefined) throw new Problem('not_found', 'Nothing is at this address.');
      const authorization = authorizationOf(request, { takesTokenInQuery: true });
      const caller = await authenticate(authorization, request);
      const handling: Promise<void> = handler({
        ...caller,
        query: queryOf(request),
        request,
        socket,
        head,
      });
      await handling;
      socket.off('error', onError);
    } catch (error) {
      if (!(error instanceof Problem)) log.error({ err: error }, 'an upgrade failed for a reason of ours');
      const problem =
        error instanceof Problem
          ? error
          : new Problem('internal_error', 'The server could not open the connection. Its log says why.');
      refuseUpgrade(problem, socket, { publicUrl: publicUrl(), withinMs: refusedMs });
    }
  }

  return {
    /** Makes `handler` take over upgrades at `path`. */
    add: (path: string, handler: UpgradeHandler): void => void handlers.set(path, handler),

    /** Whether a request is an upgrade to take over; other protocols in Upgrade are ignored. */
    isWanted(request: IncomingMessage): boolean {
      readTarget(request);
      return request.headers.upgrade?.toLowerCase() === 'websocket' && handlers.has(pathOf(request));
    },

    listen(server: Server): void {
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        void take(request, socket, head);
      });
    },
  };
}
