import { createRequire } from 'node:module';

import { FastifyOtelInstrumentation } from '@fastify/otel';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';

import { PRODUCT } from '../config/product.js';

/** Sends spans of requests and statements to a collector. Called before the application is made. @returns sends the rest */
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
        // A span has the name of its route, and no query.
        requestHook(span, request) {
          const { id, method, url, routeOptions } = request;
          span.updateName(routeOptions.url === undefined ? method : `${method} ${routeOptions.url}`);
          span.setAttributes({ 'url.path': url.split('?', 1)[0] ?? '', 'request.id': id });
          const { traceId, spanId } = span.spanContext();
          request.trace = { traceId, spanId };
        },
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
