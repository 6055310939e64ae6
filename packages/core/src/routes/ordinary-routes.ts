import { ParseArrayPipe, Type } from '@nestjs/common';
import {
  CUSTOM_ROUTE_ARGS_METADATA,
  EXCEPTION_FILTERS_METADATA,
  INTERCEPTORS_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner } from '@nestjs/core';
import { RouteConfig } from '@nestjs/platform-fastify';

import { isDto, dtoSchemaFor } from '../fields/dto-schema.js';
import { readThrottlePolicy } from '../http/rate-limit/rate-limit.js';
import { readRoutePolicy, RoutePolicy } from '../http/route-policy.js';
import { catchRejections } from './exception-filters.js';
import { orderInterceptors } from './wrapped-routes.js';

type Handler = (this: unknown, ...args: unknown[]) => unknown;

/** Completes the policies of routes, before they are registered. @throws Error for what would be ignored in silence */
export function completeRoutes(controllers: readonly Type[], globals: readonly unknown[]): void {
  const scanner = new MetadataScanner();
  for (const controller of controllers) {
    const prototype = controller.prototype as Record<string, Handler>;
    for (const name of scanner.getAllMethodNames(prototype))
      if (Reflect.hasMetadata(PATH_METADATA, prototype[name] as Handler))
        completeRoute(controller, prototype, name, globals);
  }
}

function completeRoute(
  controller: Type,
  prototype: Record<string, Handler>,
  name: string,
  globals: readonly unknown[],
): void {
  // An inherited route gets a method of its own: its policy stays apart from that of the class it is inherited from.
  if (!Object.hasOwn(prototype, name))
    Object.defineProperty(prototype, name, copyInheritedHandler(prototype, name));
  const handler = prototype[name] as Handler;
  const declaredBy = (key: string): unknown[] =>
    [controller, handler].flatMap((each) => Reflect.getMetadata(key, each) as unknown);
  for (const path of declaredBy(PATH_METADATA))
    if (typeof path === 'string' && path.includes('('))
      throw new Error(
        `${controller.name}.${name}: a path must not have a pattern in brackets (got '${path}'): use a pipe`,
      );
  for (const version of declaredBy(VERSION_METADATA))
    if (typeof version === 'string' && !/^[1-9]\d*$/.test(version))
      throw new Error(
        `${controller.name}.${name}: a version must be a whole number, such as '2' (got '${version}')`,
      );
  for (const filter of [controller, handler].flatMap((each) => metadataOf(EXCEPTION_FILTERS_METADATA, each)))
    catchRejections(filter);
  const declared = { ...readRoutePolicy(controller), ...readRoutePolicy(handler) };
  const policy: RoutePolicy = {
    ...declared,
    ...(Reflect.hasMetadata(SSE_METADATA, handler) && { produces: ['text/event-stream'], isStream: true }),
    ...buildParameterPolicy(controller, name),
    ...readThrottlePolicy(controller, handler),
    hasInterceptors: wrapRoute(declared, controller, handler, globals),
  };
  RouteConfig({ policy })(prototype, name, { value: handler });
}

/** Whether interceptors of the application wrap a route that declares what it answers: `wrapped()` has their order. */
function wrapRoute(
  policy: RoutePolicy,
  controller: Type,
  handler: Handler,
  globals: readonly unknown[],
): boolean {
  if (!policy.success && !policy.byVersion) return false;
  const outer = metadataOf(INTERCEPTORS_METADATA, controller);
  const interceptors = orderInterceptors(metadataOf(INTERCEPTORS_METADATA, handler), [...globals, ...outer]);
  if (interceptors) Reflect.defineMetadata(INTERCEPTORS_METADATA, interceptors, handler);
  return interceptors !== undefined;
}

const metadataOf = (key: string, target: object): unknown[] =>
  (Reflect.getMetadata(key, target) ?? []) as unknown[];

function copyInheritedHandler(prototype: Record<string, Handler>, name: string): PropertyDescriptor {
  const handler = prototype[name] as Handler;
  const own: Handler = function (...args) {
    return handler.apply(this, args);
  };
  Object.defineProperty(own, 'name', { value: name });
  for (const key of Reflect.getMetadataKeys(handler) as unknown[])
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), own);
  return { value: own, writable: true, configurable: true, enumerable: false };
}

interface RouteParameter {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes: readonly unknown[];
}

const { BODY, QUERY, PARAM } = RouteParamtypes;

function buildParameterPolicy(controller: Type, name: string): RoutePolicy {
  const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as object | undefined;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ??
    []) as unknown[];
  const parameters = Object.entries(declared ?? {}).flatMap(([key, parameter]: [string, RouteParameter]) => {
    if (key.includes(CUSTOM_ROUTE_ARGS_METADATA)) return [];
    const kind = [BODY, QUERY, PARAM].find((candidate) => key.startsWith(`${candidate}:`));
    return kind === undefined ? [] : { ...parameter, kind, type: types[parameter.index] };
  });
  const withDto = parameters.filter(({ type }) => isDto(type));
  const queries = parameters.filter(({ kind }) => kind === QUERY);
  return {
    ...(queries.length > 0 && { queryParameters: buildQueryParameters(queries) }),
    ...(withDto.some(({ kind }) => kind === BODY) && { hasBodyDto: true }),
    validatesParameters: withDto.some(({ kind }) => kind !== BODY),
  };
}

function buildQueryParameters(
  parameters: readonly (RouteParameter & { readonly type: unknown })[],
): RoutePolicy['queryParameters'] {
  const names = new Set<string>();
  const repeatable = new Set<string>();
  for (const { data, pipes, type } of parameters) {
    if (typeof data === 'string') {
      names.add(data);
      const isArray = pipes.some((pipe) => pipe === ParseArrayPipe || pipe instanceof ParseArrayPipe);
      if (type === Array || isArray) repeatable.add(data);
    } else if (isDto(type)) {
      const { properties, ignored } = dtoSchemaFor(type);
      for (const name of [...properties.keys(), ...ignored]) names.add(name);
      for (const [name, property] of properties) if (property.type === 'array') repeatable.add(name);
    } else return 'any';
  }
  return { names, repeatable, hasDto: parameters.some(({ type }) => isDto(type)) };
}
