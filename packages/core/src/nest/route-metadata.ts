/**
 * Reads and writes the metadata that decorators of NestJS and of Swagger leave on classes and methods. NestJS documents
 * the decorators, but not their keys, so a new major version of NestJS may change them. This is the only file of the
 * base that imports the keys: the rest of the base calls these functions. `docs/internals.md` names the tests that fail
 * if a key changes.
 */
import { RequestMethod, Type } from '@nestjs/common';
import * as keys from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { MetadataScanner } from '@nestjs/core';
import { ApiPropertyOptions, DECORATORS } from '@nestjs/swagger';
import { GATEWAY_METADATA, GATEWAY_OPTIONS, PORT_METADATA } from '@nestjs/websockets/constants.js';

const read = <T>(key: string, target: object, property?: string): T | undefined =>
  // For a class or a function, the property is `undefined`. The types of reflect-metadata do not allow that.
  Reflect.getMetadata(key, target, property as string) as T | undefined;

/** Returns the values of a key. Some decorators store a single value, some an array. */
const readAll = (key: string, target: object, property?: string): unknown[] =>
  [read<unknown>(key, target, property) ?? []].flat();

const readStrings = (key: string, target: object): string[] =>
  readAll(key, target).filter((value) => typeof value === 'string');

export type RouteHandler = (this: unknown, ...args: unknown[]) => unknown;

type Methods = Readonly<Record<string, RouteHandler>>;

/** A route of a controller, as its decorators declare it. */
export interface Route {
  readonly controller: Type;
  /** The name of the method that handles the route. */
  readonly name: string;
  readonly handler: RouteHandler;
  readonly method: keyof typeof RequestMethod;
  /** The first path of `@Get()` or a similar decorator, without the path of the controller. `''` if it has no path. */
  readonly path: string;
  /** Whether a parent class declares the route, and the controller does not override it. */
  readonly isInherited: boolean;
}

const scanner = new MetadataScanner();

/** Returns the routes of a controller, including inherited ones. */
export function routesOf(controller: Type): Route[] {
  const prototype = controller.prototype as Methods;
  return scanner.getAllMethodNames(prototype).flatMap((name): Route[] => {
    const handler = prototype[name] as RouteHandler;
    if (!isRoute(handler)) return [];
    const [path = ''] = pathsOf(handler);
    const method = RequestMethod[read<number>(keys.METHOD_METADATA, handler) ?? 0] as Route['method'];
    const isInherited = !Object.hasOwn(prototype, name);
    return [{ controller, name, handler, method, path: path === '/' ? '' : path, isInherited }];
  });
}

/**
 * Returns the methods that override a route of a parent class without `@Get()` or a similar decorator. NestJS drops
 * these routes.
 */
export function overridesWithoutRoute(controller: Type): string[] {
  const prototype = controller.prototype as Methods;
  const parent = Object.getPrototypeOf(prototype) as Methods;
  return scanner
    .getAllMethodNames(prototype)
    .filter((name) => Object.hasOwn(prototype, name) && !isRoute(prototype[name]) && isRoute(parent[name]));
}

const isRoute = (handler: unknown): boolean =>
  typeof handler === 'function' && Reflect.hasMetadata(keys.PATH_METADATA, handler);

/** Returns all metadata of a class or method, by key. */
export const metadataOf = (target: object): Map<unknown, unknown> =>
  new Map(
    (Reflect.getMetadataKeys(target) as unknown[]).map((key) => [key, Reflect.getMetadata(key, target)]),
  );

/**
 * Gives a controller a method of its own for a route that it inherits. Decorators on the new method do not affect the
 * route of the parent.
 * @param metadata the metadata of the new method, by key. By default, a copy of the parent's
 * @returns the new method
 */
export function copyInheritedRoute(
  { controller, name, handler }: Route,
  metadata: ReadonlyMap<unknown, unknown> = metadataOf(handler),
): RouteHandler {
  const copy: RouteHandler = function (...args) {
    return handler.apply(this, args);
  };
  Object.defineProperty(copy, 'name', { value: name });
  for (const [key, value] of metadata) Reflect.defineMetadata(key, value, copy);
  Object.defineProperty(controller.prototype, name, { value: copy, writable: true, configurable: true });
  return copy;
}

/** A parameter of a handler that has a decorator. */
export interface RouteParameter {
  /**
   * The kind of the decorator, such as `BODY` for `@Body()`. `undefined` for decorators made by
   * `createParamDecorator()`.
   */
  readonly source: keyof typeof RouteParamtypes | undefined;
  /** The argument of the decorator: `'id'` of `@Param('id')`. */
  readonly data: unknown;
  readonly pipes: readonly unknown[];
  /** The class that TypeScript emits for the declared type. */
  readonly type: unknown;
}

