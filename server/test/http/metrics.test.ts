import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp } from 'confab-testing/fixtures.ts';
import { wrapStore } from 'confab-testing/harness/store-wrapper.ts';
import { readSamples, samplesOf } from 'confab-testing/metrics.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, startTestServer, type TestServer, useServer } from 'confab-testing/server.ts';
import { sendUpload } from 'confab-testing/uploads.ts';
import { register, settled } from 'confab-testing/webhooks.ts';
import { Counter, Histogram, type Metric, Registry } from 'prom-client';
import { firstRunning } from '../../src/features/erasures/erasures.store.ts';
import { lagAt } from '../../src/features/events/reader-lag.ts';
import { createValues } from '../../src/http/metric-values.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { metricFacts } from '../../src/kernel/metrics.ts';

async function askFor(url: string, key: string | null, method = 'GET') {
  const answer = await fetch(url, {
    method,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
  });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

/** What prom-client writes of some metrics. */
async function textOf(metrics: readonly object[]): Promise<string> {
  const registry = new Registry();
  for (const metric of metrics) registry.registerMetric(metric as Metric);
  return await registry.metrics();
}

/** Polls until the value of a metric fits. */
async function waitFor(server: TestServer, name: string, fits: (value: number) => boolean): Promise<number> {
  return await poll(`${name} that fits`, async () => {
    const value = (await samplesOf(server)).get(name);
    return value !== undefined && fits(value) ? value : undefined;
  });
}

// Work that fails again and again is seen by who does not read the log.
test('metrics count what the log says of failures, of work in the background as well', async (t) => {
  const server = await startTestServer(
    {},
    {
      wrapDb: (db) =>
        wrapStore(db, {
          read: (read) => ({
            ...read,
            get: async (statement, parameters) => {
              if (Object.is(statement, firstRunning)) throw new Error('a planted failure of erasures');
              return await read.get(statement, parameters);
            },
          }),
        }),
    },
  );
  t.after(() => server.close());
  assert.ok((await waitFor(server, 'confab_log_errors_total', (failures) => failures >= 2)) >= 2);
});

// What happens outside of requests is counted as well.
describe('metrics of what follows requests', () => {
  const server = useServer({ CONFAB_LIMITS_PERSON: 'search=1' });
  const receiver = useReceiver();

  test('have deliveries by outcome, lanes, uploads, connections and limits', async () => {
    receiver.answer('/good', { status: 200 });
    receiver.answer('/bad', { status: 500 });
    const good = await register(server, { payload_url: `${receiver.url}/good` });
    const bad = await register(server, { payload_url: `${receiver.url}/bad` });
    const { id } = await makeApp(server, { access: 'write' });
    const as = await server.token(freshUid());
    const live = await connectLive(server, as);
    await server.create(`/api/apps/${id}/comments`, { text: 'hello' }, { as });
    await sendUpload(server, { bytes: 'x'.repeat(1000) });
    await server.call('GET', '/api/apps?q=a', undefined, { as });
    assert.equal((await server.call('GET', '/api/apps?q=b', undefined, { as })).status, 429);
    await settled(server, good.id, 'delivered');
    await poll('the attempt that failed', () => (receiver.ledger('/bad').length > 0 ? true : undefined));
    await waitFor(server, 'confab_webhook_attempts_total{outcome="retrying"}', (value) => value >= 1);
    const samples = await samplesOf(server);
    const figures = {
      'confab_webhook_attempts_total{outcome="delivered"}': 1,
      'confab_webhooks{state="disabled"}': 0,
      confab_uploads_total: 1,
      confab_upload_bytes_total: 1000,
      'confab_live_connections{kind="hub"}': 1,
      'confab_live_connections{kind="stream"}': 0,
      'confab_live_connections{kind="watch"}': 0,
      'confab_rate_limited_total{caller="person",kind="search"}': 1,
      'confab_http_problems_total{code="rate_limited"}': 1,
      confab_parked_events: 0,
      'confab_erasures{state="failing"}': 0,
    };
    for (const [name, value] of Object.entries(figures)) assert.equal(samples.get(name), value, name);
    const lanesIn = (state: string) => Number(samples.get(`confab_webhooks{state="${state}"}`));
    assert.equal(lanesIn('open') + lanesIn('paused'), 2);
    assert.ok((samples.get('confab_webhook_oldest_undelivered_seconds') ?? 0) > 0);
    assert.ok((samples.get('confab_disk_free_bytes') ?? 0) > 0);
    assert.equal((await server.call('DELETE', `/api/webhooks/${bad.id}`)).status, 204);
    await waitFor(server, 'confab_webhook_oldest_undelivered_seconds', (value) => value === 0);
    await live.stop();
  });
});

// An operator sees what the server does without a log; nothing in it identifies who asked for what.
describe('the metrics of a server', () => {
  const server = useServer();

  test('count requests by operation and status, and unknown paths together', async () => {
    const comment = 'confab_http_requests_total{operation="getComment",status="404"}';
    const unknown = 'confab_http_requests_total{operation="unknown",status="404"}';
    for (const path of ['/api/comments/1', '/api/comments/2', '/secret-path-1', '/secret-path-2'])
      assert.equal((await server.call('GET', path)).status, 404);
    await server.call('PROPFIND', '/api/comments/1');
    assert.equal(await waitFor(server, comment, (value) => value > 0), 2);
    const samples = await samplesOf(server);
    assert.equal(samples.get(unknown), 2);
    assert.equal(samples.get('confab_http_requests_total{operation="unknown",status="405"}'), 1);
    assert.equal(samples.get('confab_http_request_duration_seconds_count{operation="getComment"}'), 2);
    const { text } = await askFor(`${server.url}/metrics`, server.key);
    assert.ok(!text.includes('secret-path'));
  });

  test('have the log, and readers that catch up with it', async () => {
    const stream = await readEvents(server);
    const before = await lagAt(server.running.db.read, 'events', 0);
    for (let n = 0; n < 3; n += 1) await server.call('PUT', `/api/users/${freshUid()}`, {});
    await waitFor(server, 'confab_log_position', (value) => value >= before.newest + 3);
    const lags = await poll('readers that have caught up', async () => {
      const samples = [...(await samplesOf(server))].filter(([name]) => name.includes('reader='));
      return samples.every(([, value]) => value === 0) ? samples.map(([name]) => name) : undefined;
    });
    await stream.close();
    assert.deepEqual(lags.sort(), [
      'confab_log_reader_lag_events{reader="live"}',
      'confab_log_reader_lag_events{reader="notifications"}',
      'confab_log_reader_lag_seconds{reader="live"}',
      'confab_log_reader_lag_seconds{reader="notifications"}',
      'confab_log_reader_lag_seconds{reader="webhooks"}',
    ]);
  });

  test('have how far a position of the log is behind', async () => {
    const { read } = server.running.db;
    const end = await lagAt(read, 'events', Number.MAX_SAFE_INTEGER);
    await server.call('PUT', `/api/users/${freshUid()}`, {});
    const { positions, since } = await lagAt(read, 'events', end.newest);
    assert.ok(positions >= 1);
    assert.ok(Math.abs(Date.now() - (since ?? 0)) < 60_000);
    assert.deepEqual(await lagAt(read, 'notifications', 0), { newest: 0, positions: 0, since: null });
  });

  test('are written as prom-client writes its own', async () => {
    const metrics = createMetrics();
    const registry = new Registry();
    const registers = [registry];
    const help = 'about';
    const requests = new Counter({ name: 'requests', help, labelNames: ['operation', 'status'], registers });
    const buckets = [...metricFacts.confab_store_group_writes.buckets];
    const writes = new Histogram({ name: 'writes', help, labelNames: ['operation'], buckets, registers });
    const uploads = new Counter({ name: 'uploads', help, registers });
    const own = [
      createValues('requests', { kind: 'counter', help, labels: ['operation', 'status'] }),
      createValues('writes', { kind: 'histogram', help, labels: ['operation'], buckets }),
      createValues('uploads', { kind: 'counter', help, labels: [] }),
    ] as const;
    for (let number = 0; number < 300; number += 1) {
      const labels = { operation: `of "${number % 3}"\n`, status: String(200 + (number % 2)) };
      requests.inc(labels, number);
      own[0].add(labels, number);
      const { operation } = labels;
      writes.observe({ operation }, number);
      own[1].observe({ operation }, number);
    }
    assert.equal(await textOf(own.map(({ metric }) => metric)), await registry.metrics());
    uploads.inc(7);
    own[2].add({}, 7);
    assert.equal(await textOf(own.map(({ metric }) => metric)), await registry.metrics());
    assert.match(await metrics.text(), /^confab_uploads_total 0$/m);
  });

  test('leave out what cannot be read, and are remembered for a second', async () => {
    const metrics = createMetrics();
    let reads = 0;
    metrics.read('confab_log_position', () => Promise.reject(new Error('the store is gone')));
    metrics.read('confab_store_waiting_writes', () => {
      reads += 1;
      return [{ labels: {}, value: 7 }];
    });
    const samples = readSamples(await metrics.text());
    assert.equal(samples.get('confab_log_position'), undefined);
    assert.equal(samples.get('confab_store_waiting_writes'), 7);
    await metrics.text();
    assert.equal(reads, 1);
  });

  test('have the store, the process and its event loop', async () => {
    const samples = await samplesOf(server);
    for (const name of [
      'confab_store_group_writes_count',
      'confab_store_group_duration_seconds_sum',
      'confab_store_size_bytes{file="database"}',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
    ])
      assert.ok((samples.get(name) ?? 0) > 0, name);
    assert.equal(samples.get('confab_store_waiting_writes'), 0);
  });

  test('are for API keys that may read', async () => {
    const url = `${server.url}/metrics`;
    const reading = await server.running.keys.create('monitor', { scopes: ['read'] });
    const { status, type } = await askFor(url, reading);
    assert.deepEqual([status, type], [200, 'text/plain; version=0.0.4; charset=utf-8']);
    assert.equal((await askFor(url, null)).status, 401);
    assert.equal((await askFor(url, await server.token(freshUid()))).status, 403);
    const writing = await server.running.keys.create('writer', { scopes: ['apps'] });
    assert.equal((await askFor(url, writing)).status, 403);
    assert.equal((await askFor(url, server.key, 'POST')).status, 405);
  });
});

describe('where metrics are served', () => {
  test('on a port of their own without a key', async (t) => {
    const logged: string[] = [];
    const server = await startTestServer(
      { CONFAB_METRICS: '0', CONFAB_LOG_LEVEL: 'info' },
      { logTo: { write: (line) => void logged.push(line) } },
    );
    t.after(() => server.close());
    const line = logged.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'metrics are served');
    assert.match(line.address, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const own = await askFor(line.address, null);
    assert.equal(own.status, 200);
    assert.ok(readSamples(own.text).has('confab_log_position'));
    assert.equal((await askFor(line.address, null, 'POST')).status, 405);
    assert.equal((await askFor(line.address.replace('metrics', 'api/apps'), server.key)).status, 404);
    assert.equal((await askFor(`${server.url}/metrics`, server.key)).status, 404);
  });

  test('nowhere when they are off', async (t) => {
    const server = await startTestServer({ CONFAB_METRICS: 'off' });
    t.after(() => server.close());
    assert.equal((await askFor(`${server.url}/metrics`, server.key)).status, 404);
  });
});
