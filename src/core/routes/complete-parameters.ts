import { ParseArrayPipe } from '@nestjs/common';
import { CUSTOM_ROUTE_ARGS_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

import { isDto, shapeOf } from '../fields/shape.js';
import { RoutePolicy } from '../http/route-policy.js';
import { QueryParameters } from '../lists/query-string.js';

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** Its query or its path has a DTO, whose rules can be violated. */
    validatesParameters?: boolean;
  }
}

/** A parameter of a method, as Nest keeps it. */
interface Parameter {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes: readonly unknown[];
}

const { BODY, QUERY, PARAM } = RouteParamtypes;

/** What a route takes, by the types and decorators of its parameters. */
export function completeParameters(
  controller: object & { readonly prototype: object },
  name: string,
): RoutePolicy {
  const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as object | undefined;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype, name) ?? []) as unknown[];
  const parameters = Object.entries(declared ?? {}).flatMap(([key, parameter]: [string, Parameter]) => {
    if (key.includes(CUSTOM_ROUTE_ARGS_METADATA)) return [];
    const kind = [BODY, QUERY, PARAM].find((candidate) => key.startsWith(`${candidate}:`));
    return kind === undefined ? [] : { ...parameter, kind, type: types[parameter.index] };
  });
  const withDto = parameters.filter(({ type }) => isDto(type));
  const queries = parameters.filter(({ kind }) => kind === QUERY);
  return {
    ...(queries.length > 0 && { queryParameters: queryOf(queries) }),
    ...(withDto.some(({ kind }) => kind === BODY) && { takesBody: true }),
    validatesParameters: withDto.some(({ kind }) => kind !== BODY),
  };
}

/** The query parameters that a route takes; `any`: it judges them itself. */
function queryOf(parameters: readonly (Parameter & { readonly type: unknown })[]): QueryParameters | 'any' {
  const names = new Set<string>();
  const repeatable = new Set<string>();
  for (const { data, pipes, type } of parameters) {
    if (typeof data === 'string') {
      names.add(data);
      const isArray = pipes.some((pipe) => pipe === ParseArrayPipe || pipe instanceof ParseArrayPipe);
      if (type === Array || isArray) repeatable.add(data);
    } else if (isDto(type)) {
      for (const property of shapeOf(type).properties.values()) {
        names.add(property.name);
        if (property.type === 'array') repeatable.add(property.name);
      }
    } else return 'any';
  }
  return { names, repeatable };
}
