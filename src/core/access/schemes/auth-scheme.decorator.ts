import { DiscoveryService } from '@nestjs/core';
import { OpenAPIObject } from '@nestjs/swagger';

import { ErrorType } from '../../http/errors/catalogue.js';

type SecuritySchemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;
/** Security Scheme Object (OpenAPI 3.0). */
export type SecurityScheme = Exclude<SecuritySchemes[string], { $ref: string }>;

/** The header or the cookie that carries the credential of a scheme. */
export type CredentialSource =
  | { readonly header: string; readonly cookie?: undefined }
  | { readonly cookie: string; readonly header?: undefined };

/** An authentication scheme: the order, `Vary`, `Cache-Control`, challenges and documentation follow from it. */
export type AuthSchemeOptions = CredentialSource & {
  /** The name of its Passport strategy. Also `principal.scheme` and, in camel case, the name in the document. */
  readonly name: string;
  /** Headers and cookies are looked at in this order, and the first that is present decides. */
  readonly order: number;
  /** The errors of a credential that is refused. The first, a 401, is the usual one. */
  readonly errors: readonly [ErrorType, ...ErrorType[]];
  /** The challenge in `WWW-Authenticate` of a 401 (RFC 9110 §11.6.1). Schemes outside HTTP's framework have none. */
  readonly challenge?: (error: ErrorType) => string;
  /** The scheme in the OpenAPI document. */
  readonly openapi: SecurityScheme;
};

/** Optional methods of a strategy that is an authentication scheme. */
export interface SchemeStrategy {
  /** Whether the scheme takes a credential of its header. Without this method it takes those that no other takes. */
  accepts?(credential: string): boolean;
  /** The error for a refused credential, by the reason that the Passport strategy gives. */
  refusalFor?(reason: unknown): ErrorType;
}

/**
 * Makes a Passport strategy an authentication scheme of every route. Its `validate()` returns a `Principal`, or `null`
 * for a bad credential. It runs before the body is read, so it may use the headers of the request only.
 *
 * @example
 * @Injectable()
 * @AuthScheme({ name: 'api-key', header: 'X-API-Key', order: 30, errors: [INVALID_API_KEY], openapi: … })
 * export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
 *   constructor(private readonly keys: ApiKeyVerifier) {
 *     super({ header: 'X-API-Key', prefix: '' }, false);
 *   }
 *
 *   validate(key: string): Promise<Principal | null> {
 *     return this.keys.verify(key);
 *   }
 * }
 */
export const AuthScheme = DiscoveryService.createDecorator<AuthSchemeOptions>();
