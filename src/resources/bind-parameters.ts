import { RESPONSE_PASSTHROUGH_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

import { readListParameter, withinScopes } from '../lists/list-parameters.decorator.js';
import { readBelongings } from './belongs-to.decorator.js';
import { BodyPipe } from './body.pipe.js';
import { readKey, scopeOf } from './path-id.decorator.js';
import { ofParents } from './path-names.js';
import { DeclaredRoute } from './route-declaration.js';
import { isBody, Parameter, replaceParameters } from './route-parameters.js';
import { readTransaction } from './transaction.decorator.js';

const RESPONSE = `${RouteParamtypes.RESPONSE}:`;
const NEXT = `${RouteParamtypes.NEXT}:`;

/**
 * Completes the parameters of a route with what follows from its resource, and adds the reply behind them.
 *
 * @returns how many there are without the reply
 */
export function completeParameters(route: DeclaredRoute, body: BodyPipe | undefined): number {
  const { controller, name, parameters } = route;
  const arity = Math.max(0, ...Object.values(parameters).map(({ index }) => index + 1));
  const completed: Record<string, Parameter> = {};
  for (const [key, parameter] of Object.entries(parameters)) {
    // The one of a transaction is filled in when there is one.
    if (parameter.factory === readTransaction) continue;
    completed[key] = { ...parameter, data: dataOf(parameter, route) };
    if (isBody(key) && body) completed[key] = { ...parameter, pipes: [body, ...parameter.pipes] };
  }
  completed[`${RESPONSE}${arity}`] = { index: arity, pipes: [] };
  replaceParameters(controller, name, completed, parameters);
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
  if (factory === readListParameter) return withinScopes(data, resource.list, ofParents(names).map(scopeOf));
  return data;
}
