import { ExecutionContext, Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { IAuthGuard } from '@nestjs/passport';
import { FastifyRequest } from 'fastify';
import passport from 'passport';

import '../access/require-permission.decorator.js';
import { AuthSchemes, RegisteredScheme } from '../access/schemes/auth-schemes.js';
import { strategyNamed } from '../access/schemes/strategy-named.js';
import { addRoutePolicy, policyOf } from '../http/route-policy.js';

/**
 * Reads `@UseGuards(AuthGuard('…'))` of controllers and methods into the policies of their routes: the hook that
 * authenticates takes these schemes only. Guards for Passport strategies that are no schemes stay as they are: they run
 * after the body has been read.
 *
 * @throws Error for a strategy that the application does not have, and for a guard on a public route
 */
export async function restrictToGuards(controllers: Iterable<Type>, schemes: AuthSchemes): Promise<void> {
  const scanner = new MetadataScanner();
  const routes: { controller: Type; method: string; names: readonly string[] | undefined }[] = [];
  for (const controller of controllers) {
    for (const method of scanner.getAllMethodNames(controller.prototype as object)) {
      const names = await schemesOf(controller, method, schemes);
      if (names || policyOf(handlerOf(controller, method)).schemes)
        routes.push({ controller, method, names });
    }
  }
  // Only when all are known: inherited routes copy the policies that they inherit.
  for (const { controller, method, names } of routes) addRoutePolicy(controller, method, { schemes: names });
}

/** The names of the schemes that the guards of a route leave; `undefined`: all. */
async function schemesOf(
  controller: Type,
  method: string,
  schemes: AuthSchemes,
): Promise<readonly string[] | undefined> {
  const handler = handlerOf(controller, method);
  const where = `${controller.name}.${method}`;
  let left: readonly string[] | undefined;
  for (const guard of [...guardsOf(controller), ...guardsOf(handler)]) {
    const names = await strategiesOf(guard);
    if (!names) continue;
    const known = schemes.of(names).map(({ name }) => name);
    const others = names.filter((name) => !known.includes(name));
    for (const name of others) assertKnown(name, schemes, where);
    if (others.length === 0) left = left?.filter((name) => known.includes(name)) ?? known;
  }
  if (left && policyOf(handler).access?.isPublic)
    throw new Error(`${where}: a public route takes no AuthGuard of ${left.join(', ')}`);
  if (left?.length === 0) throw new Error(`${where}: its AuthGuards leave no scheme`);
  return left;
}

const handlerOf = ({ prototype }: Type, method: string): object =>
  (prototype as Record<string, object>)[method] as object;

const guardsOf = (target: object): unknown[] =>
  (Reflect.getMetadata(GUARDS_METADATA, target) as unknown[] | undefined) ?? [];

function assertKnown(name: string, schemes: AuthSchemes, where: string): void {
  if (strategyNamed(name)) return;
  const names = schemes.of().map((scheme) => scheme.name);
  throw new Error(
    `${where}: AuthGuard takes a scheme (${names.join(', ')}) or a Passport strategy, not "${name}"`,
  );
}

/** The names of the strategies that a guard asks; `undefined`: it is no `AuthGuard` of @nestjs/passport. */
async function strategiesOf(guard: unknown): Promise<string[] | undefined> {
  const AuthGuardClass = authGuardIn(guard);
  if (!AuthGuardClass) return undefined;
  // The class keeps the names to itself: it is asked whom it would ask.
  const probe = {} as FastifyRequest;
  let asked: string[] = [];
  const own = Object.getOwnPropertyDescriptor(passport, 'authenticate');
  const authenticate = passport.authenticate.bind(passport) as (...args: unknown[]) => Middleware;
  passport.authenticate = ((names: string | string[], ...args: unknown[]): Middleware =>
    (request, response, next) => {
      if (request !== probe) authenticate(names, ...args)(request, response, next);
      else {
        asked = [names].flat().map(String);
        next(new Error('probed'));
      }
    }) as typeof passport.authenticate;
  try {
    // As much of a context as `AuthGuard` looks at.
    const http = { getRequest: () => probe, getResponse: () => ({}) };
    await new AuthGuardClass().canActivate({ switchToHttp: () => http } as unknown as ExecutionContext);
  } catch {
    // It ends here, with the error above.
  } finally {
    if (own) Object.defineProperty(passport, 'authenticate', own);
    else delete (passport as Partial<typeof passport>).authenticate;
  }
  return asked;
}

type Middleware = (request: unknown, response: unknown, next: (error?: Error) => void) => void;

/** The class that `AuthGuard()` made, which a guard is, is of, or extends. */
function authGuardIn(guard: unknown): Type<IAuthGuard> | undefined {
  let type: unknown = typeof guard === 'function' ? guard : (guard as object | null)?.constructor;
  let found: Type<IAuthGuard> | undefined;
  for (; typeof type === 'function' && type !== Function.prototype; type = Object.getPrototypeOf(type)) {
    const { prototype } = type as { prototype?: object };
    if (prototype && METHODS.every((name) => Object.hasOwn(prototype, name)))
      found = type as Type<IAuthGuard>;
  }
  return found;
}

const METHODS = ['canActivate', 'getAuthenticateOptions', 'handleRequest', 'logIn'];

/**
 * Lets guards take what the hook has verified. A strategy that is asked again for a request with a principal
 * answers by that principal's scheme, without verifying the credential a second time.
 */
export function answerGuards({ name, strategy }: RegisteredScheme): void {
  // It is called on the object that Passport makes of the strategy for each request, which its types do not say.
  const { authenticate } = strategy as unknown as {
    authenticate: (this: Actions, ...args: unknown[]) => void;
  };
  strategy.authenticate = function (
    this: Actions,
    request: Pick<FastifyRequest, 'principal'>,
    ...options: unknown[]
  ) {
    if (!request.principal) authenticate.call(this, request, ...options);
    else if (request.principal.scheme === name) this.success(request.principal);
    else this.fail();
  } as unknown as typeof strategy.authenticate;
}

interface Actions {
  success(user: object): void;
  fail(): void;
}
