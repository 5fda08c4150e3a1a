import { createApi } from './calls.ts';
import type { Server } from './connection.ts';
import { createSession } from './session.ts';
import { addressOf } from './trust.ts';

const servers = new Map<string, Server>();

/**
 * The server at an address, by default the one that the script comes from. Its calls are refused unless it is trusted.
 * Throws a `TypeError` for no address.
 */
export function serverAt(address: string | null | undefined): Server {
  const url = addressOf(address);
  let server = servers.get(url);
  if (server === undefined) {
    const session = createSession(url);
    server = { url, session, api: createApi(url, session) };
    servers.set(url, server);
  }
  return server;
}
