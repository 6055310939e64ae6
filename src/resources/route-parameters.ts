import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

import { readTransaction } from './transaction.decorator.js';

/** A parameter of a route, as Nest keeps it. */
export interface Parameter {
  readonly index: number;
  readonly pipes: readonly unknown[];
  /** What a decorator made by `createParamDecorator()` reads it by. */
  readonly factory?: unknown;
  readonly data?: unknown;
}

/** The parameters of a route, as Nest keeps them: by `<type>:<index>`. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Parameters as they were written, by those that were put in their place. */
const written = new WeakMap<Parameters, Parameters>();

/** Remembers the parameters that others were put in place of. */
export function replacesParameters(parameters: Parameters, original: Parameters): void {
  written.set(parameters, original);
}

/** The parameters of a route as its decorators declare them. */
export function parametersOf(controller: object, name: string): Parameters {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Parameters;
  return written.get(parameters) ?? parameters;
}

export const isBody = (key: string): boolean => key.startsWith(`${RouteParamtypes.BODY}:`);

export function bodyIndexOf(parameters: Parameters): number | undefined {
  return Object.entries(parameters).find(([key]) => isBody(key))?.[1].index;
}

export function transactionIndexOf(parameters: Parameters): number | undefined {
  return Object.values(parameters).find(({ factory }) => factory === readTransaction)?.index;
}
