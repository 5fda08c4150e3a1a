import { once } from 'node:events';
import { connect } from 'node:net';
import type { Dial } from '../../src/net/connector.ts';

/** A connection that the guard let through. */
export type Dialled = { readonly host: string; readonly addresses: readonly string[] };

/**
 * Takes the place of the network: every connection that the guard lets through is noted, and ends at one address of
 * loopback whatever it is for. So tests have public addresses, and aim at nothing that is not theirs.
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
