import { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DocumentBuilder } from '@nestjs/swagger';
import { Strategy } from 'passport';

import { cookieValues } from '../../http/cookies.js';
import { ErrorType } from '../../http/errors/define-errors.js';

/**
 * The declaration of an authentication scheme. The declarations determine the order in which schemes are tried, the
 * headers `Vary` and `Cache-Control`, the challenges in 401 responses, and the security schemes of the OpenAPI
 * document.
 */
export type AuthSchemeOptions = (
  | { readonly header: string; readonly cookie?: undefined }
  | { readonly cookie: string; readonly header?: undefined }
) & {
  /** The name of the Passport strategy and the value of `principal.scheme`. In OpenAPI, the name is in camel case. */
  readonly name: string;
  /**
   * Schemes are tried by ascending `order`. The first scheme whose header or cookie is present authenticates the
   * request, and no other scheme is tried.
   */
  readonly order: number;
  /** The errors for a rejected credential. The first error is the default, and must have the status 401. */
  readonly errors: readonly [ErrorType, ...ErrorType[]];
  /**
   * The challenge for `WWW-Authenticate` in a 401 (RFC 9110 §11.6.1). Omit it for a scheme that is not an HTTP
   * authentication scheme, such as a session cookie.
   */
  readonly challenge?: (error: ErrorType) => string;
  readonly openapi: Parameters<DocumentBuilder['addSecurity']>[1];
};

/**
 * Methods that a strategy with `@AuthScheme()` may have.
 * @example export class HmacStrategy extends PassportStrategy(CredentialStrategy, 'hmac') implements SchemeStrategy { … }
 */
export interface SchemeStrategy {
  /**
   * Whether a credential belongs to this scheme. Implement it if several schemes share a header. A scheme without this
   * method gets the credentials that no other scheme of the header accepts.
   */
  accepts?(credential: string): boolean;
  /**
   * Returns the error for the reason that the strategy passed to `fail()`. Without this method, the error is the first
   * of `errors`.
   */
  errorTypeFor?(reason: unknown): ErrorType;
}

/**
 * Adds an authentication scheme to every route that authenticates callers. The decorated class is a Passport strategy
 * and a provider of a module. The strategy runs before the body is read. Its `validate()` returns a `Principal`, or
 * `null` for an invalid credential.
 *
 * Do not use `AuthGuard()` for this: guards run after the body is read, and the OpenAPI document does not show them.
 * @throws Error at start, if the class is not a Passport strategy, or is request-scoped
 * @example
 * @AuthScheme({ name: 'hmac', header: 'Authorization', order: 30, errors: [INVALID_TOKEN], openapi: HMAC })
 * export class HmacStrategy extends PassportStrategy(CredentialStrategy, 'hmac') { … }
 */
export const AuthScheme = DiscoveryService.createDecorator<AuthSchemeOptions>();

export type RegisteredScheme = AuthSchemeOptions & {
  readonly documentName: string;
  readonly strategy: Strategy & SchemeStrategy;
};

/** Finds the authentication schemes of the application, which are its providers with `@AuthScheme()`. */
@Injectable()
export class AuthSchemes {
  /** The schemes by ascending `order`. Empty until `discover()` is called. */
  all: readonly RegisteredScheme[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * Fills `all`. The application calls it once, after the modules are loaded.
   * @throws Error if a class with `@AuthScheme()` is not a Passport strategy, or is request-scoped
   */
  discover(): void {
    const providers = this.discovery.getProviders({ metadataKey: AuthScheme.KEY });
    const schemes = providers.flatMap((provider) => {
      const options = this.discovery.getMetadataByDecorator(AuthScheme, provider);
      const strategy: unknown = provider.isDependencyTreeStatic() ? provider.instance : undefined;
      return options ? [toRegisteredScheme(options, strategy as Strategy | undefined)] : [];
    });
    this.all = schemes.sort((a, b) => a.order - b.order);
  }

  /** Returns the scheme and the credential of a request, or `undefined` if the request has no credential. */
  find(headers: IncomingHttpHeaders): { scheme: RegisteredScheme; credential: string } | undefined {
    for (const { header, cookie } of this.all) {
      // The values of a repeated header are joined into one credential, which is not valid in any scheme.
      const ofHeader = header && headers[header.toLowerCase()]?.toString();
      const credential = cookie === undefined ? ofHeader : cookieValues(headers.cookie, cookie)[0];
      if (credential === undefined) continue;
      const schemes = this.all.filter((each) => each.header === header && each.cookie === cookie);
      const scheme =
        schemes.find(({ strategy }) => strategy.accepts?.(credential)) ??
        schemes.find(({ strategy }) => !strategy.accepts);
      if (scheme) return { scheme, credential };
    }
    return undefined;
  }

  /** Whether a request carries a credential of any scheme, valid or not. */
  hasCredentials(headers: IncomingHttpHeaders): boolean {
    return this.all.some(({ header, cookie }) =>
      cookie === undefined
        ? headers[header.toLowerCase()] !== undefined
        : cookieValues(headers.cookie, cookie).length > 0,
    );
  }

  /** The names of the request headers that carry credentials, in alphabetical order. */
  get credentialHeaders(): readonly string[] {
    return [...new Set(this.all.map(({ header = 'Cookie' }) => header))].sort();
  }

  /** Whether browsers send the credentials of a scheme by themselves, even if a page of another site sends the request. */
  isAmbient(name: string): boolean {
    return this.all.some((scheme) => scheme.name === name && scheme.cookie !== undefined);
  }

  /** Returns the value of `WWW-Authenticate` for an error: the challenges of all schemes. */
  challenges(error: ErrorType): string {
    return [...new Set(this.all.flatMap(({ challenge }) => challenge?.(error) ?? []))].join(', ');
  }
}

function toRegisteredScheme(
  options: AuthSchemeOptions,
  strategy?: Strategy & SchemeStrategy,
): RegisteredScheme {
  const { name } = options;
  if (typeof strategy?.authenticate !== 'function')
    throw new Error(`@AuthScheme "${name}" must decorate a PassportStrategy class of the default scope`);
  const documentName = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { ...options, documentName, strategy };
}
