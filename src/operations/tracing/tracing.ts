import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { Logger } from 'pino';

import { TracingConfig } from '../../config/config.js';
import { PRODUCT } from '../../config/product.js';
import { RequestTracer } from '../../telemetry/request-tracer.js';
import { SpanTracer } from './span-tracer.js';

/** Tracing of this process, until it is stopped. */
export interface Tracing {
  readonly tracer: RequestTracer;
  /** Sends what is left. May take as long as the collector lets it. */
  stop(): Promise<void>;
}

/**
 * Sends spans to the collector of OpenTelemetry's standard variables, which its SDK reads itself: endpoint, headers,
 * time-outs, sampler, limits, resource. Makes the tracer, the context and the propagation (W3C Trace Context) those of
 * OpenTelemetry's API, so that spans of modules and of libraries are a part of the same traces.
 */
export async function startTracing(
  { protocol, samplesAll }: TracingConfig,
  logger: Logger,
): Promise<Tracing> {
  logFaults(logger);
  const named = resourceFromAttributes({ 'service.name': PRODUCT.slug });
  const resource = defaultResource()
    .merge(named)
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new BasicTracerProvider({
    resource,
    // Its own default would let the caller of each request decide.
    ...(samplesAll && { sampler: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor(await exporterOf(protocol))],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(contexts);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    tracer: new SpanTracer(provider.getTracer(PRODUCT.slug)),
    stop: () => provider.shutdown(),
  };
}

async function exporterOf(protocol: TracingConfig['protocol']): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/** A collector that is away costs spans and nothing else; the log says so. */
function logFaults(logger: Logger): void {
  const write = (level: 'error' | 'warn' | 'debug') => (message: string) => {
    logger[level]({ context: 'OpenTelemetry' }, message);
  };
  const [error, warn, debug] = [write('error'), write('warn'), write('debug')];
  diag.setLogger({ error, warn, info: debug, debug, verbose: debug }, DiagLogLevel.WARN);
}
