import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { RECEIVER_CERTIFICATE, RECEIVER_KEY } from 'confab-testing/network/certificates.ts';
import { npmNetwork, registryFault, type Variables } from 'confab-testing/network/npm-network.ts';
import { freePort } from 'confab-testing/network/ports.ts';

const folder = mkdtempSync(join(tmpdir(), 'confab-registry-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let folders = 0;

/** An empty folder. */
function freshFolder(): string {
  folders += 1;
  const made = join(folder, String(folders));
  mkdirSync(made);
  return made;
}

/** The variables of a user without settings, and these. */
function userWith(own: Variables): Variables {
  return { PATH: process.env.PATH, HOME: freshFolder(), ...own };
}

/** What a user of npm with these variables is told. */
async function told(own: Variables): Promise<string | undefined> {
  const network = npmNetwork(userWith(own));
  return await registryFault({ ...userWith({}), ...network }, freshFolder());
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

// A machine may reach a registry only through a proxy, with a certificate authority of its own.
describe('the registry of npm', () => {
  const certificate = join(folder, 'authority.pem');
  const registry = createTlsServer({ cert: RECEIVER_CERTIFICATE, key: RECEIVER_KEY }, (_, response) => {
    const version = { name: 'saxes', version: '6.0.0', dist: { tarball: 'https://receiver.test/saxes.tgz' } };
    const document = { name: 'saxes', 'dist-tags': { latest: '6.0.0' }, versions: { '6.0.0': version } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  const proxy = createHttpServer();
  let registryPort: number;
  let proxied: Variables;

  before(async () => {
    writeFileSync(certificate, RECEIVER_CERTIFICATE);
    registryPort = await listen(registry);
    proxy.on('connect', (_, client) => {
      const upstream = connect(registryPort, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const)
        one.on('error', () => other.destroy());
    });
    proxied = {
      npm_config_registry: 'https://receiver.test/',
      HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`,
    };
  });
  after(() => {
    for (const server of [registry, proxy]) {
      server.closeAllConnections();
      server.close();
    }
  });

  test('is reached through the proxy and with the authority of the variables', async () => {
    assert.equal(await told({ ...proxied, NODE_EXTRA_CA_CERTS: certificate }), undefined);
    const { HTTPS_PROXY, ...others } = proxied;
    assert.equal(
      await told({ ...others, https_proxy: HTTPS_PROXY, NODE_EXTRA_CA_CERTS: certificate }),
      undefined,
    );
  });

  test('is reached with the settings in the file of a user', async () => {
    const HOME = freshFolder();
    const { npm_config_registry, HTTPS_PROXY } = proxied;
    const lines = [`registry=${npm_config_registry}`, `https-proxy=${HTTPS_PROXY}`, `cafile=${certificate}`];
    writeFileSync(join(HOME, '.npmrc'), lines.join('\n'));
    assert.equal(await told({ HOME }), undefined);
  });

  test('gets no other variable of the user', () => {
    const network = npmNetwork(
      userWith({ ...proxied, AWS_SECRET_ACCESS_KEY: 'secret', npm_config_omit: 'dev' }),
    );
    assert.equal(network['HTTPS_PROXY'], proxied['HTTPS_PROXY']);
    assert.deepEqual(
      Object.keys(network).filter((name) => /secret|omit|path|home/i.test(name)),
      [],
    );
  });

  const unreached: readonly [what: string, own: () => Promise<Variables>, words: RegExp][] = [
    ['has a certificate of an unknown authority', async () => proxied, /NODE_EXTRA_CA_CERTS or as "cafile"/],
    [
      'is at an address where nothing listens',
      async () => ({ npm_config_registry: `http://127.0.0.1:${await freePort()}/` }),
      /ECONNREFUSED/,
    ],
    [
      'is behind a proxy where nothing listens',
      async () => ({ ...proxied, HTTPS_PROXY: `http://127.0.0.1:${await freePort()}` }),
      /Variables that are set: HTTPS_PROXY\./,
    ],
  ];
  for (const [what, own, words] of unreached)
    test(`that ${what} is told with what to set`, async () => {
      assert.match(String(await told(await own())), words);
    });

  // Both at once, because each waits for the limits of npm.
  test('that accepts connections by http or https and never responds is given up within 20 seconds', async () => {
    const giveUp = async (protocol: string) => {
      const mute = createServer((socket) => void socket.on('error', () => undefined).resume());
      const connected = once(mute, 'connection');
      const ended = told({ npm_config_registry: `${protocol}://127.0.0.1:${await listen(mute)}/` });
      await connected;
      const began = performance.now();
      assert.match(String(await ended), /Set "registry" of npm/, protocol);
      assert.ok(performance.now() - began < 20_000, protocol);
      mute.close();
    };
    await Promise.all(['http', 'https'].map(giveUp));
  });

  test('is not asked where npm is set to be offline', async () => {
    const nowhere = {
      npm_config_registry: `http://127.0.0.1:${await freePort()}/`,
      npm_config_offline: 'true',
    };
    assert.equal(await told(nowhere), undefined);
  });
});
