import { AddressInfo } from 'node:net';

/**
 * Messages from the primary to a worker. Messages to a worker arrive in the order in which they were sent, connections
 * included.
 */
export type ToWorker =
  /** The answer to `primary:hello`. */
  | { readonly kind: 'worker:start'; readonly databaseUrl: string; readonly isFirst: boolean }
  /** The port is open, at this address. */
  | { readonly kind: 'worker:serve'; readonly address: AddressInfo }
  /** A connection to serve; its socket comes with the message. */
  | { readonly kind: 'worker:connection' }
  /** The answer to a batch of counts: hits and milliseconds left, by turns. */
  | { readonly kind: 'worker:counted'; readonly batch: number; readonly counts: readonly number[] }
  /** The service is about to stop: readiness says so. */
  | { readonly kind: 'worker:stopping' }
  /** No further connection comes: what is open is served to its end, and the worker exits. */
  | { readonly kind: 'worker:stop' };

/** How often a worker says that it is alive. */
export const ALIVE_EVERY_MS = 1_000;

/** Messages from a worker to the primary. */
export type ToPrimary =
  /** It hears messages; what was sent to it before is lost. */
  | { readonly kind: 'primary:hello' }
  /** It could serve: the database is migrated, and there is an administrator. */
  | { readonly kind: 'primary:prepared' }
  /** It takes connections. */
  | { readonly kind: 'primary:ready' }
  /** Its event loop turns. Sent every `ALIVE_EVERY_MS`. */
  | { readonly kind: 'primary:alive' }
  /** It wants to exit, and waits for `worker:stop`. */
  | { readonly kind: 'primary:leaving'; readonly isFault: boolean }
  /** Hits and look-ups to count, and to answer with `worker:counted`. */
  | { readonly kind: 'primary:count'; readonly batch: number; readonly requests: readonly CountRequest[] };

/** A hit of a key, or a look-up of its count (`isHit` 0), in the counter of a name with windows of a length. */
export type CountRequest = readonly [counter: string, windowMs: number, key: string, isHit: 0 | 1];

/** Whether a message is one of the above: other packages may send messages of their own. */
export function isMessage<Message extends { readonly kind: string }>(
  message: unknown,
  prefix: 'worker' | 'primary',
): message is Message {
  const kind = (message as { kind?: unknown } | null)?.kind;
  return typeof kind === 'string' && kind.startsWith(`${prefix}:`);
}
