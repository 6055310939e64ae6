import { routePolicy } from '../http/route-policy.js';

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** Its controller is left out where no mails are sent. */
    needsMail?: boolean;
  }
}

/** A controller whose routes do not exist with `MAIL=off`. @example @NeedsMail() */
export const NeedsMail = (): ClassDecorator => routePolicy({ needsMail: true });
