import type { Config } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import type { Server } from '../http/server.ts';
import type { Log } from '../kernel/log.ts';
import { leaveAddress } from '../setup/running-address.ts';
import { startLoop } from '../workers/runner.ts';

/** How the HTTP server begins to listen, and ends. */

/** Starts to listen, leaves the address in the data folder until the server stops, and returns it. */
export async function listen(
  {
    config,
    log,
    started,
  }: {
    readonly config: Config;
    readonly log: Log;
    readonly started: { readonly name: string; readonly stop: () => void }[];
  },
  { db, http }: { readonly db: Db; readonly http: Server },
): Promise<string> {
  const { address, family, port } = await http.listen(config);
  const isEverywhere = address === '0.0.0.0' || address === '::';
  const literal = family === 'IPv6' ? `[${address}]` : address;
  // A wildcard address is not one that a client can call.
  const listening = `http://${isEverywhere ? 'localhost' : literal}:${port}`;
  const stop = leaveAddress(config.dataDir, { url: listening, publicUrl: config.publicUrl ?? listening });
  started.push({ name: 'the address in the data folder', stop });
  if (config.publicUrl !== undefined) return listening;
  if (isEverywhere)
    log.warn(
      { address: listening },
      'CONFAB_PUBLIC_URL is not set: links in answers work on this machine alone',
    );
  else if (db.peers !== undefined)
    log.warn(
      { address: listening },
      'CONFAB_PUBLIC_URL is not set: clients are given the address of this node, and pictures that of the last to start',
    );
  return listening;
}

/** How often a stopping server closes connections that have become idle, in milliseconds. */
const closeIdleMs = 100;

/** Resolves when every request has a response, even if clients keep their connections open. */
export async function closeHttp(http: Server, log: Log): Promise<void> {
  const closing = http.close();
  const step = async () => {
    http.closeIdle();
    return closeIdleMs;
  };
  const loop = startLoop({ name: 'closing', step, log });
  await closing;
  await loop.stop();
}
