import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { makeApp } from 'confab-testing/fixtures.ts';
import { samplesOf } from 'confab-testing/metrics.ts';
import { watchApp } from 'confab-testing/network/app-watch.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer } from 'confab-testing/server.ts';
import { register, settled } from 'confab-testing/webhooks.ts';
import { samplingOf } from '../../src/config/config.ts';

/** A span as a collector receives it. */
type Exported = {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly [kind: string]: unknown };
  }[];
};

/** A collector that takes OTLP over HTTP as JSON. */
async function openCollector() {
  const spans: Exported[] = [];
  const services: string[] = [];
  const collector = createServer(async (request, response) => {
    assert.equal(request.headers['content-type'], 'application/json');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks).toString()).resourceSpans) {
      services.push(
        resource.attributes.find(({ key }: { key: string }) => key === 'service.name').value.stringValue,
      );
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => {
    collector.listen(0, '127.0.0.1', resolve);
  });
  const { port } = collector.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, services, close: () => collector.close() };
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

// An operator follows one request from the client through the commit to the receiver of its event.
describe('a trace', () => {
  const receiver = useReceiver();

  test('goes from the client through request and commit to the receiver', async (t) => {
    const collector = await openCollector();
    t.after(collector.close);
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    process.env.OTEL_TRACES_SAMPLER = 'always_on';
    t.after(() => {
      delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
      delete process.env.OTEL_TRACES_SAMPLER;
    });
    const server = await startTestServer();
    const { id } = await makeApp(server);
    const webhook = await register(server, { payload_url: `${receiver.url}/traced` });
    const headers = { traceparent: `00-${traceId}-${parentId}-01` };
    await server.create(`/api/apps/${id}/comments`, { text: 'traced' }, { headers });
    await settled(server, webhook.id, 'delivered');
    await server.call('GET', '/api/apps', undefined, { headers: { traceparent: 'not one' } });
    const [delivered] = receiver.ledger('/traced');
    await server.close();

    const ofTrace = collector.spans.filter((span) => span.traceId === traceId);
    const named = (name: string) => ofTrace.find((span) => span.name === name);
    const request = named('createAppComment');
    const commit = named('commit');
    const attempt = named('webhook attempt');
    assert.equal(request?.parentSpanId, parentId);
    assert.equal(commit?.parentSpanId, request?.spanId);
    assert.equal(attempt?.parentSpanId, commit?.spanId);
    assert.equal(delivered?.headers.traceparent, `00-${traceId}-${attempt?.spanId}-01`);
    const status = request?.attributes.find(({ key }) => key === 'http.response.status_code');
    assert.equal(Number(status?.value.intValue), 201);
    const other = collector.spans.find(({ name }) => name === 'listApps');
    assert.ok(other !== undefined && other.traceId !== traceId);
    assert.ok(!JSON.stringify(collector.spans).includes(server.key));
    assert.ok(collector.services.every((name) => name === 'confab'));
  });

  test('ends as well where the client hangs up', async (t) => {
    const collector = await openCollector();
    t.after(collector.close);
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    process.env.OTEL_TRACES_SAMPLER = 'always_on';
    t.after(() => {
      delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
      delete process.env.OTEL_TRACES_SAMPLER;
    });
    const server = await startTestServer();
    const { id } = await makeApp(server);
    const watch = await watchApp(server, id, { as: server.key });
    await watch.close();
    // A stream whose end the server has not noticed keeps it from stopping, and its span would be of that.
    await poll('the end', async () => {
      const samples = await samplesOf(server);
      return samples.get('confab_live_connections{kind="watch"}') === 0 || undefined;
    });
    await server.close();
    const ended = collector.spans.filter(({ name }) => name === 'watchApp');
    const facts = ended.map(({ attributes }) =>
      Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    );
    assert.deepEqual(
      facts.map((each) => [each['confab.aborted'], Number(each['http.response.status_code'])]),
      [['true', 200]],
    );
    assert.ok(Number(facts[0]?.['http.response.size']) > 0);
  });

  test('begins where its client or the ratio decides so', async (t) => {
    const collector = await openCollector();
    t.after(collector.close);
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    process.env.OTEL_TRACES_SAMPLER = 'parentbased_traceidratio';
    process.env.OTEL_TRACES_SAMPLER_ARG = '0';
    t.after(() => {
      delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
      delete process.env.OTEL_TRACES_SAMPLER;
      delete process.env.OTEL_TRACES_SAMPLER_ARG;
    });
    const server = await startTestServer();
    const { id } = await makeApp(server);
    const comment = async (flags: string) => {
      const headers = { traceparent: `00-${traceId}-${parentId}-${flags}` };
      await server.create(`/api/apps/${id}/comments`, { text: flags }, { headers });
    };
    await comment('00');
    await comment('01');
    await server.create(`/api/apps/${id}/comments`, { text: 'without a client that decides' });
    await server.close();
    assert.deepEqual(collector.spans.map(({ name }) => name).sort(), ['commit', 'createAppComment']);
  });

  test('is lost without harm where the collector does not answer', async (t) => {
    const collector = await openCollector();
    collector.close();
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    process.env.OTEL_TRACES_SAMPLER = 'always_on';
    t.after(() => {
      delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
      delete process.env.OTEL_TRACES_SAMPLER;
    });
    const logged: string[] = [];
    const logTo = { write: (line: string) => void logged.push(line) };
    const server = await startTestServer({ CONFAB_LOG_LEVEL: 'warn' }, { logTo });
    assert.equal((await server.call('GET', '/api/apps')).status, 200);
    await server.close();
    assert.match(logged.join(''), /the last traces could not be sent/);
  });

  test('is not recorded without a collector, and nothing is passed on', async (t) => {
    const server = await startTestServer();
    t.after(() => server.close());
    const { id } = await makeApp(server);
    const webhook = await register(server, { payload_url: `${receiver.url}/untraced` });
    const headers = { traceparent: `00-${traceId}-${parentId}-01` };
    await server.create(`/api/apps/${id}/comments`, { text: 'untraced' }, { headers });
    await settled(server, webhook.id, 'delivered');
    assert.equal(receiver.ledger('/untraced')[0]?.headers.traceparent, undefined);
  });
});

