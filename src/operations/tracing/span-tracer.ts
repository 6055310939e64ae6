import { IncomingHttpHeaders } from 'node:http';

import {
  Context,
  context,
  propagation,
  ROOT_CONTEXT,
  Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  Tracer,
} from '@opentelemetry/api';

import { codeOf } from '../../database/database-error.js';
import { RequestOutcome, RequestTracer, ServerSpan } from '../../telemetry/request-tracer.js';
import { EndOfWait, Wait } from '../../telemetry/waits.js';

/** The system that each kind of wait is a call of. */
const SYSTEMS: Readonly<Record<Wait, string | undefined>> = {
  database: 'postgresql',
  redis: 'redis',
  queue: undefined,
};

/**
 * Makes spans of requests by OpenTelemetry's API, named and described by its semantic conventions for HTTP and
 * databases.
 */
export class SpanTracer implements RequestTracer {
  constructor(private readonly tracer: Tracer) {}

  begin(method: string, headers: IncomingHttpHeaders): ServerSpan {
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const attributes = { 'http.request.method': method };
    const span = this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    return new OpenTelemetrySpan(this.tracer, span, trace.setSpan(parent, span), method);
  }
}

class OpenTelemetrySpan implements ServerSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceResponse: string;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: Span,
    private readonly active: Context,
    private readonly method: string,
  ) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceId = traceId;
    this.spanId = spanId;
    this.traceResponse = `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
  }

  run<T>(work: () => T): T {
    return context.with(this.active, work);
  }

  child(wait: Wait, name: string): EndOfWait {
    const span = this.tracer.startSpan(
      name,
      { kind: SpanKind.CLIENT, attributes: { 'db.system.name': SYSTEMS[wait], 'db.query.summary': name } },
      this.active,
    );
    return (error) => {
      // Its code: the message may quote values.
      if (error !== undefined && error !== null) failed(span, codeOf(error) ?? 'error');
      span.end();
    };
  }

  end({ route, status, requestId }: RequestOutcome): void {
    const { span } = this;
    if (route !== undefined) span.updateName(`${this.method} ${route}`).setAttribute('http.route', route);
    if (requestId !== null) span.setAttribute('request.id', requestId);
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) failed(span, String(status));
    span.end();
  }
}

function failed(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}
