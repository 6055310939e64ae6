/** The public names of the base that authentication alone needs. */

export {
  AUTHENTICATION_REQUIRED,
  INVALID_API_KEY,
  INVALID_CREDENTIALS,
  INVALID_SESSION,
} from './access/access.errors.js';
export { lockCaller } from './access/caller.js';
export { ofSelf } from './access/caller.js';
export { hiddenWith } from './access/grant-links.js';
export { PERMISSION_LIST, PermissionList } from './access/permissions.js';
export { SchemesModule } from './access/schemes/auth-schemes.js';
export { Authentication } from './access/schemes/authentication.js';
export { REALM, basicChallenge, singleCookie } from './access/schemes/credential.strategy.js';
export { PRODUCT } from './config/product.js';
export { type Fault } from './fields/faults.js';
export { MAX_ID, Nested } from './fields/fields.js';
export { NO_STORE } from './http/caching/cache-policy.js';
export { Cookie, SetsCookies, clearCookie, setCookie, setCookies } from './http/cookies.js';
export { RATE_LIMIT_EXCEEDED } from './http/errors/http.errors.js';
export { addressKey } from './http/rate-limit/rate-limit.js';
export { CounterStorage, RateLimitModule } from './http/rate-limit/counter-storage.js';
export { type Count, type Counter } from './http/rate-limit/window-counter.js';
export { RedisConnection } from './redis/redis-connection.js';
export { AnswersNothing, AnswersObject } from './resources/openapi/answers.decorator.js';
