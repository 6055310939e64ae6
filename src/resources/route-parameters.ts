import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

import { readTransaction } from './transaction.decorator.js';

/** A parameter of a route, as Nest keeps it. */
export interface Parameter {
  readonly index: number;
  readonly pipes: readonly unknown[];
  /** The function by which a decorator made by `createParamDecorator()` reads it. */
  readonly factory?: unknown;
  readonly data?: unknown;
}

/** The parameters of a route, as Nest keeps them: by `<type>:<index>`. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Parameters as decorators declared them, where a class has others in their place by now. */
const declared = new WeakMap<object, Map<string, Parameters>>();

/** Puts parameters in the place of those that decorators declared, which are remembered. */
export function replaceParameters(
  controller: object,
  name: string,
  parameters: Parameters,
  original: Parameters,
): void {
  const ofController = declared.get(controller) ?? new Map<string, Parameters>();
  declared.set(controller, ofController.set(name, original));
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, parameters, controller, name);
}

/** The parameters of a route as its decorators declare them, on its controller or on one that it extends. */
export function parametersOf(controller: object | null, name: string): Parameters {
  if (!controller) return {};
  const own = Reflect.getOwnMetadata(ROUTE_ARGS_METADATA, controller, name) as Parameters | undefined;
  const parameters = declared.get(controller)?.get(name) ?? own;
  return parameters ?? parametersOf(Object.getPrototypeOf(controller) as object | null, name);
}

const isBody = (key: string): boolean => key.startsWith(`${RouteParamtypes.BODY}:`);

export function bodyIndexOf(parameters: Parameters): number | undefined {
  return Object.entries(parameters).find(([key]) => isBody(key))?.[1].index;
}

export function transactionIndexOf(parameters: Parameters): number | undefined {
  return Object.values(parameters).find(({ factory }) => factory === readTransaction)?.index;
}
