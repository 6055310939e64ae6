import { IncomingHttpHeaders } from 'node:http';

import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Strategy } from 'passport';

import { cookieValues } from '../../http/cookies.js';
import { ErrorType } from '../../http/errors/catalogue.js';
import { AuthScheme, AuthSchemeOptions, SchemeStrategy } from './auth-scheme.decorator.js';

/** A scheme of this application. */
export interface RegisteredScheme extends Omit<AuthSchemeOptions, 'header' | 'cookie'> {
  /** The header that carries the credential: `Cookie`, where a cookie does. */
  readonly header: string;
  readonly cookie: string | undefined;
  /** The name in the OpenAPI document. */
  readonly documentName: string;
  readonly strategy: Strategy & SchemeStrategy;
}

/** The authentication schemes of the application, in their order: its providers with `@AuthScheme()`. */
@Injectable()
export class AuthSchemes {
  /** Empty until `discover()`. */
  all: readonly RegisteredScheme[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * Finds the schemes. It runs once, when the modules are loaded and before the application starts.
   *
   * @throws Error for a scheme that contradicts itself
   */
  discover(): void {
    const providers = this.discovery.getProviders({ metadataKey: AuthScheme.KEY });
    const schemes = providers.flatMap((provider) => {
      const options = this.discovery.getMetadataByDecorator(AuthScheme, provider);
      const strategy: unknown = provider.isDependencyTreeStatic() ? provider.instance : undefined;
      return options ? [registered(options, strategy as Strategy | undefined)] : [];
    });
    this.all = schemes.sort((a, b) => a.order - b.order);
  }

  /** The scheme that a request authenticates by, and the credential; `undefined` where there is none. */
  find(headers: IncomingHttpHeaders): { scheme: RegisteredScheme; credential: string } | undefined {
    for (const { header, cookie } of this.all) {
      const credential = credentialOf(header, cookie, headers);
      if (credential === undefined) continue;
      const schemes = this.all.filter((each) => each.header === header && each.cookie === cookie);
      const scheme =
        schemes.find(({ strategy }) => strategy.accepts?.(credential)) ??
        schemes.find(({ strategy }) => !strategy.accepts);
      if (scheme) return { scheme, credential };
    }
    return undefined;
  }

  /** The request headers that carry credentials, as they are written, in alphabetical order. */
  get credentialHeaders(): readonly string[] {
    return [...new Set(this.all.map(({ header }) => header))].sort();
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

/** The registry of authentication schemes, whichever modules they are of. */
@Module({ imports: [DiscoveryModule], providers: [AuthSchemes], exports: [AuthSchemes] })
export class SchemesModule {}

function credentialOf(
  header: string,
  cookie: string | undefined,
  headers: IncomingHttpHeaders,
): string | undefined {
  if (cookie !== undefined) return cookieValues(headers.cookie, cookie)[0];
  const value = headers[header.toLowerCase()];
  // A repeated header is one credential, which no scheme finds good.
  return typeof value === 'object' ? value.join(', ') : value;
}

function registered(
  options: AuthSchemeOptions,
  strategy: (Strategy & SchemeStrategy) | undefined,
): RegisteredScheme {
  const { name, header, cookie } = options;
  if (typeof strategy?.authenticate !== 'function')
    throw new Error(`@AuthScheme "${name}": it takes a PassportStrategy class of the default scope`);
  if ((header === undefined) === (cookie === undefined))
    throw new Error(`@AuthScheme "${name}": it takes either a header or a cookie`);
  const documentName = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { ...options, header: header ?? 'Cookie', cookie, documentName, strategy };
}
