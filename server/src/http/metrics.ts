import { once } from 'node:events';
import type { Server as NodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import {
  type MetricFacts,
  type MetricName,
  type Metrics,
  metricFacts,
  type Reading,
} from '../kernel/metrics.ts';
import { createServer } from '../kernel/node-http.ts';
import { checkCaller, checkScopes } from './caller-checks.ts';
import { authorizationOf, pathOf, readTarget } from './connection.ts';
import { createValues, type MetricValues } from './metric-values.ts';
import type { Authenticate } from './request.ts';
import type { Http } from './server.ts';

/** Metrics in the text format of Prometheus, which `prom-client` writes. */

/** The metrics of a server, and the page that shows them. */
export type MetricsRegistry = Metrics & {
  /** The page. It is remembered for a second, so that asking in a loop costs nothing out of proportion. */
  text(): Promise<string>;
};

type Source = () => readonly Reading<never>[] | Promise<readonly Reading<never>[]>;

/** How long a page is remembered, in milliseconds. */
const rememberedMs = 1000;
/** How long reading one metric may take, in milliseconds: Prometheus gives up after ten seconds. */
const readMsMax = 2000;

/** The path of the page. */
const path = '/metrics';
/** The media type of the page. */
const textType = Registry.PROMETHEUS_CONTENT_TYPE;

let ofProcess: Registry | undefined;

/** The metrics of the process and its event loop, of which there is one set however many servers a process has. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/**
 * A metric as prom-client registers one. Of what a metric can do, a registry uses its name and `get` alone, which its types
 * do not say; `server/test/http/metrics.test.ts` compares what is written with prom-client's own metrics.
 */
function registeredMetric({ metric }: MetricValues): Metric {
  return metric as unknown as Metric;
}

/** Creates the metrics of a server. */
export function createMetrics(): MetricsRegistry {
  const registry = new Registry();
  const values = new Map<string, MetricValues>();
  for (const [name, facts] of Object.entries<MetricFacts>(metricFacts)) {
    const own = createValues(name, facts);
    values.set(name, own);
    registry.registerMetric(registeredMetric(own));
  }
  const sources = new Map<MetricName, Source[]>();
  const all = Registry.merge([processMetrics(), registry]);
  let remembered: Promise<string> | undefined;
  let rememberedAt = 0;

  async function readAll(name: MetricName, reads: readonly Source[]): Promise<void> {
    const readings = await Promise.all(reads.map((read) => within(read, readMsMax)));
    values.get(name)?.clear();
    for (const { labels, value } of readings.flatMap((each) => each ?? []))
      values.get(name)?.add(labels, value);
  }

  async function render(): Promise<string> {
    await Promise.all([...sources].map(([name, reads]) => readAll(name, reads)));
    return await all.metrics();
  }

  return {
    count: (name, labels, by = 1) => values.get(name)?.add(labels, by),
    observe: (name, labels, value) => values.get(name)?.observe(labels, value),
    read: (name, read) => void sources.set(name, [...(sources.get(name) ?? []), read]),
    text() {
      const now = performance.now();
      if (remembered === undefined || now - rememberedAt >= rememberedMs) {
        remembered = render();
        rememberedAt = now;
      }
      return remembered;
    },
  };
}

/** What `read` returns; undefined when it fails or takes longer. */
async function within<T>(read: () => T | Promise<T>, ms: number): Promise<T | undefined> {
  const late = AbortSignal.timeout(ms);
  try {
    return await Promise.race([read(), once(late, 'abort').then(() => undefined)]);
  } catch {
    return undefined;
  }
}

/** Serves the metrics at `/metrics` to API keys that may read. */
export function bindMetrics(
  http: Http,
  { metrics, authenticate }: { metrics: MetricsRegistry; authenticate: Authenticate },
): void {
  http.page(path, async (_params, request) => {
    const principal = await authenticate({
      authorization: authorizationOf(request.raw, { takesTokenInQuery: false }),
      onBehalfOf: undefined,
      address: request.clientAddress,
    });
    checkCaller({ caller: 'key', errors: [403] }, principal);
    checkScopes(['read'], principal);
    return { status: 200, headers: { 'content-type': textType }, body: await metrics.text() };
  });
}

/** Serves the metrics without a credential at an address of their own. */
export async function listenForMetrics(
  metrics: MetricsRegistry,
  at: { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server: NodeServer = createServer((request, response) => {
    readTarget(request);
    if (pathOf(request) !== path) return void response.writeHead(404).end();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': textType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(at.port, at.host, resolve);
  });
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${path}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
