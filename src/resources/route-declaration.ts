import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';

import { Dto } from '../fields/field.js';
import { policyOf, RoutePolicy } from '../http/route-policy.js';
import { namesOf } from './path-names.js';
import { ResourceOptions, resourceOf } from './resource.js';
import { Method, ownerOf, RouteShape } from './route-defaults.js';
import { Handler, writtenAs } from './route-metadata.js';
import { bodyIndexOf, Parameters, parametersOf, transactionIndexOf } from './route-parameters.js';

export interface ControllerClass {
  readonly name: string;
  readonly prototype: Record<string, Handler>;
}

/** A route as a controller declares or inherits it. */
export interface DeclaredRoute extends RouteShape {
  readonly controller: ControllerClass;
  readonly resource: ResourceOptions;
  readonly name: string;
  /** The method as it was written. */
  readonly handler: Handler;
  /** The policy that the decorators of the method declare. */
  readonly policy: RoutePolicy;
  readonly parameters: Parameters;
  /** The property that holds whose row it is, where that is the caller's who creates it. */
  readonly owner: string | undefined;
  /** The class of the body; `undefined`: the route takes none. */
  readonly body: Dto | undefined;
}

/** The routes of a controller, its own and inherited ones, as they were written. */
export function routesOf(controller: ControllerClass, methods: readonly string[]): DeclaredRoute[] {
  return methods.flatMap((name) => {
    const handler = writtenAs(controller.prototype[name] as Handler);
    if (Reflect.hasMetadata(PATH_METADATA, handler)) return declarationOf(controller, name, handler);
    const parent = Object.getPrototypeOf(controller.prototype) as ControllerClass['prototype'];
    if (name in parent && Reflect.hasMetadata(PATH_METADATA, writtenAs(parent[name] as Handler)))
      throw new Error(
        `${controller.name}.${name} overrides a route, but has no @Get(), @Post(), @Put(), @Patch() or @Delete()`,
      );
    return [];
  });
}

function declarationOf(controller: ControllerClass, name: string, handler: Handler): DeclaredRoute {
  const where = `${controller.name}.${name}`;
  const path = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat()[0] ?? '';
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] as Method;
  const parameters = parametersOf(controller, name);
  const policy = policyOf(handler);
  const resource = resourceOf(controller) as ResourceOptions;
  const names = namesOf(resource, path);
  if (policy.isList && !resource.list) throw new Error(`${where} lists a resource that declares no list`);
  if (method !== 'POST' && transactionIndexOf(parameters) !== undefined)
    throw new Error(`${where}: only POST runs in a transaction`);
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
    names,
    owner: ownerOf(resource, names),
    body: bodyOf(controller, name, parameters),
  };
}

function bodyOf(controller: ControllerClass, name: string, parameters: Parameters): Dto | undefined {
  const index = bodyIndexOf(parameters);
  if (index === undefined) return undefined;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype, name) as Dto[] | undefined;
  const type = types?.[index];
  const unreadable: unknown[] = [undefined, Object, Array, String, Number, Boolean];
  if (unreadable.includes(type))
    throw new Error(
      `${controller.name}.${name}: the type of @Body() is no class at run time; import it without "type", and use no interface, union or array`,
    );
  return type;
}
