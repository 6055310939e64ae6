import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

import { Dto } from '../fields/field.js';
import { policyOf, RoutePolicy } from '../http/route-policy.js';
import { ResourceOptions, resourceOf } from './resource.js';
import { Method, RouteShape } from './route-defaults.js';

export type Handler = (this: unknown, ...args: unknown[]) => unknown;

export interface ControllerClass {
  readonly name: string;
  readonly prototype: Record<string, Handler>;
}

/** The parameters of a route, as Nest keeps them: by `<type>:<index>`. */
export type Parameters = Record<string, { readonly index: number; readonly pipes: readonly unknown[] }>;

/** A route as a controller declares or inherits it. */
export interface DeclaredRoute extends RouteShape {
  readonly controller: ControllerClass;
  readonly resource: ResourceOptions;
  readonly name: string;
  /** The method as it was written. */
  readonly handler: Handler;
  /** What the decorators of the method say. */
  readonly policy: RoutePolicy;
  readonly parameters: Parameters;
  /** The class of the body; `undefined`: the route takes none. */
  readonly body: Dto | undefined;
}

/** The methods that were written, by those that routes were defined with in their place. */
const written = new WeakMap<Handler, Handler>();

/** Remembers the method that a route was defined in place of. */
export function replaces(handler: Handler, original: Handler): void {
  written.set(handler, original);
}

/** The routes of a controller, its own and inherited ones, as they were written. */
export function routesOf(controller: ControllerClass, methods: readonly string[]): DeclaredRoute[] {
  return methods.flatMap((name) => {
    const handler = writtenAs(controller.prototype, name);
    if (Reflect.hasMetadata(PATH_METADATA, handler)) return declarationOf(controller, name, handler);
    const parent = Object.getPrototypeOf(controller.prototype) as ControllerClass['prototype'];
    if (name in parent && Reflect.hasMetadata(PATH_METADATA, writtenAs(parent, name)))
      throw new Error(
        `${controller.name}.${name} overrides a route, but has no @Get(), @Post(), @Put(), @Patch() or @Delete()`,
      );
    return [];
  });
}

function writtenAs(prototype: ControllerClass['prototype'], name: string): Handler {
  const handler = prototype[name] as Handler;
  return written.get(handler) ?? handler;
}

function declarationOf(controller: ControllerClass, name: string, handler: Handler): DeclaredRoute {
  const where = `${controller.name}.${name}`;
  const path = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat()[0] ?? '';
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] as Method;
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Parameters;
  const policy = policyOf(handler);
  const resource = resourceOf(controller) as ResourceOptions;
  if (policy.isList && !resource.list) throw new Error(`${where} lists a resource that declares no list`);
  return {
    controller,
    resource,
    name,
    handler,
    policy,
    parameters,
    method,
    path: path === '/' ? '' : path,
    isList: policy.isList === true,
    body: bodyOf(controller, name, parameters),
  };
}

export const isBody = (key: string): boolean => key.startsWith(`${RouteParamtypes.BODY}:`);

function bodyOf(controller: ControllerClass, name: string, parameters: Parameters): Dto | undefined {
  const [, body] = Object.entries(parameters).find(([key]) => isBody(key)) ?? [];
  if (!body) return undefined;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype, name) as Dto[] | undefined;
  const type = types?.[body.index];
  const unreadable: unknown[] = [undefined, Object, Array, String, Number, Boolean];
  if (unreadable.includes(type))
    throw new Error(
      `${controller.name}.${name}: the type of @Body() is no class at run time; import it without "type", and use no interface, union or array`,
    );
  return type;
}
