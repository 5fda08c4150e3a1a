import { AsyncLocalStorage } from 'node:async_hooks';
import {
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Log } from '../kernel/log.ts';
import type { Sampling, Span, Traces } from '../kernel/traces.ts';

/**
 * Traces by OpenTelemetry, sent with OTLP over HTTP. The libraries read the variables `OTEL_…` that operators know. This
 * file is loaded only where traces are wanted.
 */

/** A `traceparent` as text; undefined where it is none. */
function parse(traceparent: string): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = '0'] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent) ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

/** Starts to record traces; `random` returns numbers from 0 to below 1. */
export function openTraces({
  version,
  log,
  sampling,
  random,
}: {
  version: string;
  log: Log;
  sampling: Sampling;
  random: () => number;
}): Traces {
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'confab', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    // Requests that are not traced have no span at all.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('confab', version);
  const storage = new AsyncLocalStorage<Span>();

  function isSampled(parent: SpanContext | undefined): boolean {
    if (sampling.isByParent && parent !== undefined) return (parent.traceFlags & TraceFlags.SAMPLED) !== 0;
    return random() < sampling.ratio;
  }

  function begin(name: string, kind: SpanKind, parent: SpanContext | undefined): Span {
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    const span = tracer.startSpan(name, { kind }, context);
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
      end(attributes, failure) {
        span.setAttributes(attributes);
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
        span.end();
      },
    };
  }

  return {
    request(name, traceparent) {
      const parent = traceparent === undefined ? undefined : parse(traceparent);
      return isSampled(parent) ? begin(name, SpanKind.SERVER, parent) : undefined;
    },
    child: (name, kind, traceparent) =>
      begin(name, kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, parse(traceparent)),
    within: (span, work) => storage.run(span, work),
    current: () => storage.getStore(),
    close: () =>
      provider.shutdown().catch((error: unknown) => {
        log.warn({ err: error }, 'the last traces could not be sent');
      }),
  };
}
