import { createRequire } from 'node:module';

import { FastifyOtelInstrumentation } from '@fastify/otel';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { FastifyRequest } from 'fastify';

import { PRODUCT } from '../config/product.js';
import '../http/logging/request-log.js';

/**
 * Sends a span for each request, and one for each statement below it, to the collector of OpenTelemetry's standard
 * variables, which its SDK reads itself. To be called before the application is created.
 *
 * @returns sends what is left, which may take as long as the collector lets it
 */
export function startTracing(): () => Promise<void> {
  const sdk = new NodeSDK({
    serviceName: process.env['OTEL_SERVICE_NAME'] ?? PRODUCT.slug,
    // Spans alone: metrics are Prometheus', and the log goes to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new FastifyOtelInstrumentation({
        registerOnInitialization: true,
        instrumentHooks: false,
        recordExceptions: false,
        requestHook: describe,
      }),
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
    ],
  });
  sdk.start();
  // An import passes by the hook that instruments packages, and pg may be loaded already: its classes are then
  // instrumented where they are.
  createRequire(import.meta.url)('pg');
  return () => sdk.shutdown();
}

type Span = Parameters<
  NonNullable<ConstructorParameters<typeof FastifyOtelInstrumentation>[0]>['requestHook'] & {}
>[0];

/** Names a span by its route, and leaves queries out of it. */
function describe(span: Span, request: FastifyRequest): void {
  const { url, method } = request;
  const route = request.routeOptions.url;
  span.updateName(route === undefined ? method : `${method} ${route}`);
  span.setAttributes({ 'url.path': url.split('?', 1)[0] ?? '', 'request.id': request.id });
  const { traceId, spanId } = span.spanContext();
  request.trace = { traceId, spanId };
}
