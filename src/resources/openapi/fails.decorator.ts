import { ErrorType } from '../../http/errors/catalogue.js';
import { routePolicy } from '../../http/route-policy.js';

declare module '../../http/route-policy.js' {
  interface RoutePolicy {
    /** The feature's own errors of the route; those of any route follow from what else it declares. */
    fails?: readonly ErrorType[];
  }
}

/** The errors of the feature's own that a route can answer. The document lists them beside the common ones. */
export function Fails(...errors: ErrorType[]): MethodDecorator {
  return routePolicy({ fails: errors });
}
