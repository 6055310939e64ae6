import { ParseArrayPipe, PipeTransform, Type } from '@nestjs/common';
import { CUSTOM_ROUTE_ARGS_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

import { Dto } from '../fields/field.js';
import { isRepeatable } from '../fields/read-parameters.js';
import { PayloadShape } from '../fields/read-payload.js';
import { shapeOf } from '../fields/shape.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { INVALID_ID, INVALID_QUERY, VALIDATION_FAILED } from '../http/errors/http.errors.js';
import { RoutePolicy } from '../http/route-policy.js';
import '../lists/unknown-query.js';
import { parametersOf, replaceParameters } from '../resources/route-parameters.js';
import { describeStock } from './describe-stock.js';
import { DtoPipe, GivenPipe, NamedPipe, ParametersPipe, TextPipe, TypedPipe } from './parameter-pipes.js';
import { merged, Validation, withoutValidationPipes } from './validation-pipes.js';

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** Its query or its path has a DTO, whose rules can be violated. */
    validatesParameters?: boolean;
  }
}

/** A route, as far as its parameters are concerned. */
export interface ParameterizedRoute {
  readonly controller: object & { readonly prototype: object };
  readonly name: string;
  /** The options of `@UsePipes()` on the route, its controller and the application. */
  readonly validation: Validation;
  /** The shape of its body where its resource declares it; `undefined`: the type of the parameter does. */
  readonly payload: PayloadShape | undefined;
  /** Its body is a form: the values of its fields are texts. */
  readonly isForm: boolean;
  /** The instance of a pipe that is given as a class; `undefined`: it is made for each request. */
  readonly instanceOf: (pipe: Type<PipeTransform>) => PipeTransform | undefined;
}

/** A parameter of a method, as Nest keeps it. */
interface Parameter {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes: readonly unknown[];
}

const KINDS = [RouteParamtypes.BODY, RouteParamtypes.QUERY, RouteParamtypes.PARAM] as const;

const MALFORMED = new Map<RouteParamtypes, ErrorType>([
  [RouteParamtypes.BODY, VALIDATION_FAILED],
  [RouteParamtypes.QUERY, INVALID_QUERY],
  [RouteParamtypes.PARAM, INVALID_ID],
]);

/**
 * Gives the parameters of a route the pipes that follow from their types: DTOs are validated, numbers and booleans
 * read, and errors of pipes say which parameter they are about.
 *
 * @returns what the route takes
 */
export function completeParameters(route: ParameterizedRoute): RoutePolicy {
  const { controller, name } = route;
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    Parameter
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype, name) ?? []) as unknown[];
  const query = new QueryNames();
  const bodies: unknown[] = [];
  let validatesParameters = false;
  const completed = Object.entries(parameters).map(([key, parameter]) => {
    const kind = KINDS.find((candidate) => key.startsWith(`${candidate}:`));
    const malformed = kind && MALFORMED.get(kind);
    if (key.includes(CUSTOM_ROUTE_ARGS_METADATA) || !malformed) return [key, parameter];
    const type = types[parameter.index];
    if (kind === RouteParamtypes.BODY) bodies.push(type);
    else if (isDto(type)) validatesParameters = true;
    if (kind === RouteParamtypes.QUERY) query.add(parameter, type);
    return [key, { ...parameter, pipes: pipesFor(parameter, type, malformed, route) }];
  });
  const replacements = Object.fromEntries(completed) as Record<string, Parameter>;
  // Another application in this process begins with what was written.
  replaceParameters(controller, name, replacements, parametersOf(controller, name));
  const takesBody = bodies.some(isDto);
  return { ...query.policy, ...(takesBody && { takesBody }), validatesParameters };
}

function pipesFor(
  { data, pipes }: Parameter,
  type: unknown,
  malformed: ErrorType,
  route: ParameterizedRoute,
): unknown[] {
  const written = pipes
    .map((pipe) => (pipe instanceof NamedPipe ? pipe.original : pipe))
    .filter((pipe) => !(pipe instanceof GivenPipe));
  const own = withoutValidationPipes(written);
  const validation = merged(route.validation, own.validation);
  if (route.payload && malformed === VALIDATION_FAILED)
    return [new DtoPipe({ ...optionsOf(validation), ...route.payload }), ...own.pipes];
  if (typeof data !== 'string') return [...givenPipes(type, malformed, validation, route), ...own.pipes];
  const place = { name: data, malformed };
  if (own.pipes.length === 0 && malformed !== VALIDATION_FAILED) {
    if (type === Number) return [new TypedPipe('number', place)];
    if (type === Boolean) return [new TypedPipe('boolean', place)];
    return [new TextPipe(place)];
  }
  return own.pipes.map((pipe) => {
    const instance = typeof pipe === 'function' ? route.instanceOf(pipe as Type<PipeTransform>) : pipe;
    return instance ? new NamedPipe(instance as PipeTransform, place) : pipe;
  });
}

/** The pipe for a parameter that is a whole: all of the body, the query, the path. */
function givenPipes(
  type: unknown,
  malformed: ErrorType,
  validation: Validation,
  { isForm }: ParameterizedRoute,
): GivenPipe[] {
  if (validation.isForeign) return [];
  if (!isDto(type)) return malformed === VALIDATION_FAILED ? [] : [new TextPipe({ name: '', malformed })];
  describeStock(type);
  const options = { ...optionsOf(validation), dto: type };
  if (malformed === VALIDATION_FAILED && !isForm)
    return [new DtoPipe({ ...options, representation: undefined })];
  return [new ParametersPipe({ ...options, malformed })];
}

const optionsOf = ({ rules, dropsUnknown }: Validation): Validation => ({ rules, dropsUnknown });

const BUILT_IN: readonly unknown[] = [
  undefined,
  Object,
  Array,
  String,
  Number,
  Boolean,
  Date,
  Buffer,
  Map,
  Set,
];

/** Whether the type of a parameter is a class whose decorators say what it takes. */
const isDto = (type: unknown): type is Dto =>
  typeof type === 'function' && !BUILT_IN.includes(type) && shapeOf(type as Dto).properties.size > 0;

/** The query parameters that a route takes. */
class QueryNames {
  private readonly names = new Set<string>();
  private readonly repeatable = new Set<string>();
  private takesAny = false;
  private isThere = false;

  add({ data, pipes }: Parameter, type: unknown): void {
    this.isThere = true;
    if (typeof data === 'string') {
      this.names.add(data);
      const isArray = pipes.some((pipe) => pipe === ParseArrayPipe || pipe instanceof ParseArrayPipe);
      if (type === Array || isArray) this.repeatable.add(data);
    } else if (isDto(type)) {
      for (const [name, property] of shapeOf(type).properties) {
        this.names.add(name);
        if (isRepeatable(property)) this.repeatable.add(name);
      }
    } else this.takesAny = true;
  }

  get policy(): RoutePolicy {
    if (!this.isThere) return {};
    if (this.takesAny) return { queryParameters: 'any' };
    return { queryParameters: { names: this.names, repeatable: this.repeatable } };
  }
}
