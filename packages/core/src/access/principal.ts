import { Permission, Role } from '../config/define-access.js';

/** The caller of a request: the value that `validate()` of an authentication strategy returns. */
export interface Principal {
  /** `anonymous` is a caller without credentials, if `ANONYMOUS_ROLE` is set. */
  readonly kind: 'user' | 'api-key' | 'anonymous';
  /** The user, or the owner of the API key; `null` if the caller is anonymous. */
  readonly userId: number | null;
  /** The id of the API key; `null` for other schemes. */
  readonly keyId: number | null;
  /** The login that issued the credentials; `null` for credentials without a login, such as keys and passwords. */
  readonly loginId: number | null;
  readonly role: Role;
  /** The permissions of the role. An API key has only those that it holds itself as well. */
  readonly permissions: ReadonlySet<Permission>;
  /**
   * For a scheme that proves a password with each request: `digestPassword()` of the user at that time. A password or
   * an e-mail that has changed since then neither creates nor changes credentials.
   */
  readonly passwordDigest?: string;
  /** The name of the authentication scheme; `anonymous` without credentials. */
  readonly scheme: string;
  /** Time (epoch ms) until which a verified credential may be cached. Omit it to verify the credential on every request. */
  readonly expiresAt?: number;
}
