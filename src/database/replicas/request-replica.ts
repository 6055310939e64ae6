import { AsyncLocalStorage } from 'node:async_hooks';

import { Replica } from './replica.js';

/** The replica that a request reads from; `null`: the primary, whatever the request may do. */
const replicaOfRequest = new AsyncLocalStorage<Replica | null>();

/** The replica that the current request reads from; `undefined`: the primary. */
export const currentReplica = (): Replica | undefined => replicaOfRequest.getStore() ?? undefined;

/** Runs the rest of a request, which reads from a replica. */
export function onReplica(replica: Replica, rest: () => void): void {
  replicaOfRequest.run(replica, rest);
}

/** Runs what must not be read from a replica: what decides on access, or is kept. */
export function onPrimary<T>(work: () => T): T {
  // Storing something slows down every promise of the process: not where there are no replicas.
  return currentReplica() ? replicaOfRequest.run(null, work) : work();
}
