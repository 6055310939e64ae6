import { Permission, Role } from '../config/define-access.js';

/**
 * Identifies the sender of a request, with the permissions of their role. `validate()` of an authentication strategy returns it.
 * @example
 * return {
 *   kind: 'user', userId: 42, keyId: null, loginId: null, role: 'editor',
 *   permissions: permissionsOf('editor'), scheme: 'hmac',
 * };
 */
export interface Principal {
  /** `anonymous` is a caller without credentials, if `ANONYMOUS_ROLE` is set. */
  readonly kind: 'user' | 'api-key' | 'anonymous';
  /** The id of the user, or of the owner of the API key. `null` if the caller is anonymous. */
  readonly userId: number | null;
  /** The id of the API key. `null` for other schemes. */
  readonly keyId: number | null;
  /** The id of the login that issued the credentials. `null` for credentials without a login, such as keys and passwords. */
  readonly loginId: number | null;
  readonly role: Role;
  /** The permissions of the role. For an API key, only those that the key also has. */
  readonly permissions: ReadonlySet<Permission>;
  /**
   * The value of `digestPassword()` when the password was verified, for a scheme that sends the password with each request.
   * If the password or the e-mail of the user has changed since then, the request can neither create nor change
   * credentials.
   */
  readonly passwordDigest?: string;
  /** The name of the authentication scheme, or `anonymous` without credentials. */
  readonly scheme: string;
  /** Time (epoch ms) until which a verified credential may be cached. Omit it to verify the credential on every request. */
  readonly expiresAt?: number;
}
