import { ParseArrayPipe, Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

import { isDto, dtoSchemaFor } from '../fields/dto-schema.js';
import { Dto } from '../fields/field.js';
import { isKeyDto, keyParameters } from '../fields/key-dto.js';
import { ApiVersions, undeclaredFault } from '../http/negotiation/api-versions.js';
import { servedVersions } from '../http/negotiation/versions.js';
import { ThrottleReader } from '../http/rate-limit/throttle-reader.js';
import { readRoutePolicy, RoutePolicy } from '../routes/route-policy.js';
import {
  copyInheritedRoute,
  filtersOf,
  interceptorsOf,
  parametersOf,
  pathsOf,
  Route,
  RouteHandler,
  RouteParameter,
  routesOf,
  sendsEvents,
  setInterceptors,
  setVersions,
  versionsOf,
} from '../nest/route-metadata.js';
import { catchRejections } from './exception-filters.js';
import { orderInterceptors } from './wrapped-routes.js';

/**
 * Completes the policy of each route with what its decorators say. Call it before NestJS registers the routes.
 * @param globals the interceptors that the application provides for all routes
 * @param declared the versions of the API that the application declares
 * @throws Error for a declaration that would have no effect, naming class and method
 */
export async function completeRoutes(
  controllers: readonly Type[],
  globals: readonly unknown[],
  throttles: ThrottleReader,
  declared: ApiVersions,
): Promise<void> {
  const servesEveryVersion = (controller: Type): boolean =>
    readRoutePolicy(controller).servesEveryVersion === true;
  const named = servedVersions(controllers.filter((controller) => !servesEveryVersion(controller)));
  const all = Object.keys(declared);
  const served = all.filter((version) => named.includes(Number(version)));
  for (const controller of controllers) {
    if (servesEveryVersion(controller)) setVersions(controller, served.length > 0 ? served : all);
    for (const route of routesOf(controller)) {
      assertVersions(route, declared);
      await completeRoute(route, globals, throttles);
    }
  }
}

/** @throws Error for a version of a route that is malformed, or that the application does not declare */
function assertVersions({ controller, name, handler }: Route, declared: ApiVersions): void {
  for (const version of [controller, handler].flatMap(versionsOf)) {
    if (!/^[1-9]\d*$/.test(version))
      throw new Error(
        `${controller.name}.${name}: a version must be a whole number, such as '2' (got '${version}')`,
      );
    const fault = undeclaredFault(version, `${controller.name}.${name}`, declared);
    if (fault !== undefined) throw new Error(fault);
  }
}

async function completeRoute(
  route: Route,
  globals: readonly unknown[],
  throttles: ThrottleReader,
): Promise<void> {
  const { controller, name } = route;
  // The policy of an inherited route stays apart from that of the parent class.
  const handler = route.isInherited ? copyInheritedRoute(route) : route.handler;
  const declaring = [controller, handler];
  for (const path of declaring.flatMap(pathsOf))
    if (path.includes('('))
      throw new Error(
        `${controller.name}.${name}: a path must not have a pattern in brackets (got '${path}'): use a pipe`,
      );
  for (const filter of declaring.flatMap(filtersOf)) catchRejections(filter);
  const declared = { ...readRoutePolicy(controller), ...readRoutePolicy(handler) };
  const policy: RoutePolicy = {
    ...declared,
    handler: `${controller.name}.${name}`,
    ...(sendsEvents(handler) && { produces: ['text/event-stream'], isStream: true }),
    ...buildParameterPolicy(controller, name),
    ...(await throttles.read(controller, handler)),
    hasInterceptors: wrapRoute(declared, controller, handler, globals),
  };
  RouteConfig({ policy })(controller.prototype as object, name, { value: handler });
}

/**
 * Puts `OwnResponseInterceptor` inside of the application's interceptors, on a route that declares its response. Returns
 * whether the application has interceptors on the route.
 */
function wrapRoute(
  policy: RoutePolicy,
  controller: Type,
  handler: RouteHandler,
  globals: readonly unknown[],
): boolean {
  if (!policy.success && !policy.inVersion) return false;
  const outer = [...globals, ...interceptorsOf(controller)];
  const interceptors = orderInterceptors(interceptorsOf(handler), outer);
  if (interceptors) setInterceptors(handler, interceptors);
  return interceptors !== undefined;
}

const DTO_SOURCES = new Set<RouteParameter['source']>(['BODY', 'QUERY', 'PARAM']);

function buildParameterPolicy(controller: Type, name: string): RoutePolicy {
  const parameters = parametersOf(controller, name);
  const withDto = parameters.filter(({ source, type }) => DTO_SOURCES.has(source) && isDto(type));
  const keys = withDto.filter(({ source, type }) => source === 'PARAM' && isKeyDto(type));
  const queries = parameters.filter(({ source }) => source === 'QUERY');
  return {
    ...(queries.length > 0 && { queryParameters: buildQueryParameters(queries) }),
    ...(withDto.some(({ source }) => source === 'BODY') && { hasBodyDto: true }),
    ...(keys.length > 0 && { keyParameters: keys.flatMap(({ type }) => keyParameters(type as Dto)) }),
    validatesParameters: withDto.some(
      (parameter) => parameter.source !== 'BODY' && !keys.includes(parameter),
    ),
  };
}

function buildQueryParameters(parameters: readonly RouteParameter[]): RoutePolicy['queryParameters'] {
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
