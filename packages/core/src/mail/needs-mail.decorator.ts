import { routePolicy } from '../routes/route-policy.js';

/**
 * Removes a controller if `MAIL=off`: its routes respond with 404, and the documents do not have them. Use it for
 * controllers that are useless without mails.
 * @example @NeedsMail()
 */
export const NeedsMail = (): ClassDecorator => routePolicy({ needsMail: true });
