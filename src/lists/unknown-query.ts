import { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';
import { FastifyInstance, FastifyRequest } from 'fastify';

import { Fault, faultError } from '../fields/faults.js';
import { INVALID_QUERY } from '../http/errors/http.errors.js';
import { RoutePolicy, routePolicy } from '../http/route-policy.js';
import './list-parameters.decorator.js';
import { splitQuery } from './query-string.js';

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** The route judges its query parameters itself: it takes some by `@Query()`. */
    readsQuery?: boolean;
  }
}

/** `RouteParamtypes.QUERY` of Nest, with which the keys of a route's arguments begin. */
const QUERY_ARGUMENT = '4:';

/** Finds the routes that take query parameters by Nest's own `@Query()`: what they take is theirs to judge. */
export function markQueryRoutes(controllers: Iterable<Type>): void {
  const scanner = new MetadataScanner();
  for (const controller of controllers) {
    const prototype = controller.prototype as Record<string, object>;
    for (const method of scanner.getAllMethodNames(prototype)) {
      const all = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) as object | undefined;
      if (!Object.keys(all ?? {}).some((key) => key.startsWith(QUERY_ARGUMENT))) continue;
      routePolicy({ readsQuery: true })(prototype, method, { value: prototype[method] });
    }
  }
}

/**
 * Answers 400 `INVALID_QUERY` where a route under `/api` that takes no query parameters is sent some. Which ones those
 * are is known before any request: the others have no hook at all.
 */
export function refuseUnknownQueries(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (!takesNoQuery(route.config?.policy)) return;
    const others = [route.preValidation ?? []].flat().filter((hook) => hook !== refuseQuery);
    route.preValidation = [...others, refuseQuery];
  });
}

export const takesNoQuery = ({ apiVersion, list, readsQuery }: RoutePolicy = {}): boolean =>
  apiVersion !== undefined && !list && !readsQuery;

function refuseQuery(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  const start = request.url.indexOf('?');
  const faults = start < 0 ? [] : faultsOf(request.url.slice(start + 1));
  done(faults.length > 0 ? faultError(INVALID_QUERY, faults) : undefined);
}

function faultsOf(text: string): Fault[] {
  const { parameters, isMalformed } = splitQuery(text);
  const message = 'is unknown; the path takes no query parameters';
  const faults = [...parameters.keys()].map((name): Fault => {
    const field = name.length > 60 ? `${name.slice(0, 60)}…` : name;
    return { field, code: 'UNKNOWN_FIELD', message };
  });
  if (!isMalformed) return faults;
  return [{ field: '', code: 'BAD_CHARACTER', message: 'takes percent-encoded UTF-8' }, ...faults];
}
