import { once } from 'node:events';
import { connect } from 'node:net';
import type { Dial } from 'confab-server/src/net/connector.ts';

/** A connection that the guard permitted. */
export type Dialled = { readonly host: string; readonly addresses: readonly string[] };

/**
 * Replaces the network: every permitted connection is recorded and goes to one loopback address, whatever its target.
 * So tests can use public addresses without reaching them.
 */
export function recordedDial(toUrl: string): { dial: Dial; dialled: Dialled[] } {
  const { hostname, port } = new URL(toUrl);
  const dialled: Dialled[] = [];
  return {
    dialled,
    async dial(target, { addresses }) {
      dialled.push({ host: target.hostname, addresses });
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      return socket;
    },
  };
}
