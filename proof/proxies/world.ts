import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, issueToken } from 'confab-testing/harness/client.ts';
import { type ConfabProcess, startConfab } from 'confab-testing/harness/confab-process.ts';
import type { Certificate } from './certificate.ts';
import type { Cache, ProxyName } from './page.ts';
import { freeAddress, type RunningProxy, startProxy } from './proxy.ts';
import { type Call, jsonOf, type Reply, visit } from './visitor.ts';

/** A proxy in front of a server, and how its clients call it. */
export type World = {
  readonly name: ProxyName;
  readonly server: ConfabProcess;
  readonly proxy: RunningProxy;
  /** Calls the server without the proxy. */
  readonly direct: Client;
  /** The id of an app that every user writes to. */
  readonly appId: number;
  /** Tokens of two users. */
  readonly tokens: readonly [string, string];
  /** Sends a request through the proxy as a caller, by default with the key. */
  send(call: Call, as?: string): Promise<Reply>;
  stop(): Promise<void>;
};

/** What a suite has for all its worlds. */
export type Ground = { readonly folder: string; readonly certificate: Certificate };

/** The settings that the page asks for, with the limits that the checks reach. */
export function settingsBehind(url: string): Record<string, string> {
  return {
    CONFAB_PUBLIC_URL: url,
    CONFAB_TRUSTED_PROXIES: '127.0.0.1',
    CONFAB_LIMITS_ADDRESS: `read=1000000,search=${searchesMax},write=1000000,upload=1000000,live=1000000`,
    CONFAB_CORS_ORIGINS: 'https://a.example,https://b.example',
  };
}

/** How many searches an address may send in a minute. */
export const searchesMax = 12;

/** Starts a server behind a proxy, with an app and two users. */
export async function startWorld(
  name: ProxyName,
  { folder, certificate }: Ground,
  cache?: Cache,
): Promise<World> {
  const { port, url } = await freeAddress();
  const own = join(folder, `${name}-${cache ?? 'world'}`);
  mkdirSync(own, { recursive: true });
  const server = await startConfab({ folder: own, settings: settingsBehind(url) });
  const nodes = [new URL(server.url).host] as const;
  const proxy = await startProxy(name, { folder, certificate, port, nodes, cache });
  const direct = new Client(server);
  const appId = await direct.create('/api/apps', { uid: 'room', type: 'comments', access: 'write' });
  return {
    name,
    server,
    proxy,
    direct,
    appId,
    tokens: [await issueToken(direct, 'ada'), await issueToken(direct, 'grace')],
    send: (call, as = server.key) => visit(proxy.url, withCaller(call, as)),
    async stop() {
      await direct.close();
      await proxy.stop();
      await server.stop();
    },
  };
}

/** A request with the credential of its caller; with JSON where `json` is given. */
export function withCaller(call: Call, as: string): Call {
  return { ...call, headers: { authorization: `Bearer ${as}`, ...call.headers } };
}

/** The parts of a request that send JSON. */
export function jsonBody(value: unknown): Pick<Call, 'headers' | 'body'> {
  return { headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) };
}

/** Fails unless a response has the status; returns its JSON. */
export function expectJson(reply: Reply, status: number, what: string): Readonly<Record<string, unknown>> {
  if (reply.status !== status)
    throw new Error(
      `${what}: ${reply.status} instead of ${status}: ${reply.body.toString('utf8').slice(0, 300)}`,
    );
  return jsonOf(reply);
}
