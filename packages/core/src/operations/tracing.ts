import { createRequire } from 'node:module';

import { FastifyOtelInstrumentation } from '@fastify/otel';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';

import { PRODUCT } from '../config/product.js';

/**
 * Sends spans of requests and statements to a collector. Call it before the application is made.
 * @returns a function that sends the spans that are left
 */
export function startTracing(): () => Promise<void> {
  const sdk = new NodeSDK({
    serviceName: process.env['OTEL_SERVICE_NAME'] ?? PRODUCT.slug,
    // Only spans: metrics go to Prometheus, and the log goes to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new FastifyOtelInstrumentation({
        registerOnInitialization: true,
        instrumentHooks: false,
        recordExceptions: false,
        // The name of a span is its route, without the query.
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
  // The hook that instruments packages only sees `require`, not `import`. If pg is already loaded, this instruments the
  // loaded classes.
  createRequire(import.meta.url)('pg');
  return () => sdk.shutdown();
}
