import { RESPONSE_PASSTHROUGH_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

import { readListParameter, withinPath } from '../lists/list-parameters.decorator.js';
import { readBelongings } from './belongs-to.decorator.js';
import { readKey, scopeOf } from './path-id.decorator.js';
import { ofParents } from './path-names.js';
import { DeclaredRoute } from './route-declaration.js';
import { Parameter, replaceParameters } from './route-parameters.js';
import { readTransaction } from './transaction.decorator.js';

const RESPONSE = `${RouteParamtypes.RESPONSE}:`;
const NEXT = `${RouteParamtypes.NEXT}:`;

/**
 * Binds the parameters of a route to its resource and the names of its path, and adds the reply after them.
 * `OrdinaryRoutes` adds the pipes, as for all routes.
 *
 * @returns how many there are without the reply
 */
export function bindParameters(route: DeclaredRoute): number {
  const { controller, name, parameters } = route;
  const arity = Math.max(0, ...Object.values(parameters).map(({ index }) => index + 1));
  const bound: Record<string, Parameter> = {};
  for (const [key, parameter] of Object.entries(parameters)) {
    // The one of a transaction is filled in when there is one.
    if (parameter.factory === readTransaction) continue;
    bound[key] = { ...parameter, data: dataOf(parameter, route) };
  }
  bound[`${RESPONSE}${arity}`] = { index: arity, pipes: [] };
  replaceParameters(controller, name, bound, parameters);
  // A method that takes the reply itself, without `passthrough`, answers by it.
  const answersItself = Object.keys(parameters).some(
    (key) => key.startsWith(RESPONSE) || key.startsWith(NEXT),
  );
  if (!answersItself) Reflect.defineMetadata(RESPONSE_PASSTHROUGH_METADATA, true, controller, name);
  return arity;
}

function dataOf({ factory, data }: Parameter, { names, owner, resource }: DeclaredRoute): unknown {
  if (factory === readKey) return { ...(data as object), names };
  if (factory === readBelongings) return { names: ofParents(names), owner };
  if (factory === readListParameter) return withinPath(data, resource.list, ofParents(names).map(scopeOf));
  return data;
}
