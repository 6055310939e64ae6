import { routePolicy } from '../http/route-policy.js';

/** A controller whose routes do not exist with `MAIL=off`. @example @NeedsMail() */
export const NeedsMail = (): ClassDecorator => routePolicy({ needsMail: true });