/** Returns the decorated parameters of a handler in the order of the signature. */
export function parametersOf(controller: Type, name: string): RouteParameter[] {
  type Declared = Record<
    string,
    Pick<RouteParameter, 'data'> & { index: number; pipes?: readonly unknown[] }
  >;
  const types = readAll(keys.PARAMTYPES_METADATA, controller.prototype as object, name);
  return Object.entries(read<Declared>(keys.ROUTE_ARGS_METADATA, controller, name) ?? {})
    .sort(([, a], [, b]) => a.index - b.index)
    .map(([key, { index, data, pipes = [] }]) => {
      // The key is `3:0` for `@Body()` on the first parameter: the number of the decorator and the index. For a custom
      // decorator, the text before the colon is not a number.
      const source = RouteParamtypes[Number(key.split(':', 1)[0])] as RouteParameter['source'];
      return { source, data, pipes, type: types[index] };
    });
}

/** Returns the class that TypeScript emits for the declared type of a property. */
export const propertyTypeOf = (target: Type, property: string): unknown =>
  read('design:type', target.prototype as object, property);

/** Returns the paths of `@Controller()`, of `@Get()`, or of a similar decorator. */
export const pathsOf = (target: object): string[] => readStrings(keys.PATH_METADATA, target);

/** Returns the versions of a controller or a handler, without `VERSION_NEUTRAL`. */
export const versionsOf = (target: object): string[] => readStrings(keys.VERSION_METADATA, target);

/** Replaces the versions of a controller. */
export function setVersions(controller: object, versions: readonly string[]): void {
  Reflect.defineMetadata(keys.VERSION_METADATA, versions, controller);
}

/** Returns the status that `@HttpCode()` declares. */
export const httpCodeOf = (handler: object): number | undefined => read(keys.HTTP_CODE_METADATA, handler);

/** Whether the handler has `@Sse()`. */
export const sendsEvents = (handler: object): boolean => Reflect.hasMetadata(keys.SSE_METADATA, handler);

/**
 * Returns the guards that `@UseGuards()` declares on this class or method itself. The next three functions do the same
 * for pipes, interceptors and filters.
 */
export const guardsOf = (target: object): unknown[] => readAll(keys.GUARDS_METADATA, target);
export const pipesOf = (target: object): unknown[] => readAll(keys.PIPES_METADATA, target);
export const interceptorsOf = (target: object): unknown[] => readAll(keys.INTERCEPTORS_METADATA, target);
export const filtersOf = (target: object): unknown[] => readAll(keys.EXCEPTION_FILTERS_METADATA, target);

/** Replaces the interceptors of a class or method. `@UseInterceptors()` can only append to them. */
export function setInterceptors(target: object, interceptors: readonly unknown[]): void {
  Reflect.defineMetadata(keys.INTERCEPTORS_METADATA, interceptors, target);
}

/** Replaces the filters of a class or method. NestJS tries the last filter first. */
export function setFilters(target: object, filters: readonly unknown[]): void {
  Reflect.defineMetadata(keys.EXCEPTION_FILTERS_METADATA, filters, target);
}

/** Whether a provider is a class with `@WebSocketGateway()`. */
export const isGateway = (provider: object): provider is Type =>
  Reflect.hasMetadata(GATEWAY_METADATA, provider);

/** Returns the path and the port of a gateway. The port is `0` if the gateway uses the port of the application. */
export function gatewayAddressOf(gateway: Type): { path?: string; port: number } {
  return { ...read<{ path?: string }>(GATEWAY_OPTIONS, gateway), port: read(PORT_METADATA, gateway) ?? 0 };
}

/** Returns the options of `@ApiProperty()` for each property of a class, including inherited properties. */
export function documentedPropertiesOf(dto: abstract new () => object): Map<string, ApiPropertyOptions> {
  const prototype = dto.prototype as object;
  // Swagger stores each name with a colon before it.
  const names = readStrings(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype).map((name) => name.slice(1));
  return new Map(names.map((name) => [name, read(DECORATORS.API_MODEL_PROPERTIES, prototype, name) ?? {}]));
}

/** Returns the type that `@ApiResponse()` or a similar decorator declares for a status. */
export function documentedTypeOf(handler: object, status: number): unknown {
  return read<Record<number, { type?: unknown }>>(DECORATORS.API_RESPONSE, handler)?.[status]?.type;
}
