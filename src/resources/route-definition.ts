import { UseInterceptors } from '@nestjs/common';
import { HTTP_CODE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ApiHeader } from '@nestjs/swagger';

import { Dto, fieldsOf } from '../fields/field.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { RoutePolicy, routePolicy } from '../http/route-policy.js';
import { documentList } from '../lists/list-parameters.decorator.js';
import { PageInterceptor } from '../lists/page.interceptor.js';
import { BodyPipe } from './body.pipe.js';
import { CreationInterceptor, CreationServices } from './creation.interceptor.js';
import { IDEMPOTENCY_KEY } from './idempotency/idempotency-key.header.js';
import { Answers, AnswersList, AnswersNothing } from './openapi/answers.decorator.js';
import { nameSchema } from './openapi/schema-name.js';
import { representationOf } from './representation.js';
import { copyMetadata } from './route-metadata.js';
import { DeclaredRoute, Handler, isBody, Parameters, replaces } from './route-declaration.js';
import { accessOf, Constraint, errorsOf, kindOf, ResponseKind, STATUS, summaryOf } from './route-defaults.js';
import { RowInterceptor } from './row.interceptor.js';

/** What the definition of a route needs of the service. */
export interface RouteServices extends CreationServices {
  /** The constraints of the resource's table. */
  readonly constraints: readonly Constraint[];
}

/**
 * Defines a route on its controller, in place of the method that was written or inherited: it calls that method, and
 * carries what follows from the resource beside what the method's own decorators say.
 */
export function defineRoute(route: DeclaredRoute, services: RouteServices): void {
  const { controller, name, handler } = route;
  const defined: Handler = function (...args) {
    return handler.apply(this, args);
  };
  Object.defineProperty(defined, 'name', { value: name });
  replaces(defined, handler);
  for (const dto of [shownBy(route), route.body]) if (dto) nameSchema(dto);
  const body = bodyPipeOf(route);
  const descriptor = { value: defined, writable: true, configurable: true, enumerable: false };
  for (const decorate of decoratorsOf(route, body, services))
    decorate(controller.prototype, name, descriptor);
  copyMetadata(handler, defined);
  // Last, for the policy of the method is among what was copied.
  routePolicy(policyFor(route, services.constraints))(controller.prototype, name, descriptor);
  Object.defineProperty(controller.prototype, name, descriptor);
  if (body) Reflect.defineMetadata(ROUTE_ARGS_METADATA, withPipe(route.parameters, body), controller, name);
}

/** The decorators that one would write by hand. */
function decoratorsOf(
  route: DeclaredRoute,
  body: BodyPipe | undefined,
  services: RouteServices,
): MethodDecorator[] {
  const { resource, method } = route;
  const kind = kindOf(route);
  const { list } = resource;
  return [
    responseOf(route, kind),
    ...interceptorsOf(route, kind, body, services),
    ...(kind === 'list' && list ? [documentList(list)] : []),
    ...(method === 'POST' ? [ApiHeader(IDEMPOTENCY_KEY)] : []),
  ];
}

function responseOf(route: DeclaredRoute, kind: ResponseKind): MethodDecorator {
  const summary = summaryOf(route.resource, route);
  if (kind === 'nothing') return AnswersNothing(summary);
  if (kind === 'list') return AnswersList(shownBy(route), summary);
  return Answers(statusOf(route) as 200 | 201, shownBy(route), summary);
}

function interceptorsOf(
  route: DeclaredRoute,
  kind: ResponseKind,
  body: BodyPipe | undefined,
  services: CreationServices,
): MethodDecorator[] {
  if (kind === 'nothing') return [];
  const { show } = route.resource;
  if (kind === 'list') return [UseInterceptors(new PageInterceptor(show))];
  const representation = representationOf(shownBy(route));
  if (route.method === 'POST')
    return [UseInterceptors(new CreationInterceptor(representation, show, body, services))];
  return [UseInterceptors(new RowInterceptor(representation, show))];
}

function policyFor(route: DeclaredRoute, own: readonly Constraint[]): RoutePolicy {
  const { resource, method, body, policy } = route;
  const { grants, cache, list } = resource;
  const written = body ? [...fieldsOf(body).keys()] : [];
  const fails: ErrorType[] = [...errorsOf(resource, route, own, written), ...(policy.fails ?? [])];
  return {
    access: accessOf(resource, route),
    representation: representationOf(shownBy(route)),
    takesBody: body !== undefined,
    answers: { status: statusOf(route), kind: kindOf(route) },
    ...(grants && { grants }),
    ...(cache && method !== 'DELETE' && { cache }),
    ...(route.isList && { list }),
    ...(method === 'POST' && { isIdempotent: true }),
    ...policy,
    fails,
  };
}

const statusOf = ({ handler, method }: DeclaredRoute): number =>
  (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? STATUS[method];

/** What a route shows: what its documentation says, by `@ApiOkResponse({ type })`, or what its resource shows. */
function shownBy(route: DeclaredRoute): Dto {
  const responses = Reflect.getMetadata('swagger/apiResponse', route.handler) as
    Record<string, { type?: unknown } | undefined> | undefined;
  const type = responses?.[statusOf(route)]?.type;
  return typeof type === 'function' ? (type as Dto) : route.resource.of;
}

function bodyPipeOf({ body, resource }: DeclaredRoute): BodyPipe | undefined {
  return body && new BodyPipe({ dto: body, representation: resource.of });
}

function withPipe(parameters: Parameters, pipe: BodyPipe): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([key, parameter]) => {
      if (!isBody(key)) return [key, parameter];
      const others = parameter.pipes.filter((other) => !(other instanceof BodyPipe));
      return [key, { ...parameter, pipes: [pipe, ...others] }];
    }),
  );
}
