import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Strategy } from 'passport';

import { ErrorType } from '../../http/errors/catalogue.js';
import '../../http/route-policy.js';
import { AuthScheme, AuthSchemeOptions, SchemeStrategy } from './auth-scheme.decorator.js';
import { strategyNamed } from './strategy-named.js';

declare module '../../http/route-policy.js' {
  interface RoutePolicy {
    /** The names of the schemes that the route takes; left out: all. */
    schemes?: readonly string[];
  }
}

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
  private registered: readonly RegisteredScheme[] = [];

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
      const instance = provider.isDependencyTreeStatic()
        ? (provider.instance as object | undefined)
        : undefined;
      return registered(options, instance);
    });
    this.registered = schemes.sort((a, b) => a.order - b.order);
    assertDistinct(this.registered);
    for (const scheme of this.registered) assertKnownToPassport(scheme);
  }

  /** The schemes of a route, by the names in its policy; all schemes without names. */
  of(names?: readonly string[]): readonly RegisteredScheme[] {
    return names ? this.registered.filter(({ name }) => names.includes(name)) : this.registered;
  }

  /** The request headers that carry credentials, as they are written, in alphabetical order. */
  get credentialHeaders(): readonly string[] {
    return [...new Set(this.registered.map(({ header }) => header))].sort();
  }

  /** Whether browsers send the credentials of a scheme by themselves, to whichever page asks. */
  isAmbient(name: string): boolean {
    return this.registered.some((scheme) => scheme.name === name && scheme.cookie !== undefined);
  }

  /** The value of `WWW-Authenticate` for an error of a route: the challenges of its schemes, in their order. */
  challenges(error: ErrorType, names?: readonly string[]): string {
    return [...new Set(this.of(names).flatMap(({ challenge }) => challenge?.(error) ?? []))].join(', ');
  }
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

function assertDistinct(schemes: readonly RegisteredScheme[]): void {
  const names = new Map<string, string>();
  for (const { name, header, cookie, strategy } of schemes) {
    const others = names.get(name);
    if (others !== undefined) throw new Error(`@AuthScheme "${name}": ${others} has that name too`);
    names.set(name, strategy.constructor.name);
    if (strategy.accepts) continue;
    const source = cookie === undefined ? `the header ${header}` : `the cookie ${cookie}`;
    const taken = names.get(source.toLowerCase());
    if (taken !== undefined) {
      const both = `${taken} and ${strategy.constructor.name} both take whatever is in ${source}`;
      throw new Error(`@AuthScheme "${name}": ${both}; one of them takes a method accepts()`);
    }
    names.set(source.toLowerCase(), strategy.constructor.name);
  }
}

/** `AuthGuard` asks for a strategy by the name that Passport has for it. */
function assertKnownToPassport({ name, strategy }: RegisteredScheme): void {
  if (strategyNamed(name)?.constructor !== strategy.constructor)
    throw new Error(
      `@AuthScheme "${name}": ${strategy.constructor.name} is not PassportStrategy(…, '${name}')`,
    );
}
