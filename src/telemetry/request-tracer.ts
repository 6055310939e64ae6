import { IncomingHttpHeaders } from 'node:http';

import { RequestSpan } from './waits.js';

/** The outcome of a request. */
export interface RequestOutcome {
  readonly route: string | undefined;
  readonly status: number;
  readonly requestId: string | null;
}

/** The span of a request that is being served. */
export interface ServerSpan extends RequestSpan {
  /** The span as a header of the response (W3C Trace Context, level 2: `traceresponse`). */
  readonly traceResponse: string;
  /** Runs `work` as a part of the span: for code that asks OpenTelemetry's API for the active one. */
  run<T>(work: () => T): T;
  end(outcome: RequestOutcome): void;
}

/** Begins a span for each request, below that of the caller where its headers name one. */
export interface RequestTracer {
  begin(method: string, headers: IncomingHttpHeaders): ServerSpan;
}
