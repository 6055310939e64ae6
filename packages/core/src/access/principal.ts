import { Permission, Role } from '../config/define-access.js';

/** Who sends a request, as an authentication scheme found out: what `validate()` of a strategy returns. */
export interface Principal {
  /** `anonymous`: a caller without credentials, under `ANONYMOUS_ROLE`. */
  readonly kind: 'user' | 'api-key' | 'anonymous';
  /** The user, or the owner of the key; `null`: anonymous. */
  readonly userId: number | null;
  /** Of an API key. */
  readonly keyId: number | null;
  /** The login that the credentials came from; `null`: they came from none, as keys and passwords. */
  readonly loginId: number | null;
  readonly role: Role;
  /** The permissions of the role, and of an API key only those that it holds, too. */
  readonly permissions: ReadonlySet<Permission>;
  /**
   * For a scheme that proves a password with each request: `digestPassword()` of the user at that time. A password or
   * an e-mail that has changed since then neither creates nor changes credentials.
   */
  readonly passwordDigest?: string;
  /** The name of the authentication scheme; `anonymous` without credentials. */
  readonly scheme: string;
  /** Epoch milliseconds until which the same credential is not verified again; left out: it is each time. */
  readonly expiresAt?: number;
}
