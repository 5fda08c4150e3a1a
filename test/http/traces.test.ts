import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { makeApp } from '../support/fixtures.ts';
import { useReceiver } from '../support/receiver.ts';
import { startTestServer } from '../support/server.ts';
import { register, settled } from '../support/webhooks.ts';

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
    t.after(() => delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
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

  test('is lost without harm where the collector does not answer', async (t) => {
    const collector = await openCollector();
    collector.close();
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    t.after(() => delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT);
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
