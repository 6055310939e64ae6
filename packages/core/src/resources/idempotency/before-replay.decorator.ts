import { Principal } from '../../access/principal.js';
import { Connection } from '../../database/connection.js';
import { routePolicy } from '../../http/route-policy.js';

/** Asserts what must still be true of a caller who repeats a request; `null` is nobody, on a public route. */
// As of a method: what takes the class of its body, or somebody as the caller, is one.
export type AssertCaller = {
  assert(caller: Principal | null, tx: Connection, body: object): Promise<void>;
}['assert'];

declare module '../../http/route-policy.js' {
  interface RoutePolicy {
    assertBeforeReplay?: AssertCaller;
  }
}

/**
 * Asserts a permission that the service asks the database for before a stored response is given again. Role, key and
 * grants are checked anyway.
 */
export const BeforeReplay = (assert: AssertCaller): MethodDecorator =>
  routePolicy({ assertBeforeReplay: assert });
