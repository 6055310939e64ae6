/** The public names of the base that authentication and users alone need. */

export {
  AUTHENTICATION_REQUIRED,
  INVALID_API_KEY,
  INVALID_CREDENTIALS,
  INVALID_SESSION,
} from './access/access.errors.js';
export { ownRows } from './access/caller.js';
export { denialsOnParent } from './access/grant-sources.js';
export { REALM, basicChallenge, singleCookie } from './access/schemes/credential.strategy.js';
export { AccountEntity } from './accounts/account.entity.js';
export * from './accounts/account.errors.js';
export { readAttributes } from './accounts/attributes.js';
export { AccountLimits } from './accounts/account-limits.js';
export { AccountsRepository } from './accounts/accounts.repository.js';
export { AccountsService, type Registrant } from './accounts/accounts.service.js';
export { Passwords } from './accounts/passwords.js';
export { AccountMails } from './accounts/account-mails.js';
export { Recovery } from './accounts/recovery.js';
export { ApiKey } from './api-keys/api-key.entity.js';
export * from './api-keys/api-key.errors.js';
export { API_KEYS, apiKeyList } from './api-keys/api-key.resource.js';
export { ApiKeysService, type CreatedApiKey, assertMayCreateKey } from './api-keys/api-keys.service.js';
export { isCommonPassword } from './config/common-passwords.js';
export { MAX_ID, Nested } from './fields/fields.js';
export { AccessGrant } from './grants/grant.entity.js';
export { NO_STORE } from './http/caching/cache-policy.js';
export { Cookie, SetsCookies } from './http/cookies.js';
export { toResponseAt } from './lists/row-response.js';
export {
  ApiNoContent,
  ApiObjectResponse,
  WithEntityTag,
} from './resources/openapi/api-responses.decorator.js';
export { digestPassword } from './accounts/current-role.js';
export { AccessTokens, readLoginId } from './sessions/access-tokens.js';
export { JwksController } from './sessions/jwks.controller.js';
export { Login } from './sessions/login.entity.js';
export { SESSIONS, sessionList } from './sessions/session.resource.js';
export { type ListedLogin, LoginsService } from './sessions/logins.service.js';
export { PasswordVerifier } from './sessions/password-verifier.js';
export { CLEARED_COOKIES, REFRESH_COOKIE, SESSION_COOKIE } from './sessions/session-cookies.js';
export * from './sessions/session.errors.js';
