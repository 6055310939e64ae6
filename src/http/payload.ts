import { StreamableFile } from '@nestjs/common';

/** Whether the result of a route is sent as it is: nothing, text, bytes, a stream. Anything else becomes JSON. */
export function isSentAsItIs(body: unknown): boolean {
  if (body === null || body === undefined || typeof body === 'string') return true;
  if (typeof body !== 'object') return false;
  return body instanceof StreamableFile || body instanceof Uint8Array || isStream(body);
}

function isStream(body: object): boolean {
  const { pipe, getReader } = body as { pipe?: unknown; getReader?: unknown };
  return typeof pipe === 'function' || typeof getReader === 'function';
}
