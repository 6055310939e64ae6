import { ErrorType } from '../../http/errors/catalogue.js';
import { routePolicy } from '../../http/route-policy.js';

declare module '../../http/route-policy.js' {
  interface RoutePolicy {
    /** The errors that a route documents, beside those that follow from what else it declares. */
    errors?: readonly ErrorType[];
  }
}

/** Documents errors that a route can answer, beside those that follow from its other decorators and its resource. */
export function ApiErrorResponse(...errors: ErrorType[]): MethodDecorator {
  return routePolicy({ errors });
}
