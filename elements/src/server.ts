import type { Api } from './api.ts';
import { createApi } from './calls.ts';
import { createSession, type Session } from './session.ts';

/** A server as all elements of a page use it. */
export type Server = {
  /** Its address, with a slash at the end. */
  readonly url: string;
  readonly api: Api;
  readonly session: Session;
};

/** The server that this script comes from. Bundlers take `new URL('.', import.meta.url)` for a file, which is not there. */
const own = import.meta.url.replace(/[^/]*$/, '');

const servers = new Map<string, Server>();

/** The server at an address, by default the one that the script comes from. Throws a `TypeError` for no address. */
export function serverAt(address: string | null | undefined): Server {
  const url = new URL(address ? address.replace(/\/*$/, '/') : own, document.baseURI).href;
  let server = servers.get(url);
  if (server === undefined) {
    const session = createSession(url);
    server = { url, session, api: createApi(url, session) };
    servers.set(url, server);
  }
  return server;
}
