import { Principal } from '../../access/principal.js';
import { Connection } from '../../database/connection.js';
import { routePolicy } from '../../http/route-policy.js';

/** Asserts what must still be true of a caller who repeats a request; `null` is nobody, on a public route. */
// Method syntax, so that parameters are bivariant: a function may take its DTO, or a caller who is not null.
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
 * @example @BeforeReplay(assertMayCreateKey)
 */
export const BeforeReplay = (assert: AssertCaller): MethodDecorator =>
  routePolicy({ assertBeforeReplay: assert });
