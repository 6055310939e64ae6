import { Attributes, Permission, Role } from '../config/define-access.js';

/**
 * Identifies the sender of a request, and contains their permissions. The `validate()` method of an authentication
 * strategy returns a `Principal`.
 * @example
 * return {
 *   kind: 'user', userId: 42, keyId: null, loginId: null, role: 'editor',
 *   permissions: permissionsOf('editor'), scheme: 'hmac',
 * };
 */
export interface Principal {
  /** `anonymous` means a caller without credentials. It occurs only if `ANONYMOUS_ROLE` is set. */
  readonly kind: 'user' | 'api-key' | 'anonymous';
  /** The id of the user, or of the owner of the API key. `null` if the caller is anonymous. */
  readonly userId: number | null;
  /** The id of the API key. `null` for other schemes. */
  readonly keyId: number | null;
  /**
   * The id of the login that issued the credentials. `null` for credentials without a login, such as API keys and
   * passwords.
   */
  readonly loginId: number | null;
  readonly role: Role;
  /** The permissions of the role. For an API key, only those that the key also has. */
  readonly permissions: ReadonlySet<Permission>;
  /**
   * The attributes of the user that `defineAccess()` names. A strategy that knows them from the credential, such as a
   * token, returns them. If it omits them, they are looked up. If the caller is anonymous, all of them are `null`.
   */
  readonly attributes?: Attributes;
  /**
   * The result of `digestPassword()` at the time when the password was verified. Only schemes that send the password
   * with each request set it, such as Basic. If the user's password or e-mail changes after the verification, the
   * request can neither create nor change credentials.
   */
  readonly passwordDigest?: string;
  /** The name of the authentication scheme, or `anonymous` without credentials. */
  readonly scheme: string;
  /** Time (epoch ms) until which a verified credential may be cached. Omit it to verify the credential on every request. */
  readonly expiresAt?: number;
}
