import { createRequire } from 'node:module';

import { FastifyOtelInstrumentation } from '@fastify/otel';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';

import { PRODUCT } from '../config/product.js';

/**
 * Starts to send spans of requests and of SQL statements to an OpenTelemetry collector. Call it before the application is
 * created.
 * @returns a function that sends the remaining spans. Call it before the process ends
 */
export function startTracing(): () => Promise<void> {
  const sdk = new NodeSDK({
    serviceName: process.env['OTEL_SERVICE_NAME'] ?? PRODUCT.slug,
    // Send only spans. Metrics go to Prometheus, and the log goes to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new FastifyOtelInstrumentation({
        registerOnInitialization: true,
        instrumentHooks: false,
        recordExceptions: false,
        // Name a span after its route, such as `GET /api/v1/products/:id`, so that spans of one route can be grouped.
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
  // The instrumentation hooks into `require`, but not into `import`. So load pg once with `require`. If pg is already
  // loaded, this call instruments the loaded classes.
  createRequire(import.meta.url)('pg');
  return () => sdk.shutdown();
}
