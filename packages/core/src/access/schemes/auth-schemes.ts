import { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DocumentBuilder } from '@nestjs/swagger';
import { Strategy } from 'passport';

import { cookieValues } from '../../http/cookies.js';
import { ErrorType } from '../../http/errors/define-errors.js';

/** An authentication scheme: the order, `Vary`, `Cache-Control`, challenges and documentation follow from it. */
export type AuthSchemeOptions = (
  | { readonly header: string; readonly cookie?: undefined }
  | { readonly cookie: string; readonly header?: undefined }
) & {
  /** The name of its Passport strategy. Also `principal.scheme` and, in camel case, the name in the document. */
  readonly name: string;
  /** Headers and cookies are looked at in this order, and the first that is present decides. */
  readonly order: number;
  /** The errors of a credential that is refused. The first, a 401, is the usual one. */
  readonly errors: readonly [ErrorType, ...ErrorType[]];
  /** The challenge in `WWW-Authenticate` of a 401 (RFC 9110 §11.6.1). Schemes outside HTTP's framework have none. */
  readonly challenge?: (error: ErrorType) => string;
  readonly openapi: Parameters<DocumentBuilder['addSecurity']>[1];
};

/** Optional methods of a strategy that is an authentication scheme. */
export interface SchemeStrategy {
  /** Whether the scheme takes a credential of its header. Without this method it takes those that no other takes. */
  accepts?(credential: string): boolean;
  errorTypeFor?(reason: unknown): ErrorType;
}

/**
 * Makes a Passport strategy a scheme of every route. Its `validate()` returns a `Principal`, or `null` for a bad
 * credential. It runs before the body is read.
 * @example
 * @AuthScheme({ name: 'hmac', header: 'Authorization', order: 30, errors: [INVALID_TOKEN], openapi: HMAC })
 * export class HmacStrategy extends PassportStrategy(CredentialStrategy, 'hmac') { … }
 */
export const AuthScheme = DiscoveryService.createDecorator<AuthSchemeOptions>();

export type RegisteredScheme = AuthSchemeOptions & {
  readonly documentName: string;
  readonly strategy: Strategy & SchemeStrategy;
};

/** The authentication schemes of the application, in their order: its providers with `@AuthScheme()`. */
@Injectable()
export class AuthSchemes {
  /** Empty until `discover()`. */
  all: readonly RegisteredScheme[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  /** Finds the schemes, once, when the modules are loaded. @throws Error for a scheme that contradicts itself */
  discover(): void {
    const providers = this.discovery.getProviders({ metadataKey: AuthScheme.KEY });
    const schemes = providers.flatMap((provider) => {
      const options = this.discovery.getMetadataByDecorator(AuthScheme, provider);
      const strategy: unknown = provider.isDependencyTreeStatic() ? provider.instance : undefined;
      return options ? [toRegisteredScheme(options, strategy as Strategy | undefined)] : [];
    });
    this.all = schemes.sort((a, b) => a.order - b.order);
  }

  /** The scheme that a request authenticates by, and the credential; `undefined` where there is none. */
  find(headers: IncomingHttpHeaders): { scheme: RegisteredScheme; credential: string } | undefined {
    for (const { header, cookie } of this.all) {
      // A repeated header is one credential, which no scheme finds good.
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

  /** Whether headers carry a credential of any scheme, good or bad. */
  hasCredentials(headers: IncomingHttpHeaders): boolean {
    return this.all.some(({ header, cookie }) =>
      cookie === undefined
        ? headers[header.toLowerCase()] !== undefined
        : cookieValues(headers.cookie, cookie).length > 0,
    );
  }

  /** The request headers that carry credentials, as they are written, in alphabetical order. */
  get credentialHeaders(): readonly string[] {
    return [...new Set(this.all.map(({ header = 'Cookie' }) => header))].sort();
  }

  /** Whether browsers send the credentials of a scheme by themselves, to whichever page asks. */
  isAmbient(name: string): boolean {
    return this.all.some((scheme) => scheme.name === name && scheme.cookie !== undefined);
  }

  /** The value of `WWW-Authenticate` for an error: the challenges of the schemes, in their order. */
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
    throw new Error(`@AuthScheme "${name}": it takes a PassportStrategy class of the default scope`);
  const documentName = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { ...options, documentName, strategy };
}
