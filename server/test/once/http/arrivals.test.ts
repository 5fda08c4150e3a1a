import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { awaitArrivals } from '../../../src/http/limits/arrivals.ts';

describe('connections that come in together', () => {
  test('are all taken before a request begins', async () => {
    const server = createServer();
    const arrivals = awaitArrivals(server);
    let taken = 0;
    server.on('connection', () => {
      taken += 1;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    // The kernel has them all before the event loop goes on.
    const sockets = Array.from({ length: 30 }, () => connect(port, '127.0.0.1'));
    after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });

    await once(server, 'connection');
    assert.ok(taken < sockets.length);
    await arrivals();
    assert.equal(taken, sockets.length);
    assert.equal(arrivals(), undefined);
  });
});
