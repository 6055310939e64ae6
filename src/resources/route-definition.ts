import { HTTP_CODE_METADATA, SSE_METADATA } from '@nestjs/common/constants.js';
import { ApiHeader } from '@nestjs/swagger';

import { Dto, fieldsOf } from '../fields/field.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { RoutePolicy, routePolicy } from '../http/route-policy.js';
import { offeredBeside } from '../lists/list-definition.js';
import { documentList } from '../lists/list-parameters.decorator.js';
import { PageResponse } from '../lists/page-response.js';
import { bindParameters } from './bind-parameters.js';
import { CreationResponse, CreationServices } from './creation-response.js';
import { IDEMPOTENCY_KEY } from './idempotency/idempotency-key.header.js';
import { Answers, AnswersList, AnswersNothing } from './openapi/answers.decorator.js';
import { nameSchema } from './openapi/schema-name.js';
import { ListResponse } from './list-response.js';
import { ParentCheck } from './parent-check.js';
import { documentPath } from './path-id.decorator.js';
import { ofParents, PathName } from './path-names.js';
import { representationOf } from './representation.js';
import { handlerOf, Responder } from './route-handler.js';
import { copyMetadata, definedInPlaceOf } from './route-metadata.js';
import { DeclaredRoute } from './route-declaration.js';
import {
  accessOf,
  Constraint,
  errorsOf,
  kindOf,
  linksOf,
  ResponseKind,
  STATUS,
  summaryOf,
} from './route-defaults.js';
import { RowResponse } from './row-response.js';

/** The parts of the service that the definition of a route needs. */
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
  const defined = handlerOf(route, bindParameters(route), responderOf(route, services));
  const descriptor = definedInPlaceOf(handler, name, defined);
  for (const dto of [shownBy(route), route.body]) if (dto) nameSchema(dto);
  for (const decorate of decoratorsOf(route)) decorate(controller.prototype, name, descriptor);
  copyMetadata(handler, defined);
  // Last, for the policy of the method is among what was copied.
  routePolicy(policyFor(route, services.constraints))(controller.prototype, name, descriptor);
  Object.defineProperty(controller.prototype, name, descriptor);
}

/** The decorators that one would write by hand. */
function decoratorsOf(route: DeclaredRoute): MethodDecorator[] {
  const { resource, method, names } = route;
  const kind = kindOf(route);
  const { list } = resource;
  return [
    responseOf(route, kind),
    documentPath(names),
    ...(kind === 'list' && list ? [documentList(offeredBeside(list, parentsIn(names)))] : []),
    ...(method === 'POST' ? [ApiHeader(IDEMPOTENCY_KEY)] : []),
  ];
}

/** The properties that the parents of a path name. */
const parentsIn = (names: readonly PathName[]): string[] => ofParents(names).map(({ property }) => property);

function responseOf(route: DeclaredRoute, kind: ResponseKind): MethodDecorator {
  const summary = summaryOf(route.resource, route);
  if (kind === 'nothing') return AnswersNothing(summary);
  if (kind === 'list') return AnswersList(shownBy(route), summary);
  return Answers(statusOf(route) as 200 | 201, shownBy(route), summary);
}

/** The responder of a route; the one of a stream of events passes it on. */
function responderOf(route: DeclaredRoute, services: CreationServices): Responder {
  const { handler, method, names, resource } = route;
  const { access, parent, show } = resource;
  const kind = kindOf(route);
  if (kind === 'nothing' || Reflect.hasMetadata(SSE_METADATA, handler)) return { respond: (call) => call() };
  if (kind === 'list') {
    const check = parent && new ParentCheck(resource, parent, ofParents(names), services.database);
    return new ListResponse(new PageResponse(show), check);
  }
  const representation = representationFor(route);
  if (method !== 'POST') return new RowResponse(representation, show);
  return new CreationResponse(representation, show, access?.create?.assert, services);
}

function policyFor(route: DeclaredRoute, own: readonly Constraint[]): RoutePolicy {
  const { resource, method, body, policy, names } = route;
  const { grants, cache, list, description, exampleWhenNew } = resource;
  const narrowedBy = [...parentsIn(names), ...(policy.narrowedBy ?? [])];
  const written = body ? [...fieldsOf(body).keys()] : [];
  const fails: ErrorType[] = [...errorsOf(resource, route, own, written), ...(policy.fails ?? [])];
  return {
    access: accessOf(resource, route),
    representation: representationFor(route),
    ...(body && { takesBody: true }),
    answers: { status: statusOf(route), kind: kindOf(route) },
    ...(description !== undefined && { groupDescription: description }),
    ...(grants && { grants: linksOf(resource, route) }),
    ...(cache && method !== 'DELETE' && { cache }),
    ...(route.isList && { list }),
    ...(method === 'POST' && { isIdempotent: true, ...(exampleWhenNew && { example: exampleWhenNew }) }),
    ...policy,
    ...(route.isList && { narrowedBy }),
    fails,
  };
}

const statusOf = ({ handler, method }: DeclaredRoute): number =>
  (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? STATUS[method];

/** The DTO that a route shows: the one of its `@ApiOkResponse({ type })`, or of its resource. */
function shownBy(route: DeclaredRoute): Dto {
  const responses = Reflect.getMetadata('swagger/apiResponse', route.handler) as
    | Record<string, { type?: unknown } | undefined>
    | undefined;
  const type = responses?.[statusOf(route)]?.type;
  return typeof type === 'function' ? (type as Dto) : route.resource.of;
}

/** The representation that entity tags are made of: what a GET shows, whatever else the response to a write holds. */
const representationFor = (route: DeclaredRoute): string =>
  representationOf(route.method === 'GET' ? shownBy(route) : route.resource.of);
