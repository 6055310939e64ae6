import { Principal } from '../../access/principal.js';
import { Connection } from '../../database/connection.js';
import { routePolicy } from '../../http/route-policy.js';

/**
 * Asserts what must still be true of a caller who repeats a request with its `Idempotency-Key`.
 *
 * @param caller `null`: nobody, on a route that is open to everybody
 * @param body as it was sent
 * @throws ApiError where the caller may not make the request any more
 */
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
 * Asserts a permission that the service asks the database for, before the stored response of a POST is given again:
 * the service does not run then. Role, permissions of the key and grants are checked before each request as it is.
 *
 * @example @Post() @BeforeReplay(assertManagesUsers) create(…) { … }
 */
export const BeforeReplay = (assert: AssertCaller): MethodDecorator =>
  routePolicy({ assertBeforeReplay: assert });