// The query of these pages has the state and the code of a provider, with which somebody else could go on.
describe('a trace of signing in', () => {
  test('has the route of the request and nothing of its query', async (t) => {
    const collector = await openCollector();
    t.after(collector.close);
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    process.env.OTEL_TRACES_SAMPLER = 'always_on';
    t.after(() => {
      delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
      delete process.env.OTEL_TRACES_SAMPLER;
    });
    const server = await startTestServer({
      CONFAB_SIGN_IN: 'guest',
      CONFAB_CORS_ORIGINS: 'https://blog.example.com',
    });
    for (const path of ['/sign-in', '/sign-in/callback/google'])
      await (await fetch(`${server.url}${path}?state=hidden-state&code=hidden-code`)).text();
    await server.close();

    const routes = collector.spans.flatMap(({ attributes }) =>
      attributes.filter(({ key }) => key === 'http.route').map(({ value }) => value['stringValue']),
    );
    assert.ok(routes.includes('/sign-in'), `the routes are ${routes.join(', ')}`);
    assert.doesNotMatch(JSON.stringify(collector.spans), /hidden-/);
  });
});

// The values and their meaning are those of OpenTelemetry; only without them fewer requests are traced.
describe('the sampler of traces', () => {
  test('is one in twenty of the requests whose clients do not decide, unless it is set', () => {
    assert.deepEqual(samplingOf({}), { isByParent: true, ratio: 0.05 });
    assert.deepEqual(samplingOf({ OTEL_TRACES_SAMPLER_ARG: '0.5' }), { isByParent: true, ratio: 0.5 });
  });

  test('takes the values of OpenTelemetry', () => {
    const named = (OTEL_TRACES_SAMPLER: string, OTEL_TRACES_SAMPLER_ARG?: string) =>
      samplingOf({ OTEL_TRACES_SAMPLER, ...(OTEL_TRACES_SAMPLER_ARG && { OTEL_TRACES_SAMPLER_ARG }) });
    assert.deepEqual(named('always_on', '0.2'), { isByParent: false, ratio: 1 });
    assert.deepEqual(named('parentbased_always_off'), { isByParent: true, ratio: 0 });
    assert.deepEqual(named('traceidratio', '0.25'), { isByParent: false, ratio: 0.25 });
    assert.deepEqual(named('parentbased_traceidratio'), { isByParent: true, ratio: 1 });
    assert.throws(() => named('jaeger_remote'), /OTEL_TRACES_SAMPLER is one of always_on/);
    assert.throws(() => named('traceidratio', '2'), /OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1/);
  });
});
