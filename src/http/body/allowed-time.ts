import { IncomingMessage } from 'node:http';

const deadlines = new WeakMap<IncomingMessage, number>();

/** Allows a request to arrive more slowly than others. @param ms from now */
export function allowTime(request: IncomingMessage, ms: number): void {
  deadlines.set(request, performance.now() + ms);
}

/** Milliseconds that a request may go on arriving beyond the time of all requests; 0: none. */
export function timeLeft(request: IncomingMessage): number {
  return Math.max(0, (deadlines.get(request) ?? 0) - performance.now());
}
