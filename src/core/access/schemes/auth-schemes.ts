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
  /** In the order of their headers and cookies; of one header, last the scheme that takes what the others leave. */
  private lookup: readonly RegisteredScheme[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * Finds the schemes. It runs once, when the modules are loaded and before the application starts.
   *
   * @throws Error for a scheme that contradicts itself or another
   */
  discover(): void {
    const schemes = this.discovery.getProviders({ metadataKey: AuthScheme.KEY }).map((provider) => {
      const options = this.discovery.getMetadataByDecorator(AuthScheme, provider);
      if (!options) throw new Error(`@AuthScheme() of ${String(provider.name)}: it takes options`);
      return registered(
        options,
        provider.isDependencyTreeStatic() ? (provider.instance as object) : undefined,
      );
    });
    this.all = schemes.sort((a, b) => a.order - b.order);
    const place = (scheme: RegisteredScheme): number =>
      this.all.findIndex((other) => sourceOf(other) === sourceOf(scheme));
    const isLast = ({ strategy }: RegisteredScheme): number => Number(!strategy.accepts);
    this.lookup = this.all.toSorted((a, b) => place(a) - place(b) || isLast(a) - isLast(b));
  }

  /** The scheme that a request authenticates by, and the credential; `undefined` where there is none. */
  find(headers: IncomingHttpHeaders): { scheme: RegisteredScheme; credential: string } | undefined {
    for (const scheme of this.lookup) {
      const credential = credentialOf(scheme, headers);
      if (credential !== undefined && (scheme.strategy.accepts?.(credential) ?? true))
        return { scheme, credential };
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

const sourceOf = ({ header, cookie }: Pick<RegisteredScheme, 'header' | 'cookie'>): string =>
  cookie === undefined ? `the header ${header}` : `the cookie ${cookie}`;

function credentialOf(
  { header, cookie }: RegisteredScheme,
  headers: IncomingHttpHeaders,
): string | undefined {
  if (cookie !== undefined) return cookieValues(headers.cookie, cookie)[0];
  const value = headers[header.toLowerCase()];
  // A repeated header is one credential, which no scheme finds good.
  return typeof value === 'object' ? value.join(', ') : value;
}

function registered(options: AuthSchemeOptions, instance: object | undefined): RegisteredScheme {
  const { name, header, cookie, errors } = options;
  const where = `@AuthScheme "${name}"`;
  const strategy = instance as (Strategy & SchemeStrategy) | undefined;
  if (typeof strategy?.authenticate !== 'function')
    throw new Error(`${where}: it takes a PassportStrategy class of the default scope`);
  if ((header === undefined) === (cookie === undefined))
    throw new Error(`${where}: it takes either a header or a cookie`);
  if (errors[0].status !== 401) throw new Error(`${where}: its first error takes the status 401`);
  const documentName = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { ...options, header: header ?? 'Cookie', cookie, documentName, strategy };
}
