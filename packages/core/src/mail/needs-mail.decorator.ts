import { routePolicy } from '../routes/route-policy.js';

/**
 * Removes a controller if `MAIL=off`. Its routes then respond with 404, and the OpenAPI document does not contain them.
 * Use it for a controller that is useless without mails, such as the controller of password resets.
 *
 * Do not use it for a controller that is also useful without mails: `Mails.send()` does nothing if `MAIL=off`.
 * @example @NeedsMail()
 */
export const NeedsMail = (): ClassDecorator => routePolicy({ needsMail: true });
